// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=4096" --verify-roundtrip | FileCheck %s

// Of the rows a launch has as many as its scalar says: they lie in one tile, in which they come one
// by one, and lanes go along the other loops, however many there are.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @rows
// CHECK: dataflow.least = array<i64: 1, 16, 16>, dataflow.tiling = #dataflow.tiling<tile = [8, 16, 16], order = [1, 2, 0], unroll = [1, 16, 16]>
func.func @rows(%x: tensor<8x64xf32> {streamtensor.extents = ["tokens", ""]}, %w: tensor<64x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%f : tensor<8x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %a : tensor<8x32xf32>
}

// -----

// Several tiles along the extent: a launch ends with one of them, whose rows may be lanes.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @tiles
// CHECK-NOT: dataflow.least
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [16, 16, 16], {{.*}}unroll = [16, 16, 16]>
func.func @tiles(%x: tensor<64x64xf32> {streamtensor.extents = ["context", ""]}, %w: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x64xf32>, tensor<64x32xf32>) outs(%f : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %a : tensor<64x32xf32>
}
