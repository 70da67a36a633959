// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --scalar rows=5 | FileCheck %s
// RUN: streamtensor-test-sim %t --scalar rows=5 | FileCheck %s --check-prefix=STEPS
// RUN: streamtensor-sim %t | FileCheck %s --check-prefix=LARGEST
// RUN: streamtensor-test-sim %t | FileCheck %s --check-prefix=LARGEST
// RUN: streamtensor-sim %t --scalar rows=5 --json | FileCheck %s --check-prefix=JSON
// RUN: not streamtensor-sim %t --scalar rows=9 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not streamtensor-sim %t --scalar row=1 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not streamtensor-sim %t --scalar rows 2>&1 | FileCheck %s --check-prefix=FORM

// Cycles are those of the numbers that a launch gives, else of the largest. With 5 rows of 4 and two in a token of the
// result:
//
//   load    enters at 2, writes its first token at 79 and its 20th at 98
//   pairs   reads it at 99 and gives a pair with every second token, a cycle later: 100
//   store   reads it at 101; 1 + 7: over at 109
//
// With 8 rows there are 12 tokens more: over at 121.
// CHECK: rows = 5{{$}}
// CHECK: {{^}}109 cycles
// STEPS: pairs: 109 cycles
// LARGEST: {{(^|: )}}121 cycles
// JSON: "scalars": {
// JSON-NEXT: "rows": 5
// BEYOND: [launch.scalars] scalar 'rows' of design 'pairs' is 9; it must lie between 1 and 8
// NAME: [launch.scalars] no design has a scalar 'row'; there are: rows
// FORM: error: 'rows' is no value of a scalar: NAME=NUMBER

dataflow.design @pairs {
  %in = dataflow.port in "x" : !dataflow.port<8x4xf32>
  %out = dataflow.port out "y" : !dataflow.port<8x2xf32>
  %rows = dataflow.scalar "rows" from 1 to 8 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [8, 4] counts affine_map<()[s0] -> (s0, 4)> (%rows) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<8x4xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "pairs" compute [16, 2] counts affine_map<()[s0] -> (s0 * 2, 2)> (%rows) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %b when affine_set<(d0, d1) : (d1 - 1 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8, 2] counts affine_map<()[s0] -> (s0, 2)> (%rows) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<8x2xf32>
  }
}
