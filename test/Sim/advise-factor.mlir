// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --advise --json | FileCheck %s

// What cannot be asked is no advice: 81 words an interface moves in threes, not in pairs, and 35 in neither. With the
// first in threes the second ends last: it enters at 2, 34 iterations follow, a word arrives 77 cycles later and is
// taken in the next, 114.
// CHECK: "advice": {
// CHECK-NEXT: "trials": [
// CHECK-NEXT: {
// CHECK-NEXT: "cycles": 115,
// CHECK: "what_if": [
// CHECK-NEXT: "port x bits=x3"
// CHECK-NEXT: ]
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "untried": 0

dataflow.design @thirds {
  %x = dataflow.port in "x" : !dataflow.port<81x16xf32>
  %y = dataflow.port in "y" : !dataflow.port<35x16xf32>
  %xs = dataflow.stream "xs" : !dataflow.stream<f32, 2>
  %ys = dataflow.stream "ys" : !dataflow.stream<f32, 2>
  dataflow.leaf "by_three" load [81] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<81x16xf32> -> vector<1x16xf32>
    %w = vector.extract %v[0, 0] : f32 from vector<1x16xf32>
    dataflow.stream_write %w, %xs when affine_set<(i) : (i - 80 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "by_five" load [35] {
  ^bb0(%i: index):
    %v = dataflow.load %y affine_map<(i) -> (i, 0)> : !dataflow.port<35x16xf32> -> vector<1x16xf32>
    %w = vector.extract %v[0, 0] : f32 from vector<1x16xf32>
    dataflow.stream_write %w, %ys when affine_set<(i) : (i - 34 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %xs : !dataflow.stream<f32, 2> -> f32
    %w = dataflow.stream_read %ys : !dataflow.stream<f32, 2> -> f32
  }
}
