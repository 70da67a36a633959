// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --streamtensor-size-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file %t/hls/two_taps.cpp

// One iteration meets what was written 40 and 20 iterations before. A pipeline may rely on no more than the nearest,
// whichever load comes first.
// CHECK-LABEL: void far_first(
// CHECK: #pragma HLS dependence variable=local type=inter direction=RAW distance=20 dependent=true
// CHECK-LABEL: void near_first(
// CHECK: #pragma HLS dependence variable=local type=inter direction=RAW distance=20 dependent=true

dataflow.design @two_taps {
  %x = dataflow.port in "x" : !dataflow.port<160xf32>
  %y = dataflow.port out "y" : !dataflow.port<160xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  dataflow.leaf "far_first" compute [160] {
  ^bb0(%i: index, %m: !dataflow.private<40xf32>):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<160xf32> -> f32
    %far = dataflow.load %m affine_map<(i) -> (i mod 40)> : !dataflow.private<40xf32> -> f32
    %near = dataflow.load %m affine_map<(i) -> ((i + 20) mod 40)> : !dataflow.private<40xf32> -> f32
    %older = arith.addf %v, %far : f32
    %sum = arith.addf %older, %near : f32
    dataflow.store %sum, %m affine_map<(i) -> (i mod 40)> : f32, !dataflow.private<40xf32>
    dataflow.stream_write %sum, %a : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "near_first" compute [160] {
  ^bb0(%i: index, %m: !dataflow.private<40xf32>):
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %near = dataflow.load %m affine_map<(i) -> ((i + 20) mod 40)> : !dataflow.private<40xf32> -> f32
    %far = dataflow.load %m affine_map<(i) -> (i mod 40)> : !dataflow.private<40xf32> -> f32
    %older = arith.addf %v, %far : f32
    %sum = arith.addf %older, %near : f32
    dataflow.store %sum, %m affine_map<(i) -> (i mod 40)> : f32, !dataflow.private<40xf32>
    dataflow.store %sum, %y affine_map<(i) -> (i)> : f32, !dataflow.port<160xf32>
  }
}
