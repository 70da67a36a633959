// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --streamtensor-size-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file %t/hls/rows.cpp

// Loops with counts of the launch become one, with a counter for each that goes round; one that makes a single trip has
// neither counter nor comparison.
// CHECK-LABEL: void copy(
// CHECK-NOT: i1
// CHECK: for ({{.*}} ++iteration)
// CHECK-NOT: i1
// CHECK-LABEL: void store(
// CHECK: extern "C"

dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<32xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xf32>
  %n = dataflow.scalar "n" from 1 to 8 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4, 8] counts affine_map<()[s0] -> (4, s0)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j)[s0] -> (i * 8 + j)> : !dataflow.port<32xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "copy" compute [4, 1, 8] counts affine_map<()[s0] -> (4, 1, s0)> (%n) {
  ^bb0(%i: index, %one: index, %j: index):
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4, 8] counts affine_map<()[s0] -> (4, s0)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i, j)[s0] -> (i * 8 + j)> : f32, !dataflow.port<32xf32>
  }
}
