// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=64 stop-after=decide" -o %t.decided.mlir
// RUN: FileCheck %s --check-prefix=DECIDE --input-file=%t.decided.mlir
// RUN: streamtensor-opt %t.decided.mlir --streamtensor-pipeline="start-after=decide" -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SIZED --input-file=%t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=64 engines=false" | streamtensor-sim - --json | FileCheck %s --check-prefix=ARRAYS
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=16 stop-after=decide" | FileCheck %s --check-prefix=FEW
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --input=%t.d/arg3.npy --input=%t.d/arg4.npy --compare=%t.d/result0.npy
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=44 stop-after=decide" | FileCheck %s --check-prefix=ODD
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=512" -o %t.sliced.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SLICED --input-file=%t.sliced.mlir
// RUN: streamtensor-run %t.sliced.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --input=%t.d/arg3.npy --input=%t.d/arg4.npy --compare=%t.d/result0.npy
// RUN: sed 's/"dsp": 2[0-9]\{3\}/"dsp": 100/; s/"token_bits": 4096/"token_bits": 1024/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%t.json unroll=64" -o %t.wide.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=WIDE --input-file=%t.wide.mlir
// RUN: streamtensor-run %t.wide.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --input=%t.d/arg3.npy --input=%t.d/arg4.npy --compare=%t.d/result0.npy

// An attention of two heads with its projections: 4 x 32768 multiply-adds of these, 32768 of the scores and of the values.
// One engine takes them with all 64 lanes, in 6 x 512 iterations: eight tokens and eight outputs of projections, whose sums
// over the inputs stand outermost, of all tokens where heads want these whole. Values have 16 outputs, and rows of tokens
// make four turns: with four outputs no addition waits. Heads are taken one after the other, whole.
// DECIDE: #dataflow.tiling<tile = [32, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [32, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [32, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [1, 32, 32, 16], order = [0, 1, 3, 2], unroll = [1, 8, 8, 1], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [1, 32, 16, 32], order = [0, 1, 3, 2], unroll = [1, 8, 4, 2], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [32, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine">

// With 16 lanes memory brings the weights of the last projection anew for each 8 tokens. But each head gives 16 of its 32
// inputs for all tokens, and results of all tokens leave in whole words: it takes them in one pass, as heads come.
// FEW-COUNT-5: engine = "engine"
// FEW: #dataflow.tiling<tile = [32, 4, 1], order = [0, 2, 1], unroll = [4, 4, 1], engine = "engine">

// The sums go along, with the memories that they lie in.
// SIZED: dataflow.leaf "engine" compute [1]
// SIZED: dataflow.nest "op{{.*}}" [32, 4, 4]
// SIZED: dataflow.nest "op_3" [2, 16, 4, 4]
// SIZED: dataflow.nest "op_4" [2, 16, 4, 4]
// SIZED: dataflow.nest "op_5" [32, 4, 4]

// 3072 iterations, and what stands in front of the first and behind the last. Arrays have the projections' lanes waiting
// for the first head, and others for the last.
// CYCLES: "cycles": 3424,
// CYCLES: "busy": 3072,
// CYCLES: "name": "engine",
// ARRAYS: "cycles": 7317,

// With 512 lanes each of the eight tokens is that of a slice, with its sums: 4 x 32 of a projection, eight at once, where
// one has added up those of the one before. Weights go from slice to slice, and so do keys and values, which the first
// slice takes from the leaf that holds them.
// SLICED: dataflow.leaf "engine_s0" compute [1]
// SLICED: dataflow.nest "op_3"
// SLICED: stream_read %op_3_taken{{.*}} -> vector<64xf32>
// SLICED: stream_write {{.*}}, %engine_s0_passed_1 {{.*}} vector<64xf32>
// SLICED: dataflow.leaf "engine_s1" compute [1]
// SLICED-NEXT: ^bb0(%{{[^,]*}}: index, %{{[^,]*}}: !dataflow.private<4x1x16xf32>, %{{[^,]*}}: !dataflow.private<16x8xf32>):
// SLICED: dataflow.nest "op_3"
// SLICED: stream_read %engine_s0_passed_1 {{.*}} -> vector<64xf32>
// SLICED: stream_write {{.*}}, %engine_s1_passed {{.*}} vector<64xf32>
// SLICED: arith.mulf {{.*}} : vector<1x8x8xf32>
// SLICED: dataflow.leaf "engine_s7" compute [1]
// SLICED-NOT: engine_s8

// Where 64 lanes are more than all dies have, the engine has no slices, but operands and sums take several FIFOs.
// WIDE: dataflow.leaf "engine" compute [1]
// WIDE: stream_write {{.*}}, %op_sums_1 {{.*}} vector<32xf32>
// WIDE: stream_read %op_4_taken_1
// WIDE-NOT: engine_s1

// 44 lanes are 11 x 4: 32 tokens become 33, in the engine too.
// ODD: engine = "engine"

func.func @main(%x: tensor<32x32xf32>, %wq: tensor<32x32xf32>, %wk: tensor<32x32xf32>, %wv: tensor<32x32xf32>, %wo: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %q = linalg.matmul ins(%x, %wq : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %k = linalg.matmul ins(%x, %wk : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %v = linalg.matmul ins(%x, %wv : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %qh = tensor.expand_shape %q [[0], [1, 2]] output_shape [32, 2, 16] : tensor<32x32xf32> into tensor<32x2x16xf32>
  %kh = tensor.expand_shape %k [[0], [1, 2]] output_shape [32, 2, 16] : tensor<32x32xf32> into tensor<32x2x16xf32>
  %vh = tensor.expand_shape %v [[0], [1, 2]] output_shape [32, 2, 16] : tensor<32x32xf32> into tensor<32x2x16xf32>
  %es = tensor.empty() : tensor<2x32x32xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (n, h, k)>, affine_map<(h, m, n, k) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%qh, %kh : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%zs : tensor<2x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %ev = tensor.empty() : tensor<32x2x16xf32>
  %zv = linalg.fill ins(%zero : f32) outs(%ev : tensor<32x2x16xf32>) -> tensor<32x2x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, m, d, n) -> (h, m, n)>, affine_map<(h, m, d, n) -> (n, h, d)>, affine_map<(h, m, d, n) -> (m, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %vh : tensor<2x32x32xf32>, tensor<32x2x16xf32>) outs(%zv : tensor<32x2x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<32x2x16xf32>
  %yc = tensor.collapse_shape %y [[0], [1, 2]] : tensor<32x2x16xf32> into tensor<32x32xf32>
  %o = linalg.matmul ins(%yc, %wo : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %o : tensor<32x32xf32>
}
