// A FIFO of 4,096 rows of 512 bits in URAM, of which a die has room for 6 here, and it takes 8: no die holds it. In block RAM
// it takes 58 of the 600 of a die. Where dies have room for it in URAM, it stays there.
// RUN: streamtensor-opt %s %u55c --streamtensor-pipeline=stop-after=stream --streamtensor-schedule-phase \
// RUN:   | sed '/a_fifo/s/<vector<16xf32>>/<vector<16xf32>, 4096>/g; s/stream "a_fifo"/stream "a_fifo" {latency = 2 : i64, memory = #dataflow.memory<uram>}/' > %t
// RUN: sed 's/uram = 320/uram = 8/g' %t | streamtensor-opt --dataflow-assign-dies | FileCheck %s
// RUN: streamtensor-opt %t --dataflow-assign-dies | FileCheck %s --check-prefix=ROOM

// CHECK: dataflow.stream "a_fifo" {latency = 2 : i64, memory = #dataflow.memory<bram>} : <vector<16xf32>, 4096>
// CHECK: dataflow.leaf "a_load" {{.*}} die = "SLR0"
// ROOM: dataflow.stream "a_fifo" {latency = 2 : i64, memory = #dataflow.memory<uram>} : <vector<16xf32>, 4096>

func.func @main(%a: tensor<16x32xf32> {streamtensor.name = "a"}, %b: tensor<32x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x16xf32>)
                     outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
