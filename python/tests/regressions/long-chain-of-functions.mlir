// tile-size=2 unroll=4 sizing=search converter-rule=minimal group-bytes=1
func.func @main(%arg0: tensor<1x1xf32>) -> (tensor<1x1xf32>) {
  %v1_0x = math.absf %arg0 : tensor<1x1xf32>
  %v1_0 = math.sqrt %v1_0x : tensor<1x1xf32>
  %v1_1x = arith.constant dense<3> : tensor<1x1xi32>
  %v1_1 = math.fpowi %v1_0, %v1_1x : tensor<1x1xf32>, tensor<1x1xi32>
  %v1_2x = arith.constant dense<-1.25> : tensor<1x1xf32>
  %v2 = arith.addf %v1_2x, %v1_1 : tensor<1x1xf32>
  %v3_0x = arith.mulf %v2, %v2 : tensor<1x1xf32>
  %v3_0one = arith.constant dense<1.0> : tensor<1x1xf32>
  %v3_0y = arith.addf %v3_0x, %v3_0one : tensor<1x1xf32>
  %v3_0 = math.rsqrt %v3_0y : tensor<1x1xf32>
  %v3_1x = math.absf %v3_0 : tensor<1x1xf32>
  %v3_1m = arith.constant dense<1.5> : tensor<1x1xf32>
  %v3_1y = arith.addf %v3_1x, %v3_1m : tensor<1x1xf32>
  %v4 = math.log10 %v3_1y : tensor<1x1xf32>
  %v5 = tensor.empty() : tensor<1x1xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %v4 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%v5 : tensor<1x1xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %s0 = arith.mulf %i0, %i0 : f32
    %s1 = arith.mulf %s0, %i1 : f32
    linalg.yield %s1 : f32
  } -> tensor<1x1xf32>
  return %v6 : tensor<1x1xf32>
}
