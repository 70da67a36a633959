// RUN: streamtensor-opt %S/Inputs/llama-layer.mlir --pass-pipeline='builtin.module(streamtensor-import-phase,streamtensor-linalg-phase,func.func(streamtensor-count-operations))' -o %t.llama.mlir | FileCheck %s --check-prefix=EVALS-LLAMA
// RUN: FileCheck %s --check-prefix=LLAMA --input-file=%t.llama.mlir
// RUN: streamtensor-opt %S/Inputs/gpt2-layer.mlir --pass-pipeline='builtin.module(streamtensor-import-phase,streamtensor-linalg-phase,func.func(streamtensor-count-operations))' -o %t.gpt2.mlir | FileCheck %s --check-prefix=EVALS-GPT2
// RUN: FileCheck %s --check-prefix=GPT2 --input-file=%t.gpt2.mlir

// No function is evaluated more often than its tensor has elements. Llama, 8
// tokens: softmax 4 x 8 x 8, SiLU 8 x 48, two norms of 8 rows. A mean of a power
// of two elements is no division.

// EVALS-LLAMA: {{^}}arith.divf [[#256 + 384]]{{$}}
// EVALS-LLAMA-NEXT: {{^}}math.exp [[#256 + 384]]{{$}}
// EVALS-LLAMA-NEXT: {{^}}math.rsqrt 16{{$}}

// GPT-2, 8 tokens: softmax 2 x 8 x 8, GELU 8 x 64, two norms of 8 rows.

// EVALS-GPT2: {{^}}arith.divf 128{{$}}
// EVALS-GPT2-NEXT: {{^}}math.exp 128{{$}}
// EVALS-GPT2-NEXT: {{^}}math.rsqrt 16{{$}}
// EVALS-GPT2-NEXT: {{^}}math.tanh 512{{$}}

// Queries split into 2 groups of 2 heads; keys and values are read without
// repeating them; heads are written side by side for the output projection.

// LLAMA-LABEL: func.func @main
// LLAMA-NOT: f64
// LLAMA-COUNT-2: tensor.concat dim(2) {{.*}} -> tensor<8x{{[24]}}x8xf32>
// LLAMA: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x2x2x8xf32>, tensor<8x2x8xf32>) outs(%{{.*}} : tensor<2x2x8x8xf32>)
// LLAMA: arith.maximumf
// LLAMA: math.exp
// LLAMA: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x2x8x8xf32>, tensor<8x2x8xf32>) outs(%{{.*}} : tensor<8x2x2x8xf32>)
// LLAMA: tensor.collapse_shape {{.*}} : tensor<8x2x2x8xf32> into tensor<8x32xf32>

// The fused projection is three of sliced weights.

// GPT2-LABEL: func.func @main
// GPT2-NOT: f64
// GPT2-COUNT-3: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<16x16xf32>)
// GPT2: math.exp
// GPT2: math.tanh
