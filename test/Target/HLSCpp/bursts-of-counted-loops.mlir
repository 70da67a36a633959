// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --streamtensor-size-phase -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir --check-prefix IR
// RUN: streamtensor-translate %t.mlir --output-dir %t
// RUN: FileCheck %s --input-file %t/hls/rows.cpp
// RUN: sed 's/, request = 1>/>/' %t.mlir > %t.bursts.mlir
// RUN: not streamtensor-translate %t.bursts.mlir --output-dir %t.bursts 2>&1 | FileCheck %s --check-prefix BURSTS

// Vitis infers no bursts from counters, in a branch, or from what is no sum of indices: each iteration asks for its own
// words then. Where runs are long, the loops around them are not flattened with them, and fill the pipeline anew.

// IR: dataflow.leaf "short" load [4, 8]
// IR-SAME: {depth
// IR: dataflow.load %x {{.*}}burst = 2, outstanding = 14, request = 1>
// IR: dataflow.leaf "long" load [4, 32]
// IR-SAME: serial = 1
// IR: dataflow.load %w {{.*}}burst = 32, outstanding = 4>
// IR: dataflow.leaf "first" store [4, 8]
// IR: dataflow.store {{.*}}burst = 2, outstanding = 3, request = 1>

// CHECK-LABEL: void short_1(
// CHECK: for (int iteration = 0; iteration < 4 * n; ++iteration) {
// CHECK-LABEL: void long_1(
// CHECK: for (int i0 = 0; i0 < 4; ++i0) {
// CHECK: for (int i1 = 0; i1 < i1_count; ++i1) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=32
// CHECK-NEXT: #pragma HLS loop_flatten off
// CHECK-NEXT: #pragma HLS pipeline II=1
// CHECK-LABEL: extern "C" void rows(
// CHECK: port=x bundle=gmem_x {{.*}}max_read_burst_length=2 num_read_outstanding=14

// BURSTS: error: 'dataflow.load' op states bursts of 2 words, but Vitis infers none over iterations from its C++
// BURSTS-SAME: an iteration asks for 1 at most; state 'request = 1' in 'words'

dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<32xf32>
  %w = dataflow.port in "w" : !dataflow.port<128xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %z = dataflow.port out "z" : !dataflow.port<128xf32>
  %n = dataflow.scalar "n" from 1 to 8 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "short" load [4, 8] counts affine_map<()[s0] -> (4, s0)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j)[s0] -> (i * 8 + j)> : !dataflow.port<32xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "long" load [4, 32] counts affine_map<()[s0] -> (4, s0 * 4)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %w affine_map<(i, j)[s0] -> (i * 32 + j)> : !dataflow.port<128xf32> -> f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "first" store [4, 8] counts affine_map<()[s0] -> (4, s0)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i, j)[s0] -> (i)> when affine_set<(i, j)[s0] : (j == 0)> : f32, !dataflow.port<4xf32>
  }
  dataflow.leaf "all" store [4, 32] counts affine_map<()[s0] -> (4, s0 * 4)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(i, j)[s0] -> (i * 32 + j)> : f32, !dataflow.port<128xf32>
  }
}
