// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | FileCheck %s

// Five lanes of a memory in four banks: two of them lie in one bank, so that a load occupies a port of that bank
// twice. Block RAM has two ports a bank: the fill's one store fits into a cycle, the two loads of `use` take two.

// CHECK: dataflow.leaf "fill"
// CHECK-SAME: ii = 1 : i64}
// CHECK: dataflow.leaf "use"
// CHECK-SAME: ii = 2 : i64, limit = "accesses to a bank of block with 2 ports"
dataflow.design @bank_ports {
  %in = dataflow.stream "in" : !dataflow.stream<vector<5xf32>, 2>
  %out = dataflow.stream "out" : !dataflow.stream<vector<5xf32>, 2>
  %block = dataflow.buffer "block" blocks 2 {storage = #dataflow.storage<bram partition [4] ports 2 read 2 write 1>} : !dataflow.buffer<4096xf32>
  dataflow.leaf "make" pad [16] {
  ^bb0(%i: index):
    %v = arith.constant dense<1.0> : vector<5xf32>
    dataflow.stream_write %v, %in : vector<5xf32>, !dataflow.stream<vector<5xf32>, 2>
  }
  dataflow.leaf "fill" fill [16] writes(%block at 1 : !dataflow.buffer<4096xf32>) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %in : !dataflow.stream<vector<5xf32>, 2> -> vector<5xf32>
    dataflow.store %v, %block affine_map<(d0) -> (0)> : vector<5xf32>, !dataflow.buffer<4096xf32>
  }
  dataflow.leaf "use" compute [16] reads(%block at 1 : !dataflow.buffer<4096xf32>) {
  ^bb0(%i: index):
    %v = dataflow.load %block affine_map<(d0) -> (0)> : !dataflow.buffer<4096xf32> -> vector<5xf32>
    %w = dataflow.load %block affine_map<(d0) -> (8)> : !dataflow.buffer<4096xf32> -> vector<5xf32>
    %s = arith.addf %v, %w : vector<5xf32>
    dataflow.stream_write %s, %out : vector<5xf32>, !dataflow.stream<vector<5xf32>, 2>
  }
  dataflow.leaf "take" compute [16] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %out : !dataflow.stream<vector<5xf32>, 2> -> vector<5xf32>
  }
}
