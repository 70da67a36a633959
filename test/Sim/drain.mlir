// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=16 unroll=1" >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// Sums of rows: a row is one token of 16 floats, its sum a tree of four levels of adders and one
// adder more for the initial value. The sums are drained as one token when all are there,
// by a second nest of the leaf.
//
//   load   enters at 2, writes the first row at 79
//   op     reads row k at 80 + k, the last at 87; token 1, five sums of 6, write of a register 1:
//          depth 32, the sums are there at 119; the drain issues then and writes at stage 1: 120
//   store  reads at 121; 1 + 7: over at 129
// CHECK: {{(^|: )}}129 cycles

func.func @main(%x: tensor<8x16xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %y : tensor<8xf32>
}
