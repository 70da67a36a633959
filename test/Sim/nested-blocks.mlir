// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=8 unroll=8 decision=rules" >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A matrix product: the right operand is filled half by half, beside the products of the half before; the
// sums stand in a block that is full at the end. Eight lanes, one element of the left operand a cycle.
//
//   arg1_load   enters at 2, writes its first word at 79; the 33rd, of the second half, starts a burst and
//               comes 5 cycles late
//   op          one pipeline: a fill of 32 iterations, then twice 256, the next fill beside the first of them.
//               Reads the first word at 80; at 112 it waits 5 cycles for the 33rd. The 544th iteration issues
//               at 80 + 543 + 5 = 628, depth 11 (product 3, sum 6, token 1, write 1): over at 639. The left
//               operand's FIFO has the slots that hide the jumps of its load
//   drain       1 (swap), 32 rows: the last issues at 639 + 1 + 31 = 671; a read of LUTRAM (1) and
//               three levels of sums (6 each) later it is written, at 690
//   store       reads at 691; 1 + 7: over at 699
// CHECK: {{(^|: )}}699 cycles

func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %m : tensor<16x16xf32>
}
