// tile-size=2 unroll=1 sizing=search
func.func @main(%arg0: tensor<3xi64>) -> (tensor<3xi64>) {
  %v1 = tensor.empty() : tensor<3xi64>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xi64>) outs(%v1 : tensor<3xi64>) {
  ^bb0(%i0: i64, %o: i64):
    %s0x = arith.constant 0 : i64
    %s0 = arith.subi %s0x, %i0 : i64
    %s1x = arith.constant 0 : i64
    %s1 = arith.subi %s1x, %s0 : i64
    linalg.yield %s1 : i64
  } -> tensor<3xi64>
  return %v2 : tensor<3xi64>
}
