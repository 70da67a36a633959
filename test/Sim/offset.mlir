// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A part of a tensor, 64 words of 64 bytes from byte 2,048 on: it crosses 4 KiB behind 32 of them. The second burst
// could follow 32 + 5 cycles after the first; but the channel gives 53.12 bytes in a cycle, 2,048 in 38.6.
//
//   load   enters at 2 and has the channel until 40.6: the 33rd word issues at 40, the 64th at 71, written 77 later
//   store  reads at 149, and is over 1 + 7 cycles later
// CHECK: {{(^|: )}}157 cycles

dataflow.design @part {
  %in = dataflow.port in "x" : !dataflow.port<2048xf32>
  %out = dataflow.port out "y" : !dataflow.port<1024xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<16xf32>, 2>
  dataflow.leaf "load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0 * 16 + 512)> : !dataflow.port<2048xf32> -> vector<16xf32>
    dataflow.stream_write %v, %fifo : vector<16xf32>, !dataflow.stream<vector<16xf32>, 2>
  }
  dataflow.leaf "store" store [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<16xf32>, 2> -> vector<16xf32>
    dataflow.store %v, %out affine_map<(d0) -> (d0 * 16)> : vector<16xf32>, !dataflow.port<1024xf32>
  }
}
