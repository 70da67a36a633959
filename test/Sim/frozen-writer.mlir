// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-sim %t --device %devices/u55c.json --json | FileCheck %s --check-prefix=ENDS

// `fork` writes each value at stage 1 and its square, three cycles of product later, at stage 3.
// The reader of the values takes one every seven cycles: its FIFO of two slots fills up, and a
// fork that cannot write at stage 1 holds back the squares at stage 3 too.
//
//   fork   issues from 2 on; its k-th cycle that is not frozen is tick k, tick 0 at 2. Value k is
//          written at tick k + 1: values 0, 1, 2 at 3, 4, 5 (the first slot is free again at 5).
//          Value 3 waits for the slot of value 1, which is read at 4 + 7 = 11: tick 4 is cycle
//          12, and from then on a tick takes 7 cycles: value 7 is written at tick 8, cycle 40.
//          Square k is written at tick k + 3: the first before the freeze, 1 to 5 with values 3 to
//          7, the last two at 41 and 42: nothing stops them any more
//   squares   reads the last at 43, depth 2: over at 45
//   values    reads value k at 4 + 7 k, the last at 53, and goes on for six more iterations: the
//          last issues at 59; depth 2: over at 61
// CHECK: {{(^|: )}}61 cycles
// ENDS: "end": 45,
// ENDS: "name": "squares"
// ENDS: "end": 61,
// ENDS: "name": "values"

dataflow.design @frozen_writer {
  %value = dataflow.stream "value" : !dataflow.stream<f32, 2>
  %square = dataflow.stream "square" : !dataflow.stream<f32, 2>
  dataflow.leaf "fork" pad [8] {
  ^bb0(%i: index):
    %v = arith.constant 3.0 : f32
    %w = arith.mulf %v, %v : f32
    dataflow.stream_write %v, %value : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %w, %square : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "squares" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %square : !dataflow.stream<f32, 2> -> f32
    %w = arith.negf %v : f32
  }
  dataflow.leaf "values" compute [8, 7] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %value when affine_set<(d0, d1) : (d1 == 0)> : !dataflow.stream<f32, 2> -> f32
    %w = arith.negf %v : f32
  }
}
