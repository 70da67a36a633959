// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --streamtensor-size-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file %t/hls/rows.cpp

// Vitis flattens a nest of which the outermost bound alone is known at run time. It keeps its loops: a burst is inferred
// from an address in their indices, not in counters.
// CHECK-LABEL: void load(
// CHECK-NEXT: #pragma HLS inline off
// CHECK-NEXT:   const int i0_count = st::ceil_div(n, 4) * 2;
// CHECK-NEXT: load_i0:
// CHECK-NEXT:   for (int i0 = 0; i0 < i0_count; ++i0) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=4
// CHECK-NEXT: load_i1:
// CHECK-NEXT:     for (int i1 = 0; i1 < 8; ++i1) {
// CHECK-NEXT: #pragma HLS loop_flatten
// CHECK-NEXT: #pragma HLS pipeline II=1 style=flp
// CHECK-NEXT:       const float x_word = x[i0 * 8 + i1];

// So do the nests of a leaf.
// CHECK-LABEL: void copy(
// CHECK: const int first_i1_count = st::ceil_div(n, 4);
// CHECK: for (int first_i1 = 0; first_i1 < first_i1_count; ++first_i1) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=2
// CHECK: for (int first_i2 = 0; first_i2 < 8; ++first_i2) {
// CHECK-NEXT: #pragma HLS loop_flatten
// CHECK-LABEL: extern "C"

dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<32xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xf32>
  %n = dataflow.scalar "n" from 1 to 8 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [4, 8] counts affine_map<()[s0] -> ((s0 ceildiv 4) * 2, 8)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j)[s0] -> (i * 8 + j)> : !dataflow.port<32xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "copy" compute [2] counts affine_map<()[s0] -> (2)> (%n) {
  ^bb0(%k: index):
    dataflow.nest "first" [2, 8] counts affine_map<()[s0] -> (s0 ceildiv 4, 8)> {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %y affine_map<(k, i, j)[s0] -> (k * 16 + i * 8 + j)> : f32, !dataflow.port<32xf32>
    }
  }
}
