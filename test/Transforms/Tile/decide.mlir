// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=20" --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s %u55c -o %t.before
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=20" | sed 's/ attrs = *{dataflow.tiling = #dataflow.tiling<[^>]*>}//' | diff %t.before -

// Deciding writes the choices and nothing else: without them the program is as it was. Of the 512 elements half come with
// the last tile, and 2 lanes pass these in a 16th of the product's 16 x 32 x 64 / 16 = 2,048 iterations.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK: dataflow.tiling = #dataflow.tiling<tile = [16, 16, 16], order = [1, 2, 0], unroll = [1, 16, 1]>
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [16, 16], order = [1, 0], unroll = [1, 2]>
func.func @main(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x64xf32>, tensor<64x32xf32>) outs(%f : tensor<16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x32xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = math.tanh %l : f32
    linalg.yield %m : f32
  } -> tensor<16x32xf32>
  return %n : tensor<16x32xf32>
}
