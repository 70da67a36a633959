// tile-size=4 unroll=4 sizing=search
func.func @main(%a: tensor<1x2x4x7xf32>, %k: tensor<2x2x3x3xf32>) -> tensor<1x2x1x5xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x1x5xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %k : tensor<1x2x4x7xf32>, tensor<2x2x3x3xf32>) outs(%f : tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32>
  return %r : tensor<1x2x1x5xf32>
}
