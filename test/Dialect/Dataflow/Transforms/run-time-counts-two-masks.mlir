// RUN: streamtensor-opt %s %u55c --streamtensor-pipeline="stop-after=stream" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: rm -rf %t && mkdir %t && streamtensor-run %s --output-dir=%t
// RUN: streamtensor-run %t.mlir --input=%t/arg0.npy --compare=%t/result0.npy | FileCheck %s --check-prefix=SAME

// Partial maxima of one load have a trip or not by two counts: it is masked twice.

// SAME-NOT: differs
// SAME: level stream
// CHECK: dataflow.test #{{.*}}
// CHECK: arith.select {{.*}} : vector<{{.*}}xi1>, vector<{{.*}}xf32>
// CHECK: arith.select {{.*}} : vector<{{.*}}xi1>, vector<{{.*}}xf32>
func.func @main(%x: tensor<9x4x16xf32> {streamtensor.extents = ["", "rows", "columns"], streamtensor.name = "x"}) -> tensor<9x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<9x4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<9x4xf32>) -> tensor<9x4xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<9x4x16xf32>) outs(%f : tensor<9x4xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<9x4xf32>
  return %m : tensor<9x4xf32>
}
