// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --advise | FileCheck %s

// Three sums of 16 at an interval of 9 whose results meet, as in advise.mlir: no two of them make the design faster, all
// three end 71 cycles earlier.
// CHECK: {{^}}task left lanes=x2 and task middle lanes=x2 and task right lanes=x2: 77 cycles, gains 47.97 % (+6 DSP, +642 LUT)
// CHECK-NOT: gains
// CHECK: {{^}}4 others gain nothing
// CHECK: {{^}}148 cycles

dataflow.design @sums {
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 2>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 2>
  %x = dataflow.stream "x" : !dataflow.stream<f32, 2>
  %y = dataflow.stream "y" : !dataflow.stream<f32, 2>
  %z = dataflow.stream "z" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [16] {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %v, %c : f32, !dataflow.stream<f32, 2>
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
  dataflow.leaf "middle" compute [16] {
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
  dataflow.leaf "right" compute [16] {
  ^bb0(%i: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %c : !dataflow.stream<f32, 2> -> f32
    %before = dataflow.load %acc affine_map<(d0) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0) : (d0 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %z when affine_set<(d0) : (d0 - 15 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [1] {
  ^bb0(%i: index):
    %u = dataflow.stream_read %x : !dataflow.stream<f32, 2> -> f32
    %v = dataflow.stream_read %y : !dataflow.stream<f32, 2> -> f32
    %w = dataflow.stream_read %z : !dataflow.stream<f32, 2> -> f32
  }
}
