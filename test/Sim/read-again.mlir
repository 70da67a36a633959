// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// Eight words of 512 bits, read six times: each time but the first starts a burst of its own, five
// cycles later than it could.
//
//   load   enters at 2; 47 iterations follow, of which 5 wait for 5 cycles: the last issues at 74
//          and writes at 74 + 77 = 151
//   store  reads at 152 and is over 1 + 7 cycles later, at 160; its own words lie one after the
//          other within 4 KiB and cost nothing
// CHECK: {{(^|: )}}160 cycles

dataflow.design @read_again {
  %in = dataflow.port in "x" : !dataflow.port<8x16xf32>
  %out = dataflow.port out "y" : !dataflow.port<48x16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<16xf32>, 2>
  dataflow.leaf "load" load [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d1, 0)> : !dataflow.port<8x16xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %fifo : vector<16xf32>, !dataflow.stream<vector<16xf32>, 2>
  }
  dataflow.leaf "store" store [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<16xf32>, 2> -> vector<16xf32>
    %w = vector.shape_cast %v : vector<16xf32> to vector<1x16xf32>
    dataflow.store %w, %out affine_map<(d0, d1) -> (d0 * 8 + d1, 0)> : vector<1x16xf32>, !dataflow.port<48x16xf32>
  }
}
