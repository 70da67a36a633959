// A task of 256 lanes uses a tile of weights in one iteration: its load brings all 16 rows at once, a word from each
// of half of the masters, and the task takes them as they come. Both weights pass once, so they share the masters, one
// after the other.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=optimise" --device=%devices/u55c.json | FileCheck %s --check-prefix=LANES
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=size" --device=%devices/u55c.json | FileCheck %s
// With 16 lanes in each task, a row at a time is enough.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=32 decision=rules stop-after=size" --device=%devices/u55c.json | FileCheck %s --check-prefix=NARROW

// LANES-COUNT-2: itensor.from_tensor %{{.*}} packed {dataflow.lanes = array<i64: 256>} : tensor<4x4x16x16xf32>

// CHECK-COUNT-16: dataflow.interface "gmem_{{a|b}}_and_1_s{{[0-9]+}}"
// CHECK-NOT: dataflow.interface "gmem_{{a|b}}_and_1_s
// CHECK: dataflow.leaf "{{a|b}}_load_and_1" load []
// CHECK: dataflow.nest "a_load" [4, 4] {{.*}}ii = 1
// CHECK: dataflow.load {{.*}}vector<1x1x16x16xf32>
// CHECK: dataflow.nest "b_load" [4, 4] {{.*}}ii = 1
// CHECK: dataflow.leaf "op" compute
// CHECK: dataflow.nest "core" [4, 4]
// CHECK-NOT: fill

// NARROW: dataflow.leaf "a_load" load [4, 4, 16]
// NARROW: dataflow.leaf "b_load" load [4, 4, 16]
func.func @main(%x: tensor<64xf32> {streamtensor.name = "x"}, %a: tensor<64x64xf32> {streamtensor.name = "a"},
                %b: tensor<64x64xf32> {streamtensor.name = "b"}) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.matvec ins(%a, %x : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %z = linalg.matvec ins(%b, %y : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  return %z : tensor<64xf32>
}
