// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A leaf gives %x as it comes, at stage 1, and a product of it at stage 4, and names the product first. What counts is
// the stage: "other" has %x in time, and both ways to "join" are equally long.
//
//   give   enters at 2 and writes its first token at 3
//   two    reads it at 4, writes %x at 5 and the product at 4 + 4 = 8
//   other  reads %x at 6 and writes its product at 6 + 4 = 10
//   join   reads both at 11, the last pair at 18, and is over at 19
// CHECK: {{(^|: )}}19 cycles

dataflow.design @stages {
  %s = dataflow.stream "s" : !dataflow.stream<f32, 4>
  %x = dataflow.stream "x" : !dataflow.stream<f32, 4>
  %p = dataflow.stream "p" : !dataflow.stream<f32, 8>
  %q = dataflow.stream "q" : !dataflow.stream<f32, 4>
  dataflow.leaf "give" compute [8] {
  ^bb0(%i: index):
    %c = arith.constant 1.5 : f32
    dataflow.stream_write %c, %s : f32, !dataflow.stream<f32, 4>
  }
  dataflow.leaf "two" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s : !dataflow.stream<f32, 4> -> f32
    %w = arith.mulf %v, %v : f32
    dataflow.stream_write %w, %p : f32, !dataflow.stream<f32, 8>
    dataflow.stream_write %v, %x : f32, !dataflow.stream<f32, 4>
  }
  dataflow.leaf "other" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %x : !dataflow.stream<f32, 4> -> f32
    %w = arith.mulf %v, %v : f32
    dataflow.stream_write %w, %q : f32, !dataflow.stream<f32, 4>
  }
  dataflow.leaf "join" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %p : !dataflow.stream<f32, 8> -> f32
    %w = dataflow.stream_read %q : !dataflow.stream<f32, 4> -> f32
  }
}
