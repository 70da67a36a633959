// tile-size=14 unroll=256 sizing=search converter-rule=minimal group-bytes=0
func.func @main(%arg0: tensor<2xi32>) -> (tensor<2xi64>) {
  %v1 = tensor.empty() : tensor<2xi64>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<2xi32>) outs(%v1 : tensor<2xi64>) {
  ^bb0(%i0: i32, %o: i64):
    %s0 = arith.extui %i0 : i32 to i64
    linalg.yield %s0 : i64
  } -> tensor<2xi64>
  %v3 = arith.constant 0 : i64
  %v4 = tensor.empty() : tensor<i64>
  %v5 = linalg.fill ins(%v3 : i64) outs(%v4 : tensor<i64>) -> tensor<i64>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%v2 : tensor<2xi64>) outs(%v5 : tensor<i64>) {
  ^bb0(%i0: i64, %o: i64):
    %r = arith.addi %i0, %o : i64
    linalg.yield %r : i64
  } -> tensor<i64>
  %v7 = tensor.empty() : tensor<2xi64>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v2, %v6 : tensor<2xi64>, tensor<i64>) outs(%v7 : tensor<2xi64>) {
  ^bb0(%i0: i64, %i1: i64, %o: i64):
    %s0 = arith.addi %i0, %i1 : i64
    linalg.yield %s0 : i64
  } -> tensor<2xi64>
  return %v8 : tensor<2xi64>
}
