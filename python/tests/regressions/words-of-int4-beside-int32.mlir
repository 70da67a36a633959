// tile-size=18 unroll=1 sizing=highwater converter-rule=minimal group-bytes=1
func.func @main(%arg0: tensor<31x2xi4>, %arg1: tensor<2x48xi4>, %arg2: tensor<31x48xi32>) -> (tensor<31x31xi32>) {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.empty() : tensor<31x48xi32>
  %v3 = linalg.fill ins(%v1 : i32) outs(%v2 : tensor<31x48xi32>) -> tensor<31x48xi32>
  %v4 = linalg.matmul ins(%arg0, %arg1 : tensor<31x2xi4>, tensor<2x48xi4>) outs(%v3 : tensor<31x48xi32>) -> tensor<31x48xi32>
  %v5 = arith.constant 0 : i32
  %v6 = tensor.empty() : tensor<31x31xi32>
  %v7 = linalg.fill ins(%v5 : i32) outs(%v6 : tensor<31x31xi32>) -> tensor<31x31xi32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v4, %arg2 : tensor<31x48xi32>, tensor<31x48xi32>) outs(%v7 : tensor<31x31xi32>) {
  ^bb0(%i0: i32, %i1: i32, %o: i32):
    %p = arith.muli %i0, %i1 : i32
    %r = arith.addi %o, %p : i32
    linalg.yield %r : i32
  } -> tensor<31x31xi32>
  return %v8 : tensor<31x31xi32>
}
