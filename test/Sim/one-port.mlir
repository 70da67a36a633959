// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// Two reads of one port in an iteration are two words: interval 2. Each of the two goes through
// memory in order, and so starts no burst of its own.
//
//   load   enters at 2; 7 x 2 cycles later the last of 8 iterations issues at 16; both values are
//          there 77 later, their sum (6) at 99
//   store  reads it at 100; 1 + 7: over at 108
// CHECK: {{(^|: )}}108 cycles

dataflow.design @one_port {
  %in = dataflow.port in "x" : !dataflow.port<16xf32>
  %out = dataflow.port out "y" : !dataflow.port<8xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0)> : !dataflow.port<16xf32> -> f32
    %w = dataflow.load %in affine_map<(d0) -> (d0 + 8)> : !dataflow.port<16xf32> -> f32
    %sum = arith.addf %v, %w : f32
    dataflow.stream_write %sum, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
