// tile-size=4 unroll=16 sizing=search converter-rule=minimal group-bytes=0
func.func @main() -> (tensor<3x3x1xf64>) {
  %v1 = arith.constant 0.75 : f64
  %v2 = tensor.empty() : tensor<3x3x3xf64>
  %v3 = linalg.fill ins(%v1 : f64) outs(%v2 : tensor<3x3x3xf64>) -> tensor<3x3x3xf64>
  %v4 = arith.constant 0xFFF0000000000000 : f64
  %v5 = tensor.empty() : tensor<3x3x1xf64>
  %v6 = linalg.fill ins(%v4 : f64) outs(%v5 : tensor<3x3x1xf64>) -> tensor<3x3x1xf64>
  %v7 = tensor.empty() : tensor<2xf64>
  %v8 = linalg.pooling_ncw_max {dilations = dense<[2]> : tensor<1xi64>, strides = dense<[3]> : tensor<1xi64>} ins(%v3, %v7 : tensor<3x3x3xf64>, tensor<2xf64>) outs(%v6 : tensor<3x3x1xf64>) -> tensor<3x3x1xf64>
  return %v8 : tensor<3x3x1xf64>
}
