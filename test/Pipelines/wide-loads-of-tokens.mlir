// A task of 256 lanes takes 8 rows of weights, of a block that it holds for all tokens of a pass, in 4 iterations for 4
// tokens and in one for a single token. That pass has to be as fast as one of a design without others, so all 8 rows
// come at once.
// RUN: streamtensor-opt %s --streamtensor-pipeline="tile-size=32 unroll=256 decision=rules stop-after=optimise" --device=%devices/u55c.json | FileCheck %s

// CHECK: itensor.from_tensor %{{.*}} packed {dataflow.lanes = array<i64: 256>} : tensor<4x4x32x32xf32>

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (n, k)>
#C = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<4x128xf32> {streamtensor.name = "x", streamtensor.extents = ["tokens", ""]},
                %w: tensor<128x128xf32> {streamtensor.name = "w"}) -> tensor<4x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128xf32>) -> tensor<4x128xf32>
  %y = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x128xf32>, tensor<128x128xf32>) outs(%f : tensor<4x128xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x128xf32>
  return %y : tensor<4x128xf32>
}
