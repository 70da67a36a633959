// 25 rows of the matrix in an iteration, as it and the vector come: no block of theirs holds the pipeline up. A vector of
// 25 results leaves in five words. All 400 in one block would leave after the last product, in 80 iterations; in 16
// blocks that costs 15 swaps more, and only the last five are waited for.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=size" --device=%devices/u55c.json | FileCheck %s

// CHECK: dataflow.leaf "op" compute [16]
// CHECK: dataflow.nest "core" [4]
// CHECK: dataflow.nest "drain" [5] lag 1
func.func @main(%a: tensor<400x64xf32> {streamtensor.name = "a"}, %x: tensor<64xf32> {streamtensor.name = "x"}) -> tensor<400xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<400xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<400xf32>) -> tensor<400xf32>
  %y = linalg.matvec ins(%a, %x : tensor<400x64xf32>, tensor<64xf32>) outs(%f : tensor<400xf32>) -> tensor<400xf32>
  return %y : tensor<400xf32>
}
