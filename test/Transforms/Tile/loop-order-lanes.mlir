// (A B) C: with columns of the result inside, each row of A B comes again for all 14 tiles of columns, a row in a cycle:
// 12 x 14 x 12 x 15 = 30,240 cycles, where 1,804 lanes would multiply everything in 8,940. With the sum outside columns a
// row comes once. 256 lanes need 63,000 cycles, and rows come fast enough.
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="unroll=1804" | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="unroll=256" | FileCheck %s --check-prefix=FEW

// CHECK: tile = [15, 16, 16], order = [0, 1, 2]
// CHECK: tile = [15, 16, 16], order = [0, 2, 1]
// FEW: tile = [15, 16, 16], order = [0, 1, 2]
// FEW: tile = [15, 16, 16], order = [0, 1, 2]
func.func @main(%a: tensor<180x224xf32>, %b: tensor<224x192xf32>, %c: tensor<192x224xf32>) -> tensor<180x224xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<180x192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<180x192xf32>) -> tensor<180x192xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<180x224xf32>, tensor<224x192xf32>) outs(%f : tensor<180x192xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<180x192xf32>
  %g = tensor.empty() : tensor<180x224xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<180x224xf32>) -> tensor<180x224xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : tensor<180x192xf32>, tensor<192x224xf32>) outs(%h : tensor<180x224xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<180x224xf32>
  return %q : tensor<180x224xf32>
}
