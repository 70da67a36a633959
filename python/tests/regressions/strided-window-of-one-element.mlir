// tile-size=8 unroll=16 sizing=highwater
func.func @main(%a: tensor<2x3x5x4xi8>, %k: tensor<3x3x1x1xi8>) -> tensor<2x3x3x2xi32> {
  %c = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x3x3x2xi32>
  %f = linalg.fill ins(%c : i32) outs(%e : tensor<2x3x3x2xi32>) -> tensor<2x3x3x2xi32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%a, %k : tensor<2x3x5x4xi8>, tensor<3x3x1x1xi8>) outs(%f : tensor<2x3x3x2xi32>) -> tensor<2x3x3x2xi32>
  return %r : tensor<2x3x3x2xi32>
}
