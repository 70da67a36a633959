// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A row of 32 floats over two interfaces of 512 bits is one beat of both; in one interface it would be two. Each
// stripe is 128 words of 64 bytes: a burst ends after 64 of them, and its channel gives one every 77.1 cycles.
//
//   load   enters at 2 and has its channels until 79.1: the 65th row issues at 79, the last of 128 at 142, is
//          there 77 later and written to the FIFO at 219
//   store  reads it at 221 (RAM: more than 1,024 bits), over at 221 + 1 + 7 = 229
// CHECK: {{(^|: )}}229 cycles

dataflow.design @striped {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %k = dataflow.interface "k" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %l = dataflow.interface "l" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %in = dataflow.port in "x" via %g, %h : !dataflow.port<128x32xf32>
  %out = dataflow.port out "y" via %k, %l : !dataflow.port<128x32xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<32xf32>, 16>
  dataflow.leaf "load" load [128] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0, 0)> : !dataflow.port<128x32xf32> -> vector<1x32xf32>
    %w = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %w, %fifo : vector<32xf32>, !dataflow.stream<vector<32xf32>, 16>
  }
  dataflow.leaf "store" store [128] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<32xf32>, 16> -> vector<32xf32>
    %w = vector.shape_cast %v : vector<32xf32> to vector<1x32xf32>
    dataflow.store %w, %out affine_map<(d0) -> (d0, 0)> : vector<1x32xf32>, !dataflow.port<128x32xf32>
  }
}
