// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file %t/hls/decltype_1.cpp

// Modules and tensors are named by users: as words of C++, as what the headers of C define, as what generated code calls.
// CHECK: void nullptr_1(const float *ap_int_1, hls::stream<float> &n_NAN) {
// CHECK: void static_cast_1(hls::stream<float> &n_NAN, float *K) {
// CHECK: extern "C" void decltype_1(const float *ap_int_1, float *K) {
// CHECK: decltype_1_tasks::nullptr_1(ap_int_1, n_NAN);

dataflow.design @decltype {
  %x = dataflow.port in "ap_int" : !dataflow.port<32xf32>
  %y = dataflow.port out "K" : !dataflow.port<32xf32>
  %a = dataflow.stream "NAN" : !dataflow.stream<f32, 2>
  dataflow.leaf "nullptr" load [32] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<32xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "static_cast" store [32] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<32xf32>
  }
}
