// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// Boxes of 2 x 2 x 1 floats: four words of one float, at the first, 3, 12 and 15 floats behind it. Only where half of the
// tensor is complete does the first word of a box go on where the last of the box before ended: 23, then 24.
//
//   load   four words an access: interval 4. It enters at 2. Iteration 6 starts three bursts (15 cycles), the ten others
//          behind the first four each (20): the last issues at 2 + 11 x 4 + 10 x 20 + 15 = 261, its fourth word arrives
//          and is written 77 + 3 cycles later, at 341
//   store  reads at 342, and is over at 350
// CHECK: {{(^|: )}}350 cycles

dataflow.design @pieces {
  %in = dataflow.port in "x" : !dataflow.port<4x4x3xf32>
  %out = dataflow.port out "y" : !dataflow.port<12x4xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<4xf32>, 2>
  dataflow.leaf "load" load [2, 2, 3] {
  ^bb0(%k: index, %i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1, d2) -> (d0 * 2, d1 * 2, d2)> : !dataflow.port<4x4x3xf32> -> vector<2x2x1xf32>
    %w = vector.shape_cast %v : vector<2x2x1xf32> to vector<4xf32>
    dataflow.stream_write %w, %fifo : vector<4xf32>, !dataflow.stream<vector<4xf32>, 2>
  }
  dataflow.leaf "store" store [12] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<4xf32>, 2> -> vector<4xf32>
    %w = vector.shape_cast %v : vector<4xf32> to vector<1x4xf32>
    dataflow.store %w, %out affine_map<(d0) -> (d0, 0)> : vector<1x4xf32>, !dataflow.port<12x4xf32>
  }
}
