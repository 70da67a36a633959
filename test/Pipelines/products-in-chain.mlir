// t = relu(A x), z = t A: the second product takes each element of t as it comes, a row of A with it. If masters brought
// all of A and then A again, it would wait for half of the time; where there is one for each word, each has its own.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=44 stop-after=size" --device=%devices/u55c.json -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: streamtensor-sim %t.mlir | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=44 stop-after=size" --device=%devices/u55c.json --validate -o /dev/null

// CHECK-COUNT-5: dataflow.interface "gmem_a_s{{[0-9]}}"
// CHECK-COUNT-5: dataflow.interface "gmem_a_1_s{{[0-9]}}"
// CHECK: dataflow.leaf "a_load" load
// CHECK: dataflow.leaf "a_1_load" load
// CYCLES: 8988 cycles
#id = affine_map<(i) -> (i)>
func.func @main(%a: tensor<400x416xf32> {streamtensor.name = "a"},
                %x: tensor<416xf32> {streamtensor.name = "x"}) -> tensor<416xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<400xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<400xf32>) -> tensor<400xf32>
  %y = linalg.matvec ins(%a, %x : tensor<400x416xf32>, tensor<416xf32>) outs(%f : tensor<400xf32>) -> tensor<400xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<400xf32>) outs(%e : tensor<400xf32>) {
  ^bb0(%v: f32, %out: f32):
    %p = arith.maximumf %v, %zero : f32
    linalg.yield %p : f32
  } -> tensor<400xf32>
  %e2 = tensor.empty() : tensor<416xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<416xf32>) -> tensor<416xf32>
  %z = linalg.vecmat ins(%t, %a : tensor<400xf32>, tensor<400x416xf32>) outs(%f2 : tensor<416xf32>) -> tensor<416xf32>
  return %z : tensor<416xf32>
}
