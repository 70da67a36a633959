// RUN: %roundtrip %s | FileCheck %s --check-prefix=PRINT
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase >%t
// RUN: streamtensor-run %t --elements 8 | FileCheck %s
// RUN: streamtensor-run %t --pipelined --elements 8 | FileCheck %s
// RUN: streamtensor-run %t --scalar layers=1 --elements 8 | FileCheck %s --check-prefix=ONE
// RUN: streamtensor-test-sim %t | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-test-sim %t --scalar layers=2 | FileCheck %s --check-prefix=CYCLES
// RUN: FileCheck %s --check-prefix=DEPTH --input-file=%t
// RUN: sed -e '/%%h/s/f32, [0-9]*>/f32, 2>/' %t >%t.short
// RUN: not streamtensor-run %t.short 2>&1 | FileCheck %s --check-prefix=STUCK
// RUN: rm -rf %t.out && streamtensor-translate %t --output-dir=%t.out && FileCheck %s --check-prefix=CPP --input-file=%t.out/hls/ring.cpp

// A hidden state of eight elements goes round, once for each layer: the first layer reads it from memory, the others what
// the one before gave, and the last gives it to memory. Each layer doubles it and adds what it had seen of it one layer
// earlier. From ones: 2, then 4 + 1, then 10 + 2.

// PRINT: %h = dataflow.stream "h" back : <f32>
// CHECK: layers = 3 (the largest)
// CHECK: result0 tensor<8xf32> [12, 12, 12, 12, 12, 12, 12, 12]
// ONE: result0 tensor<8xf32> [2, 2, 2, 2, 2, 2, 2, 2]
// CYCLES: ring: {{[0-9]+}} cycles{{$}}

// All eight elements are on the way at once: two slots at `f`, one in the task between, and five at `h` for the run
// with one iteration in flight; with two there it stands still.
// DEPTH: dataflow.stream "h" back {{.*}}least = 5>}
// STUCK: deadlock

// Each leaf of the cycle is a function of the trip, with what it keeps beside it.
// CPP: #ifdef __SYNTHESIS__
// CPP: void twice(hls::stream<float> &f, hls::stream<float> &h, hls::stream<float> &o, int layers) {
// CPP: extern "C" void ring(
// CPP: #pragma HLS dataflow
// CPP: ring_tasks::enter(s, h, f, layers);
// CPP-NEXT: ring_tasks::twice(f, h, o, layers);
// CPP: #else
// CPP: struct twice_state {
// CPP-NEXT: float local[8];
// CPP: void twice(hls::stream<float> &f, hls::stream<float> &h, hls::stream<float> &o, int layers, int i0,
// CPP-NEXT: twice_state &state) {
// CPP: auto &local = state.local;
// CPP: for (int i1 = 0; i1 < 8; ++i1) {
// CPP-NEXT: #pragma HLS pipeline
// CPP: extern "C" void ring(
// CPP-NOT: #pragma HLS dataflow
// CPP: ring_tasks::ones(s);
// CPP-NEXT: ring_tasks::enter_state enter_kept;
// CPP-NEXT: ring_tasks::twice_state twice_kept;
// CPP-NEXT: for (int trip = 0; trip < layers; ++trip) {
// CPP-NEXT: #pragma HLS loop_tripcount max=3
// CPP-NEXT: ring_tasks::enter(
// CPP-NEXT: ring_tasks::twice(
// CPP-NEXT: }
// CPP-NEXT: ring_tasks::store(

dataflow.design @ring {
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %layers = dataflow.scalar "layers" from 1 to 3 : index
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
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
  dataflow.leaf "twice" compute [3, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%t: index, %i: index, %seen: !dataflow.private<8xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %before = dataflow.load %seen affine_map<(d0, d1) -> (d1)> : !dataflow.private<8xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %past = arith.select %first, %zero, %before : f32
    %twice = arith.addf %v, %v : f32
    %w = arith.addf %twice, %past : f32
    dataflow.store %v, %seen affine_map<(d0, d1) -> (d1)> : f32, !dataflow.private<8xf32>
    dataflow.stream_write %w, %h when affine_set<(d0, d1)[s0] : (s0 - d0 - 2 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %w, %o when affine_set<(d0, d1)[s0] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
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
