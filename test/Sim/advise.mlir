// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --advise | FileCheck %s
// RUN: streamtensor-sim %t --advise --json | FileCheck %s --check-prefix=JSON
// RUN: streamtensor-sim %t --what-if "task left lanes=x2" --what-if "task right lanes=x2" | FileCheck %s --check-prefix=PAIR
// RUN: streamtensor-sim %t --what-if "task left lanes=x2" --advise | FileCheck %s --check-prefix=NEXT

// Two sums of 16, each with an interval of 9, whose results meet: their iterations issue at 4, ..., 139, the last ends at
// 148. Neither is faster alone: with twice its lanes it ends 71 cycles earlier, and waits for the other.
// So they are tried as a pair too, and the other parts gain nothing.
// CHECK: {{^}}task left lanes=x2 and task right lanes=x2: 77 cycles, gains 47.97 % (+4 DSP, +428 LUT)
// CHECK-NOT: gains
// CHECK: {{^}}3 others gain nothing
// CHECK: {{^}}148 cycles

// JSON: "advice": {
// JSON-NEXT: "trials": [
// JSON: "cycles": 77,
// JSON: "resources": {
// JSON: "what_if": [
// JSON-NEXT: "task left lanes=x2",
// JSON-NEXT: "task right lanes=x2"

// PAIR: 148 cycles before, 77 then: -47.97 %

// What was asked for is no proposal any more.
// NEXT: 148 cycles before, 148 then: 0.00 %
// NEXT: {{^}}task right lanes=x2: 77 cycles, gains 47.97 %
// NEXT-NOT: task left lanes
// NEXT: {{^}}148 cycles

dataflow.design @sums {
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 2>
  %x = dataflow.stream "x" : !dataflow.stream<f32, 2>
  %y = dataflow.stream "y" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [16] {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "left" compute [16] {
  ^bb0(%i: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
    %before = dataflow.load %acc affine_map<(d0) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0) : (d0 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %x when affine_set<(d0) : (d0 - 15 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "right" compute [16] {
  ^bb0(%i: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %b : !dataflow.stream<f32, 2> -> f32
    %before = dataflow.load %acc affine_map<(d0) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0) : (d0 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %y when affine_set<(d0) : (d0 - 15 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %x : !dataflow.stream<f32, 2> -> f32
    %w = dataflow.stream_read %y : !dataflow.stream<f32, 2> -> f32
  }
}
