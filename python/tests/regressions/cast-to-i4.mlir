// tile-size=4 unroll=16 sizing=search
func.func @main(%arg0: tensor<1x1x4xf32>) -> (tensor<1x1x4xi4>) {
  %v1 = tensor.empty() : tensor<1x1x4xi4>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x1x4xf32>) outs(%v1 : tensor<1x1x4xi4>) {
  ^bb0(%i0: f32, %o: i4):
    %s0 = arith.fptosi %i0 : f32 to i4
    linalg.yield %s0 : i4
  } -> tensor<1x1x4xi4>
  return %v2 : tensor<1x1x4xi4>
}
