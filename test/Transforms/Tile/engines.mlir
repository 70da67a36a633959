// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16" --verify-roundtrip | FileCheck %s
// RUN: sed 's/i8/i9/g' %s | streamtensor-opt %u55c --streamtensor-decide-tiling="tile-size=16" | FileCheck %s --check-prefix=NINE
// RUN: sed 's/4x128xi8/6x128xi8/; s/tensor<4x/tensor<6x/g; s/output_shape .4,/output_shape [6,/' %s | streamtensor-opt %u55c --streamtensor-decide-tiling="tile-size=16" | FileCheck %s --check-prefix=SIX
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 lane-share=80" | FileCheck %s --check-prefix=FEWER

// Two linears of int4 weights take turns in an engine, for passes of up to 4 tokens. What the first gives is cut into
// heads of 64, half of a word of 128 weights: its rows have tiles of a word, those of the heads and of the second linear
// have the tile size. Where int8 activations meet int4 weights, products of two tokens and two rows share a DSP; those
// of 9 bits do not: only the second linear has as many DSPs as two tokens need. Of six tokens, too, two stand beside each
// other and not three, which would share DSPs by two. Where fewer lanes are asked for, the
// logic of two tokens goes first; the second linear has the lanes of the first for nothing.

#xk = affine_map<(m, n, k) -> (m, k)>
#wk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#heads = affine_map<(m, h, n) -> (m, h, n)>

// CHECK-LABEL: func.func @main
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [4, 128, 64], {{.*}}, unroll = [2, 64, 64], engine = "engine">
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [4, 1, 16]
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [4, 16, 64], {{.*}}, unroll = [2, 16, 64], engine = "engine">

// SIX-LABEL: func.func @main
// SIX: unroll = [2, 64, 64], engine = "engine">
// SIX: unroll = [2, 16, 64], engine = "engine">

// FEWER-LABEL: func.func @main
// FEWER: unroll = [1, 64, 64], engine = "engine">
// FEWER: unroll = [2, 16, 64], engine = "engine">

// NINE-LABEL: func.func @main
// NINE: unroll = [1, 128, 32], engine = "engine">
// NINE: unroll = [2, 16, 32], engine = "engine">
func.func @main(%x: tensor<4x128xi8> {streamtensor.extents = ["tokens", ""]}, %v: tensor<256x128xi4> {streamtensor.stacked, streamtensor.kind = "parameter"}, %w: tensor<256x128xi4> {streamtensor.stacked, streamtensor.kind = "parameter"}) -> (tensor<4x4x64xi32>, tensor<4x256xi32>) attributes {streamtensor.layers = 2 : i64} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x256xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<4x256xi32>) -> tensor<4x256xi32>
  %p = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %v : tensor<4x128xi8>, tensor<256x128xi4>) outs(%init : tensor<4x256xi32>) {
  ^bb0(%a: i8, %b: i4, %acc: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i4 to i32
    %q = arith.muli %l, %r : i32
    %s = arith.addi %acc, %q : i32
    linalg.yield %s : i32
  } -> tensor<4x256xi32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [4, 4, 64] : tensor<4x256xi32> into tensor<4x4x64xi32>
  %eh = tensor.empty() : tensor<4x4x64xi32>
  %doubled = linalg.generic {indexing_maps = [#heads, #heads], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<4x4x64xi32>) outs(%eh : tensor<4x4x64xi32>) {
  ^bb0(%a: i32, %out: i32):
    %s = arith.addi %a, %a : i32
    linalg.yield %s : i32
  } -> tensor<4x4x64xi32>
  %o = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x128xi8>, tensor<256x128xi4>) outs(%init : tensor<4x256xi32>) {
  ^bb0(%a: i8, %b: i4, %acc: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i4 to i32
    %q = arith.muli %l, %r : i32
    %s = arith.addi %acc, %q : i32
    linalg.yield %s : i32
  } -> tensor<4x256xi32>
  return %doubled, %o : tensor<4x4x64xi32>, tensor<4x256xi32>
}
