// y = A x with 256 lanes: 15 rows at once, in halves of words over 30 masters. x comes for each 15 of 720 rows, 48 times
// 1,024 bytes, for which its channel of 53.12 bytes a cycle needs 925 cycles; the product has 768 iterations. So x is
// read once, and the product holds it.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=256 decision=rules stop-after=fuse" --device=%devices/u55c.json | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=256 decision=rules stop-after=size" --device=%devices/u55c.json -o %t
// RUN: FileCheck %s --check-prefix=SIZED <%t
// RUN: streamtensor-sim --json <%t | FileCheck %s --check-prefix=CYCLES
// The same results as before, at every level.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=256 decision=rules stop-after=size" --device=%devices/u55c.json --validate -o /dev/null

// CHECK: %[[X:.*]] = itensor.from_tensor %{{.*}} : tensor<256xf32> -> <16xf32, iter_space: [16] * [16], iter_map: (d0) -> (d0)>
// CHECK: itensor.converter %[[X]] : {{.*}} to <16xf32, iter_space: [48, 16] * [1, 16], iter_map: (d0, d1) -> (d1)>

// SIZED-COUNT-30: dataflow.interface "gmem_a_s{{[0-9]+}}"
// SIZED-NOT: dataflow.interface "gmem_a
// SIZED: dataflow.leaf "a_load" load [48, 16] {{.*}}ii = 1
// SIZED: words = #dataflow.words<count = 1, lanes = 8

// 768 iterations and 48 sums behind them, 83 cycles in front of the first (memory answers after 77), 91 behind the last.
// With x from memory again and again, and 16 channels for A, it would be 1,134.
// CYCLES: "cycles": 990,
func.func @main(%a: tensor<720x256xf32> {streamtensor.name = "a"}, %x: tensor<256xf32> {streamtensor.name = "x"}) -> tensor<720xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<720xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<720xf32>) -> tensor<720xf32>
  %y = linalg.matvec ins(%a, %x : tensor<720x256xf32>, tensor<256xf32>) outs(%f : tensor<720xf32>) -> tensor<720xf32>
  return %y : tensor<720xf32>
}
