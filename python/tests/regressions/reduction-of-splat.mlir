// tile-size=8 unroll=4 sizing=search
func.func @main() -> (tensor<1xf32>) {
  %v1 = arith.constant dense<0.75> : tensor<9x1xf32>
  %v2 = arith.constant 0.25 : f32
  %v3 = tensor.empty() : tensor<1xf32>
  %v4 = linalg.fill ins(%v2 : f32) outs(%v3 : tensor<1xf32>) -> tensor<1xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%v1 : tensor<9x1xf32>) outs(%v4 : tensor<1xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.addf %i0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  return %v5 : tensor<1xf32>
}
