// FIFOs that have no kind of memory yet take nothing of a die; leaves are placed without them.
// RUN: streamtensor-opt %s %u55c --streamtensor-pipeline=stop-after=stream \
// RUN:   --streamtensor-schedule-phase --dataflow-assign-dies | FileCheck %s

// CHECK: placement = #dataflow.placement<bits = 0, bound = 0, nodes = 0>
// CHECK: dataflow.stream "a_fifo" : <vector<16xf32>>
// CHECK: dataflow.leaf "a_load" {{.*}} die = "SLR0"

func.func @main(%a: tensor<16x32xf32> {streamtensor.name = "a"}, %b: tensor<32x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x16xf32>)
                     outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
