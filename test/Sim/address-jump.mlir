// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// The left and then the right half of a matrix of 8 x 32 floats: a word of 512 bits is half a
// row, and every one but the first starts a burst of its own, five cycles later than it could.
//
//   load   enters at 2; 15 iterations follow, 1 + 5 cycles each: the last issues at 92 and
//          writes at 92 + 77 = 169
//   store  reads at 170 and is over 1 + 7 cycles later, at 178; its own words lie one after the
//          other within 1 KiB and cost nothing
// CHECK: {{(^|: )}}178 cycles

dataflow.design @address_jump {
  %in = dataflow.port in "x" : !dataflow.port<8x32xf32>
  %out = dataflow.port out "y" : !dataflow.port<16x16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<16xf32>, 2>
  dataflow.leaf "load" load [2, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d1, d0 * 16)> : !dataflow.port<8x32xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %fifo : vector<16xf32>, !dataflow.stream<vector<16xf32>, 2>
  }
  dataflow.leaf "store" store [2, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<16xf32>, 2> -> vector<16xf32>
    %w = vector.shape_cast %v : vector<16xf32> to vector<1x16xf32>
    dataflow.store %w, %out affine_map<(d0, d1) -> (d0 * 8 + d1, 0)> : vector<1x16xf32>, !dataflow.port<16x16xf32>
  }
}
