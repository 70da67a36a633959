// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | sed 's/gap = 5> on %hbm[0-9]*/gap = 1>/' >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s

// As in address-jump.mlir, every word but the first starts a burst of its own; with a gap of one cycle between bursts,
// and no channel that moves their bytes, each of 15 iterations takes two. The last word is asked for at 2 + 30 and
// written 77 later, at 109, read at 110 and stored 1 + 7 cycles later.
// CHECK: {{(^|: )}}118 cycles
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
