// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A column of two floats, then the next one: of the two pieces of an access the first goes on
// where the access before ended only when a row of pairs is complete.
//
//   load   two words an access: interval 2. It enters at 2. Iterations 1 and 2 start two bursts
//          each (10 cycles), 3 goes on at 6 after 5 and starts one (5), 4 and 5 two again:
//          the last of six issues at 2 + 5 x 2 + 4 x 10 + 5 = 57, its second word arrives
//          and is written 77 + 1 cycles later, at 135
//   store  reads at 136, and is over at 144
// CHECK: {{(^|: )}}144 cycles

dataflow.design @pieces {
  %in = dataflow.port in "x" : !dataflow.port<4x3xf32>
  %out = dataflow.port out "y" : !dataflow.port<6x2xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<2xf32>, 2>
  dataflow.leaf "load" load [2, 3] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0 * 2, d1)> : !dataflow.port<4x3xf32> -> vector<2x1xf32>
    %w = vector.shape_cast %v : vector<2x1xf32> to vector<2xf32>
    dataflow.stream_write %w, %fifo : vector<2xf32>, !dataflow.stream<vector<2xf32>, 2>
  }
  dataflow.leaf "store" store [2, 3] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<2xf32>, 2> -> vector<2xf32>
    %w = vector.shape_cast %v : vector<2xf32> to vector<1x2xf32>
    dataflow.store %w, %out affine_map<(d0, d1) -> (d0 * 3 + d1, 0)> : vector<1x2xf32>, !dataflow.port<6x2xf32>
  }
}
