// y = A x and z = B x: both matrices come at the same time, a word of each of 14 rows over masters of their own. x comes
// again for each 14 rows; from one memory it would come to two readers at half the pace, so one load feeds both.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 stop-after=fuse" --device=%devices/u55c.json | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 stop-after=size" --device=%devices/u55c.json | FileCheck %s --check-prefix=MASTERS
// The same results as before, at every level.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 stop-after=size" --device=%devices/u55c.json --validate -o /dev/null

// CHECK-COUNT-3: itensor.from_tensor
// CHECK-NOT: itensor.from_tensor

// MASTERS-COUNT-14: dataflow.interface "gmem_a_s{{[0-9]+}}"
// MASTERS-NOT: dataflow.interface "gmem_a
// MASTERS: dataflow.interface "gmem_b_s0"
// MASTERS-COUNT-13: dataflow.interface "gmem_b_s{{[0-9]+}}"
// MASTERS-NOT: dataflow.interface "gmem_b
// MASTERS: dataflow.leaf "a_load" load {{.*}}ii = 1
// MASTERS: dataflow.leaf "b_load" load {{.*}}ii = 1
func.func @main(%a: tensor<56x64xf32> {streamtensor.name = "a"}, %b: tensor<56x64xf32> {streamtensor.name = "b"},
                %x: tensor<64xf32> {streamtensor.name = "x"}) -> (tensor<56xf32>, tensor<56xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<56xf32>) -> tensor<56xf32>
  %y = linalg.matvec ins(%a, %x : tensor<56x64xf32>, tensor<64xf32>) outs(%f : tensor<56xf32>) -> tensor<56xf32>
  %z = linalg.matvec ins(%b, %x : tensor<56x64xf32>, tensor<64xf32>) outs(%f : tensor<56xf32>) -> tensor<56xf32>
  return %y, %z : tensor<56xf32>, tensor<56xf32>
}
