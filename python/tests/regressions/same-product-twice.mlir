// tile-size=26 unroll=256 sizing=search converter-rule=minimal group-bytes=1
func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2x2xi32>, %arg2: tensor<2x24xi32>, %arg3: tensor<24xf32>, %arg4: tensor<1x2xi32>) -> (tensor<2xf32>, tensor<2x2xi32>, tensor<2xi32>, tensor<1x2xf32>) {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.empty() : tensor<2x24xi32>
  %v3 = linalg.fill ins(%v1 : i32) outs(%v2 : tensor<2x24xi32>) -> tensor<2x24xi32>
  %v4 = linalg.matmul ins(%arg1, %arg2 : tensor<2x2xi32>, tensor<2x24xi32>) outs(%v3 : tensor<2x24xi32>) -> tensor<2x24xi32>
  %v5 = arith.constant 0 : i32
  %v6 = tensor.empty() : tensor<2x24xi32>
  %v7 = linalg.fill ins(%v5 : i32) outs(%v6 : tensor<2x24xi32>) -> tensor<2x24xi32>
  %v8 = linalg.matmul ins(%arg1, %arg2 : tensor<2x2xi32>, tensor<2x24xi32>) outs(%v7 : tensor<2x24xi32>) -> tensor<2x24xi32>
  %v9 = arith.constant 0 : i32
  %v10 = tensor.empty() : tensor<2x2xi32>
  %v11 = linalg.fill ins(%v9 : i32) outs(%v10 : tensor<2x2xi32>) -> tensor<2x2xi32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v4, %v8 : tensor<2x24xi32>, tensor<2x24xi32>) outs(%v11 : tensor<2x2xi32>) {
  ^bb0(%i0: i32, %i1: i32, %o: i32):
    %p = arith.muli %i0, %i1 : i32
    %r = arith.addi %o, %p : i32
    linalg.yield %r : i32
  } -> tensor<2x2xi32>
  %v13 = tensor.extract_slice %arg1[1, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %v14 = tensor.empty() : tensor<1x2xf32>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<1x2xi32>) outs(%v14 : tensor<1x2xf32>) {
  ^bb0(%i0: i32, %o: f32):
    %row = arith.index_cast %i0 : i32 to index
    %r = tensor.extract %arg3[%row] : tensor<24xf32>
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  return %arg0, %v12, %v13, %v15 : tensor<2xf32>, tensor<2x2xi32>, tensor<2xi32>, tensor<1x2xf32>
}
