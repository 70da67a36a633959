// tile-size=26 unroll=256 padding=100 sizing=search converter-rule=minimal group-bytes=0 fusion-plan=greedy
func.func @main(%arg0: tensor<3x17xf64>, %arg1: tensor<17x4xf64>, %arg2: tensor<2x3x3xf64>) -> (tensor<f64>, tensor<3x4xf64>, tensor<2x1x3xf64>) {
  %v1 = arith.constant dense<[[-0.025849617489396293, 0.7866813711445944, 0.4692255973870747], [-0.10654179982471956, -0.6846350965260355, -0.560973259282965], [0.5104756324553987, -0.32734614579247334, -0.851160234005607]]> : tensor<3x3xf64>
  %v2 = arith.constant 0.25 : f64
  %v3 = tensor.empty() : tensor<17x3xf64>
  %v4 = linalg.fill ins(%v2 : f64) outs(%v3 : tensor<17x3xf64>) -> tensor<17x3xf64>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %v1 : tensor<3x17xf64>, tensor<3x3xf64>) outs(%v4 : tensor<17x3xf64>) {
  ^bb0(%i0: f64, %i1: f64, %o: f64):
    %p = arith.mulf %i0, %i1 : f64
    %r = arith.addf %o, %p : f64
    linalg.yield %r : f64
  } -> tensor<17x3xf64>
  %v6 = arith.constant 0.0 : f64
  %v7 = tensor.empty() : tensor<3x4xf64>
  %v8 = linalg.fill ins(%v6 : f64) outs(%v7 : tensor<3x4xf64>) -> tensor<3x4xf64>
  %v9 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%v5, %arg1 : tensor<17x3xf64>, tensor<17x4xf64>) outs(%v8 : tensor<3x4xf64>) -> tensor<3x4xf64>
  %v10 = arith.constant 0x7FF0000000000000 : f64
  %v11 = tensor.empty() : tensor<f64>
  %v12 = linalg.fill ins(%v10 : f64) outs(%v11 : tensor<f64>) -> tensor<f64>
  %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%v1 : tensor<3x3xf64>) outs(%v12 : tensor<f64>) {
  ^bb0(%i0: f64, %o: f64):
    %r = arith.minimumf %i0, %o : f64
    linalg.yield %r : f64
  } -> tensor<f64>
  %v14 = arith.constant 0x7FF0000000000000 : f64
  %v15 = tensor.empty() : tensor<2x1x3xf64>
  %v16 = linalg.fill ins(%v14 : f64) outs(%v15 : tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
  %v17 = tensor.empty() : tensor<2xf64>
  %v18 = linalg.pooling_nwc_min {dilations = dense<[2]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%arg2, %v17 : tensor<2x3x3xf64>, tensor<2xf64>) outs(%v16 : tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
  return %v13, %v9, %v18 : tensor<f64>, tensor<3x4xf64>, tensor<2x1x3xf64>
}
