// tile-size=2 unroll=1 sizing=search
func.func @main(%arg0: tensor<1xi1>) -> (tensor<1xi1>) {
  %v1 = tensor.empty() : tensor<1xi1>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v1 : tensor<1xi1>) {
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %last = arith.constant 0 : index
    %row = arith.subi %last, %i : index
    %r = tensor.extract %arg0[%row] : tensor<1xi1>
    linalg.yield %r : i1
  } -> tensor<1xi1>
  return %v2 : tensor<1xi1>
}
