// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=44" | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=35" | FileCheck %s --check-prefix=LITTLE

// Along rows and then the reduction, lanes double: 16, 32, and 64 are too many. A tile has 10 rows, so that 5 x 8 of the
// 44 lanes are possible, as are 10 x 4; the most along rows of the result are taken. Of 35 lanes none gain an eighth.

// CHECK: tile = [10, 16, 16], order = [0, 1, 2], unroll = [5, 8, 1]
// LITTLE: tile = [10, 16, 16], order = [0, 1, 2], unroll = [1, 16, 2]
func.func @main(%x: tensor<20x64xf32>, %w: tensor<64x32xf32>) -> tensor<20x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x32xf32>) -> tensor<20x32xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<20x64xf32>, tensor<64x32xf32>) outs(%f : tensor<20x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<20x32xf32>
  return %a : tensor<20x32xf32>
}
