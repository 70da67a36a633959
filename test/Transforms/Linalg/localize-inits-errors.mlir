// RUN: streamtensor-opt %s --streamtensor-localize-inits --split-input-file --verify-diagnostics

func.func @no_neutral(%x: tensor<4x6xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{accumulates into a tensor with a combiner that has no neutral element; accumulate from a constant}}
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %m = arith.mulf %acc, %acc : f32
    %s = arith.addf %m, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %a : tensor<4xf32>
}
