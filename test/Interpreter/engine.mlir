// RUN: %roundtrip %s | FileCheck %s --check-prefix=PRINT
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase >%t
// RUN: streamtensor-run %t --elements 8 | FileCheck %s
// RUN: streamtensor-run %t --pipelined --elements 8 | FileCheck %s
// RUN: streamtensor-run %t --scalar layers=1 --elements 8 | FileCheck %s --check-prefix=ONE
// RUN: streamtensor-test-sim %t | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-test-sim %t --scalar layers=1 | FileCheck %s --check-prefix=CYCLES
// RUN: rm -rf %t.out && streamtensor-translate %t --output-dir=%t.out && FileCheck %s --check-prefix=CPP --input-file=%t.out/hls/ring.cpp

// An engine: one leaf with the multipliers of both products of a layer. What its first nest gives comes back to the
// second within the layer, so without its nests as turns of their own the leaves would wait for each other. A layer
// makes 3 (2 h + 1) of each element h, which sees 2 and 3 come from one leaf: from ones 9, then 57, then 345.

// PRINT: dataflow.nest "down" [8]
// CHECK: layers = 3 (the largest)
// CHECK: result0 tensor<8xf32> [345, 345, 345, 345, 345, 345, 345, 345]
// ONE: result0 tensor<8xf32> [9, 9, 9, 9, 9, 9, 9, 9]
// CYCLES: ring: {{[0-9]+}} cycles{{$}}

// In synthesis all leaves run at once. Called one after the other, the engine takes a turn for each of its nests.
// CPP: #ifdef __SYNTHESIS__
// CPP: void engine(hls::stream<float> &f, hls::stream<float> &b, hls::stream<float> &a,
// CPP-NEXT: hls::stream<float> &d, int layers) {
// CPP-NOT: turn ==
// CPP: #pragma HLS dataflow
// CPP: #else
// CPP: void engine({{.*}}
// CPP-NEXT: hls::stream<float> &d, int layers, int i0, int turn, engine_state &state) {
// CPP: if (turn == 0) {
// CPP: for (int up_i1 = 0; up_i1 < 8; ++up_i1) {
// CPP: a.write(
// CPP: if (turn == 1) {
// CPP: for (int down_i1 = 0; down_i1 < 8; ++down_i1) {
// CPP: d.write(
// CPP: for (int trip = 0; trip < layers; ++trip) {
// CPP-NEXT: #pragma HLS loop_tripcount max=3
// CPP-NEXT: ring_tasks::enter(s, h, f, layers, trip, enter_kept);
// CPP-NEXT: ring_tasks::engine(f, b, a, d, layers, trip, 0, engine_kept);
// CPP-NEXT: ring_tasks::act(a, b, layers, trip, act_kept);
// CPP-NEXT: ring_tasks::engine(f, b, a, d, layers, trip, 1, engine_kept);
// CPP-NEXT: ring_tasks::leave(d, h, o, layers, trip, leave_kept);
// CPP-NEXT: }

dataflow.design @ring {
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %layers = dataflow.scalar "layers" from 1 to 3 : index
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  %d = dataflow.stream "d" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  %o = dataflow.stream "o" : !dataflow.stream<f32>
  dataflow.leaf "ones" compute [8] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %s : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "enter" compute [3, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%t: index, %i: index):
    %new = dataflow.stream_read %s when affine_set<(d0, d1) : (d0 == 0)> : !dataflow.stream<f32> -> f32
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %new, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "engine" compute [3] counts affine_map<()[s0] -> (s0)> (%layers) {
  ^bb0(%t: index):
    dataflow.nest "up" [8] {
    ^bb0(%i: index):
      %two = arith.constant 2.0 : f32
      %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
      %w = arith.mulf %v, %two : f32
      dataflow.stream_write %w, %a : f32, !dataflow.stream<f32>
    }
    dataflow.nest "down" [8] {
    ^bb0(%i: index):
      %three = arith.constant 3.0 : f32
      %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
      %w = arith.mulf %v, %three : f32
      dataflow.stream_write %w, %d : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "act" compute [3, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%t: index, %i: index):
    %one = arith.constant 1.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %w = arith.addf %v, %one : f32
    dataflow.stream_write %w, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "leave" compute [3, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %d : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0, d1)[s0] : (s0 - d0 - 2 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %o when affine_set<(d0, d1)[s0] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
func.func @main(%layers: index) -> tensor<8xf32> {
  %y = dataflow.launch @ring() scalars(%layers) : () -> tensor<8xf32>
  return %y : tensor<8xf32>
}
