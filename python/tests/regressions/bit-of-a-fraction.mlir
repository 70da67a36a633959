// tile-size=4 unroll=1 sizing=search converter-rule=minimal group-bytes=0
#id = affine_map<(i) -> (i)>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xi1> {
  %e = tensor.empty() : tensor<4xi1>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%e : tensor<4xi1>) {
  ^bb0(%a: f32, %o: i1):
    %b = arith.fptosi %a : f32 to i1
    linalg.yield %b : i1
  } -> tensor<4xi1>
  return %r : tensor<4xi1>
}
