// tile-size=8 unroll=256 sizing=search
func.func @main(%arg0: tensor<13x16xi32>, %arg1: tensor<16x2xf64>, %arg2: tensor<1x5x4xi32>, %arg3: tensor<3x5x2xi32>, %arg4: tensor<1x3x3xi32>, %arg5: tensor<1x3x16xi32>, %arg6: tensor<i32>) -> (tensor<f64>, tensor<f64>, tensor<1x4x4xi32>, tensor<1x3x16xi32>, tensor<6x3x4xi32>, tensor<16x1x3xi32>, tensor<5xf64>) {
  %v1 = arith.constant 0x7FF0000000000000 : f64
  %v2 = tensor.empty() : tensor<f64>
  %v3 = linalg.fill ins(%v1 : f64) outs(%v2 : tensor<f64>) -> tensor<f64>
  %v4 = linalg.reduce { arith.minimumf } ins(%arg1 : tensor<16x2xf64>) outs(%v3 : tensor<f64>) dimensions = [0, 1]
  %v5 = tensor.empty() : tensor<f64>
  %v6 = linalg.min ins(%v4, %v4 : tensor<f64>, tensor<f64>) outs(%v5 : tensor<f64>) -> tensor<f64>
  %v7 = tensor.empty() : tensor<f64>
  %v8 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%v4 : tensor<f64>) outs(%v7 : tensor<f64>) {
  ^bb0(%i0: f64, %o: f64):
    %s0 = arith.negf %i0 : f64
    linalg.yield %s0 : f64
  } -> tensor<f64>
  %v9 = arith.constant 2147483647 : i32
  %v10 = tensor.empty() : tensor<1x4x4xi32>
  %v11 = linalg.fill ins(%v9 : i32) outs(%v10 : tensor<1x4x4xi32>) -> tensor<1x4x4xi32>
  %v12 = tensor.empty() : tensor<2xi32>
  %v13 = linalg.pooling_nwc_min {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[1]> : tensor<1xi64>} ins(%arg2, %v12 : tensor<1x5x4xi32>, tensor<2xi32>) outs(%v11 : tensor<1x4x4xi32>) -> tensor<1x4x4xi32>
  %v14 = linalg.conv_1d_ncw_fcw {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[1]> : tensor<1xi64>} ins(%arg2, %arg3 : tensor<1x5x4xi32>, tensor<3x5x2xi32>) outs(%arg4 : tensor<1x3x3xi32>) -> tensor<1x3x3xi32>
  %v15 = tensor.empty() : tensor<1x3x3xi32>
  %v16 = linalg.add ins(%v14, %arg4 : tensor<1x3x3xi32>, tensor<1x3x3xi32>) outs(%v15 : tensor<1x3x3xi32>) -> tensor<1x3x3xi32>
  %v17 = arith.constant 0 : i32
  %v18 = tensor.empty() : tensor<1x3x16xi32>
  %v19 = linalg.fill ins(%v17 : i32) outs(%v18 : tensor<1x3x16xi32>) -> tensor<1x3x16xi32>
  %v20 = linalg.batch_matmul ins(%v16, %arg5 : tensor<1x3x3xi32>, tensor<1x3x16xi32>) outs(%v19 : tensor<1x3x16xi32>) -> tensor<1x3x16xi32>
  %v21 = tensor.empty() : tensor<1x3x16xi32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20, %arg6 : tensor<1x3x16xi32>, tensor<i32>) outs(%v21 : tensor<1x3x16xi32>) {
  ^bb0(%i0: i32, %i1: i32, %o: i32):
    %s0 = arith.muli %i0, %i0 : i32
    %s1x = arith.constant 3 : i32
    %s1y = arith.andi %i1, %s1x : i32
    %s1z = arith.constant 1 : i32
    %s1d = arith.addi %s1y, %s1z : i32
    %s1 = arith.floordivsi %s0, %s1d : i32
    linalg.yield %s1 : i32
  } -> tensor<1x3x16xi32>
  %v23 = arith.constant 1 : i32
  %v24 = tensor.pad %v16 low[4, 0, 1] high[1, 0, 0] {
  ^bb0(%p0: index, %p1: index, %p2: index):
    tensor.yield %v23 : i32
  } : tensor<1x3x3xi32> to tensor<6x3x4xi32>
  %v25 = tensor.empty() : tensor<16x1x3xi32>
  %v26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20 : tensor<1x3x16xi32>) outs(%v25 : tensor<16x1x3xi32>) {
  ^bb0(%i0: i32, %o: i32):
    %s0 = arith.muli %i0, %i0 : i32
    %s1x = arith.constant -1 : i32
    %s1 = arith.xori %s0, %s1x : i32
    %s2x = arith.constant 3 : i32
    %s2 = arith.addi %s1, %s2x : i32
    linalg.yield %s2 : i32
  } -> tensor<16x1x3xi32>
  %v27 = tensor.empty() : tensor<16x2xf64>
  %v28 = linalg.softmax dimension(1) ins(%arg1 : tensor<16x2xf64>) outs(%v27 : tensor<16x2xf64>) -> tensor<16x2xf64>
  %v29 = tensor.extract_slice %v28[6, 1] [5, 1] [1, 1] : tensor<16x2xf64> to tensor<5xf64>
  return %v6, %v8, %v13, %v22, %v24, %v26, %v29 : tensor<f64>, tensor<f64>, tensor<1x4x4xi32>, tensor<1x3x16xi32>, tensor<6x3x4xi32>, tensor<16x1x3xi32>, tensor<5xf64>
}
