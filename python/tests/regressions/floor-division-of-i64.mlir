// tile-size=2 unroll=16 sizing=highwater
func.func @main(%arg0: tensor<1x1xi64>, %arg1: tensor<1xi64>, %arg2: tensor<1x1x1xi64>, %arg3: tensor<1x1x1xi64>) -> (tensor<1x3x1xi64>) {
  %v1 = tensor.empty() : tensor<1x1x1xi64>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<1x1xi64>, tensor<1xi64>) outs(%v1 : tensor<1x1x1xi64>) {
  ^bb0(%i0: i64, %i1: i64, %o: i64):
    %s0x = arith.constant 3 : i64
    %s0y = arith.andi %i1, %s0x : i64
    %s0z = arith.constant 1 : i64
    %s0d = arith.addi %s0y, %s0z : i64
    %s0 = arith.floordivsi %i0, %s0d : i64
    linalg.yield %s0 : i64
  } -> tensor<1x1x1xi64>
  %v3 = tensor.concat dim(1) %arg3, %v2, %arg2 : (tensor<1x1x1xi64>, tensor<1x1x1xi64>, tensor<1x1x1xi64>) -> tensor<1x3x1xi64>
  return %v3 : tensor<1x3x1xi64>
}
