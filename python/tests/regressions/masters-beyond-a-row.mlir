// tile-size=21 unroll=256 padding=12 sizing=search converter-rule=minimal group-bytes=0 fusion-plan=greedy
func.func @main(%arg0: tensor<11x1xf64>, %arg1: tensor<29x11xf64>) -> (tensor<1x29xf64>) {
  %v1 = arith.constant 0.0 : f64
  %v2 = tensor.empty() : tensor<1x29xf64>
  %v3 = linalg.fill ins(%v1 : f64) outs(%v2 : tensor<1x29xf64>) -> tensor<1x29xf64>
  %v4 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg1 : tensor<11x1xf64>, tensor<29x11xf64>) outs(%v3 : tensor<1x29xf64>) -> tensor<1x29xf64>
  return %v4 : tensor<1x29xf64>
}
