// tile-size=16 unroll=64 sizing=search
func.func @main(%arg0: tensor<2x2xi32>, %arg1: tensor<2x2xi32>) -> (tensor<1xi32>) {
  %v1 = tensor.empty() : tensor<2x2xi32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<2x2xi32>, tensor<2x2xi32>) outs(%v1 : tensor<2x2xi32>) {
  ^bb0(%i0: i32, %i1: i32, %o: i32):
    %s0 = arith.muli %i0, %i0 : i32
    linalg.yield %s0 : i32
  } -> tensor<2x2xi32>
  %v3 = tensor.collapse_shape %v2 [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %v4 = tensor.extract_slice %v3[3] [1] [1] : tensor<4xi32> to tensor<1xi32>
  return %v4 : tensor<1xi32>
}
