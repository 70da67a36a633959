// tile-size=4 unroll=256 sizing=highwater
func.func @main(%arg0: tensor<2x2xi64>) -> (tensor<4xi64>) {
  %v1 = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x2xi64> into tensor<4xi64>
  %v2 = tensor.empty() : tensor<4xi64>
  %v3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v1, %v1 : tensor<4xi64>, tensor<4xi64>) outs(%v2 : tensor<4xi64>) {
  ^bb0(%i0: i64, %i1: i64, %o: i64):
    %s0x = arith.constant -1 : i64
    %s0 = arith.xori %i1, %s0x : i64
    %s1x = arith.constant 3 : i64
    %s1y = arith.andi %s0, %s1x : i64
    %s1z = arith.constant 1 : i64
    %s1d = arith.addi %s1y, %s1z : i64
    %s1 = arith.remsi %i0, %s1d : i64
    %s2x = linalg.index 0 : index
    %s2 = arith.index_cast %s2x : index to i64
    %s3x = arith.constant 3 : i64
    %s3d = arith.andi %s2, %s3x : i64
    %s3 = arith.shli %s1, %s3d : i64
    linalg.yield %s3 : i64
  } -> tensor<4xi64>
  return %v3 : tensor<4xi64>
}
