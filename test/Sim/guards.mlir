// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// A token is taken in one of four iterations and used in all; one is given in the last of four.
//
//   load    enters at 2, writes its first token at 79
//   repeat  reads it at 80 and a new one every fourth cycle: 32 iterations issue from 80 to 111,
//           the last token is written a cycle later, at 112
//   last    reads it at 113, gives every fourth: 114
//   store   reads it at 115; 1 + 7: over at 123
// CHECK: {{(^|: )}}123 cycles

#first = affine_set<(d0, d1) : (d1 == 0)>
#last = affine_set<(d0, d1) : (d1 - 3 == 0)>
dataflow.design @guards {
  %in = dataflow.port in "x" : !dataflow.port<8xf32>
  %out = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 2>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "repeat" compute [8, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %a when #first : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "last" compute [8, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %c when #last : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
