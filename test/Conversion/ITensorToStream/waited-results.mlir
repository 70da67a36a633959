// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=1 decision=rules stop-after=stream" --split-input-file | FileCheck %s

// Sums of rows of 64, four at a time: 64 iterations. All 32 rows in one block would save the pipeline seven fills of 48
// cycles, but the scaling behind takes 512 iterations, and would begin 7 x 64 later.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: dataflow.leaf "op" compute [8]
// CHECK: dataflow.nest "core" [16, 4]
// CHECK: dataflow.nest "drain" []
func.func @main(%x: tensor<32x64xf32>, %y: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<32x64xf32>) outs(%f : tensor<32xf32>) dimensions = [1]
  %o = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<32x64xf32>, tensor<32xf32>) outs(%o : tensor<32x64xf32>) {
  ^bb0(%l: f32, %t: f32, %out: f32):
    %p = arith.mulf %l, %t : f32
    linalg.yield %p : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// -----

// Nobody computes with the sums: they leave when all are there.

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: dataflow.leaf "op" compute []
// CHECK: dataflow.nest "core" [8, 16, 4]
// CHECK: dataflow.nest "drain" [8]
func.func @main(%x: tensor<32x64xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<32x64xf32>) outs(%f : tensor<32xf32>) dimensions = [1]
  return %s : tensor<32xf32>
}
