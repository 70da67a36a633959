// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=8 unroll=8" >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A matrix product: the right operand stands in a block for the two trips that use it, the sums in
// one that is full at the end. Eight lanes, one element of the left operand a cycle.
//
//   arg1_load   enters at 2, writes its first word at 79
//   fill        reads it at 80, the block's 32nd at 111; depth 2: full at 113
//   op          two trips of 256 iterations: 1 (swap) + 255 + 11 (depth: product 3, sum 6, token 1,
//               write 1) = 267 cycles each: over at 113 + 2 x 267 = 647. The left operand's FIFO has
//               the slots that hide the jumps of its load, so op never waits within a trip
//   drain       1 (swap), 32 rows: the last issues at 647 + 1 + 31 = 679; a read of LUTRAM (1) and
//               three levels of sums (6 each) later it is written, at 698
//   store       reads at 699; 1 + 7: over at 707
// CHECK: {{(^|: )}}707 cycles

func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %m : tensor<16x16xf32>
}
