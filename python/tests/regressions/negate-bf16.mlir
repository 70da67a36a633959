// tile-size=8 unroll=1 sizing=search
func.func @main(%arg0: tensor<2x1x1xbf16>) -> (tensor<2x1x1xbf16>) {
  %v1 = tensor.empty() : tensor<2x1x1xbf16>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x1x1xbf16>) outs(%v1 : tensor<2x1x1xbf16>) {
  ^bb0(%i0: bf16, %o: bf16):
    %s0 = arith.negf %i0 : bf16
    linalg.yield %s0 : bf16
  } -> tensor<2x1x1xbf16>
  return %v2 : tensor<2x1x1xbf16>
}
