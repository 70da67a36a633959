// RUN: streamtensor-opt %s --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --mlir-print-op-generic | streamtensor-opt --verify-roundtrip | FileCheck %s

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#tiling = #dataflow.tiling<tile = [2, 8, 24], order = [0, 1, 2], unroll = [1, 8, 4], vector = [4]>
#sums = #dataflow.sums<loops = [], points = [0, 2, 1], lanes = [1, 8, 4], trees = [2], banks = [2]>

// CHECK: dataflow.sums = #dataflow.sums<loops = [], points = [0, 2, 1], lanes = [1, 8, 4], trees = [2], banks = [2]>
// CHECK-SAME: dataflow.tiling = #dataflow.tiling<tile = [2, 8, 24], order = [0, 1, 2], unroll = [1, 8, 4], vector = [4]>
func.func @main(%x: tensor<2x48xf32>, %w: tensor<48x8xf32>, %f: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x48xf32>, tensor<48x8xf32>) outs(%f : tensor<2x8xf32>)
      attrs = {dataflow.tiling = #tiling, dataflow.sums = #sums} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}
