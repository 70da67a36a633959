// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/engine.cpp
// RUN: %cxx -std=c++17 -fsyntax-only -I%runtime/include -I%runtime/native -I%runtime/host %t/hls/engine.cpp

// What the first nest of a leaf gives comes back to its second within a trip, by another leaf: in C simulation a call is
// a turn, one nest of a trip. A trip of all is the first nest, the leaf
// between, the second, and the last leaf.

// CHECK: #else
// CHECK: void core({{.*}}
// CHECK: if (turn == 0) {
// CHECK-NEXT: core_first_i1:
// CHECK-NEXT: for (int first_i1 = 0; first_i1 < 8; ++first_i1) {
// CHECK: there.write(
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: if (turn == 1) {
// CHECK-NEXT: core_second_i1:
// CHECK: again.read();
// CHECK: for (int trip = 0; trip < rounds; ++trip) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=4
// CHECK-NEXT: engine_tasks::core(
// CHECK-NEXT: engine_tasks::between(
// CHECK-NEXT: engine_tasks::core(

dataflow.design @engine {
  %x = dataflow.port in "x" : !dataflow.port<4x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x8xf32>
  %rounds = dataflow.scalar "rounds" from 1 to 4 : index
  %there = dataflow.stream "there" : !dataflow.stream<f32>
  %again = dataflow.stream "again" : !dataflow.stream<f32>
  %twice = dataflow.stream "twice" : !dataflow.stream<f32>
  %next = dataflow.stream "next" back : !dataflow.stream<f32>
  dataflow.leaf "core" compute [4] counts affine_map<()[s0] -> (s0)> (%rounds) {
  ^bb0(%r: index):
    dataflow.nest "first" [8] {
    ^bb0(%i: index):
      %v = dataflow.load %x affine_map<(r, i)[s0] -> (r, i)> : !dataflow.port<4x8xf32> -> f32
      %zero = arith.constant 0.0 : f32
      %old = dataflow.stream_read %next when affine_set<(r, i)[s0] : (r - 1 >= 0)> : !dataflow.stream<f32> -> f32
      %later = dataflow.test affine_set<(r, i)[s0] : (r - 1 >= 0)>
      %past = arith.select %later, %old, %zero : f32
      %w = arith.addf %v, %past : f32
      dataflow.stream_write %w, %there : f32, !dataflow.stream<f32>
    }
    dataflow.nest "second" [8] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %again : !dataflow.stream<f32> -> f32
      %w = arith.addf %v, %v : f32
      dataflow.stream_write %w, %twice : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "between" compute [4, 8] counts affine_map<()[s0] -> (s0, 8)> (%rounds) {
  ^bb0(%r: index, %i: index):
    %v = dataflow.stream_read %there : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %v : f32
    dataflow.stream_write %w, %again : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "last" compute [4, 8] counts affine_map<()[s0] -> (s0, 8)> (%rounds) {
  ^bb0(%r: index, %i: index):
    %v = dataflow.stream_read %twice : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(r, i)[s0] -> (r, i)> : f32, !dataflow.port<4x8xf32>
    dataflow.stream_write %v, %next when affine_set<(r, i)[s0] : (s0 - 2 - r >= 0)> : f32, !dataflow.stream<f32>
  }
}
