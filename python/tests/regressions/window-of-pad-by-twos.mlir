// tile-size=4 unroll=256 sizing=highwater converter-rule=minimal group-bytes=0
func.func @main(%arg0: tensor<1x7x1xf64>, %arg1: tensor<1x1xf64>) -> (tensor<1x5x1xf64>) {
  %v1 = arith.constant 0.0 : f64
  %v2 = tensor.pad %arg0 low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%p0: index, %p1: index, %p2: index):
    tensor.yield %v1 : f64
  } : tensor<1x7x1xf64> to tensor<1x9x1xf64>
  %v3 = arith.constant 0.0 : f64
  %v4 = tensor.empty() : tensor<1x5x1xf64>
  %v5 = linalg.fill ins(%v3 : f64) outs(%v4 : tensor<1x5x1xf64>) -> tensor<1x5x1xf64>
  %v6 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<[2]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>} ins(%v2, %arg1 : tensor<1x9x1xf64>, tensor<1x1xf64>) outs(%v5 : tensor<1x5x1xf64>) -> tensor<1x5x1xf64>
  return %v6 : tensor<1x5x1xf64>
}
