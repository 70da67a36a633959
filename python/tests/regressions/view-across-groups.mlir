// tile-size=22 unroll=64 sizing=search converter-rule=minimal group-bytes=256
func.func @main(%arg0: tensor<6x4xi8>, %arg1: tensor<4x4xi8>, %arg2: tensor<6x6xi32>, %arg3: tensor<6x14xf32>, %arg4: tensor<6x14xf32>, %arg5: tensor<6x3xi32>) -> (tensor<6x14xi32>, tensor<6x14xf32>, tensor<i32>, tensor<6x6xi32>) {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.empty() : tensor<6x4xi32>
  %v3 = linalg.fill ins(%v1 : i32) outs(%v2 : tensor<6x4xi32>) -> tensor<6x4xi32>
  %v4 = linalg.matmul ins(%arg0, %arg1 : tensor<6x4xi8>, tensor<4x4xi8>) outs(%v3 : tensor<6x4xi32>) -> tensor<6x4xi32>
  %v5 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%v4, %v4 : tensor<6x4xi32>, tensor<6x4xi32>) outs(%arg2 : tensor<6x6xi32>) -> tensor<6x6xi32>
  %v6 = tensor.empty() : tensor<6x14xi32>
  %v7 = tensor.insert_slice %v5 into %v6[0, 0] [6, 6] [1, 1] : tensor<6x6xi32> into tensor<6x14xi32>
  %v8 = tensor.insert_slice %v4 into %v7[0, 6] [6, 4] [1, 1] : tensor<6x4xi32> into tensor<6x14xi32>
  %v9 = tensor.insert_slice %v4 into %v8[0, 10] [6, 4] [1, 1] : tensor<6x4xi32> into tensor<6x14xi32>
  %v10 = tensor.empty() : tensor<6x14xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg3, %arg4 : tensor<6x14xf32>, tensor<6x14xf32>) outs(%v10 : tensor<6x14xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %s0 = arith.minnumf %i0, %i1 : f32
    linalg.yield %s0 : f32
  } -> tensor<6x14xf32>
  %v12 = arith.constant 0 : i32
  %v13 = tensor.empty() : tensor<i32>
  %v14 = linalg.fill ins(%v12 : i32) outs(%v13 : tensor<i32>) -> tensor<i32>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%arg5 : tensor<6x3xi32>) outs(%v14 : tensor<i32>) {
  ^bb0(%i0: i32, %o: i32):
    %r = arith.addi %i0, %o : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  return %v9, %v11, %v15, %v5 : tensor<6x14xi32>, tensor<6x14xf32>, tensor<i32>, tensor<6x6xi32>
}
