// RUN: streamtensor-opt %s --streamtensor-pipeline="tile-size=16 unroll=32" --device=%devices/u55c.json --validate | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="tile-size=16 unroll=32 decision=rules" --device=%devices/u55c.json | FileCheck %s --check-prefix=RULES

// Tiles of half the size are tried where one launch writes what the next one reads. With words of eight scales the design is
// as fast as with words of sixteen and smaller; it writes them where they lie all the same.

// CHECK: %scales = dataflow.port inout "scales" {{.*}} : <8x2x8xf32>
// CHECK: dataflow.store %{{.*}}, %scales {{.*}} words = #dataflow.words<count = 1, lanes = 8,
// RULES: %scales = dataflow.port inout "scales" {{.*}} : <4x2x16xf32>

#scales = affine_map<(h, r, c) -> (h, r, c)>
func.func @main(%scales: tensor<2x64x1xf32> {streamtensor.extents = ["", "length", ""], streamtensor.name = "scales"},
                %x: tensor<2x4x1xf32> {streamtensor.name = "x"}) ->
    (tensor<2x64x1xf32>, tensor<2x4x1xf32> {streamtensor.at = "position", streamtensor.into = "scales"}) {
  %e = tensor.empty() : tensor<2x64x1xf32>
  %doubled = linalg.generic {indexing_maps = [#scales, #scales], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scales : tensor<2x64x1xf32>) outs(%e : tensor<2x64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64x1xf32>
  %f = tensor.empty() : tensor<2x4x1xf32>
  %new = linalg.generic {indexing_maps = [#scales, #scales], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x4x1xf32>) outs(%f : tensor<2x4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.tanh %a : f32
    linalg.yield %t : f32
  } -> tensor<2x4x1xf32>
  return %doubled, %new : tensor<2x64x1xf32>, tensor<2x4x1xf32>
}
