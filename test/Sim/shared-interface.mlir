// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// Two tensors through one interface: two words in an iteration, an interval of 2. The second row of `x` lies
// behind a jump, and so does that of `y`: two bursts begin in iteration 4 and share the way, so their gaps add,
// 2 x 5, of which the words of the iteration leave none hidden.
//
//   load   enters at 2; 7 x 2 + 10 later the last of 8 iterations issues at 26; both values are there 77 later,
//          their sum (6) at 109
//   store  reads it at 110; 1 + 7: over at 118
// CHECK: {{(^|: )}}118 cycles

dataflow.design @shared {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<2x8xf32>
  %y = dataflow.port in "y" via %g : !dataflow.port<2x8xf32>
  %out = dataflow.port out "z" via %g : !dataflow.port<8xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [2, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<2x8xf32> -> f32
    %w = dataflow.load %y affine_map<(i, j) -> (i, j)> : !dataflow.port<2x8xf32> -> f32
    %sum = arith.addf %v, %w : f32
    dataflow.stream_write %sum, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
