// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/ring.cpp
// RUN: %cxx -std=c++17 -fsyntax-only -I%runtime/include -I%runtime/native -I%runtime/host %t/hls/ring.cpp

// A call of a leaf on a cycle is one trip of its outermost loop. What it reads in its first trip and holds over the
// others is therefore kept beside it: its private memory, a word of a port, an array that it has loaded and a token.
// Each has a reference of its own name in the function, where the pragmas of the arrays are; the loops of the trip are
// the pipeline.
// CHECK: #else
// CHECK: struct enter_state {
// CHECK-NEXT: float local[4][2];
// CHECK-NEXT: hls::vector<float, 8> x_word;
// CHECK-NEXT: float local_value[4][2];
// CHECK-NEXT: float h_token;
// CHECK-NEXT: };
// CHECK: void enter({{.*}}
// CHECK-NEXT: enter_state &state) {
// CHECK: auto &local = state.local;
// CHECK-NEXT: #pragma HLS array_partition variable=local type=complete
// CHECK: auto &x_word = state.x_word;
// CHECK-NEXT: auto &local_value = state.local_value;
// CHECK-NEXT: #pragma HLS array_partition variable=local_value type=complete dim=0
// CHECK-NEXT: auto &h_token = state.h_token;
// CHECK-NEXT: enter_i1:
// CHECK-NEXT: for (int i1 = 0; i1 < 8; ++i1) {
// CHECK-NEXT: #pragma HLS pipeline II=1
// CHECK: if (i0 == 0 && i1 == 0) {
// CHECK-NEXT: x_word = x[0];
// CHECK: const float sum = local_value[i1 / 2][i1 % 2] + ((i0 == 0) ? 0.0f : h_token);
// CHECK-NEXT: #pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
// CHECK-NEXT: f.write(sum);

// What is defined anew in every iteration is not kept.
// CHECK: struct twice_state {
// CHECK-NEXT: };
// CHECK: const float f_token = f.read();

dataflow.design @ring {
  %x = dataflow.port in "x" : !dataflow.port<2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  dataflow.leaf "enter" compute [3, 8] {
  ^bb0(%t: index, %i: index, %m: !dataflow.private<4x2xf32>):
    %zero = arith.constant 0.0 : f32
    %tile = dataflow.load %x affine_map<(t, i) -> (0, 0)> when affine_set<(t, i) : (t == 0, i == 0)> : !dataflow.port<2x4xf32> -> vector<2x4xf32>
    %turned = vector.transpose %tile, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    dataflow.store %turned, %m affine_map<(t, i) -> (0, 0)> when affine_set<(t, i) : (t == 0, i == 0)> : vector<4x2xf32>, !dataflow.private<4x2xf32>
    %kept = dataflow.load %m affine_map<(t, i) -> (0, 0)> when affine_set<(t, i) : (t == 0, i == 0)> : !dataflow.private<4x2xf32> -> vector<4x2xf32>
    %row = vector.shape_cast %kept : vector<4x2xf32> to vector<8xf32>
    %v = vector.extract %row[%i] : f32 from vector<8xf32>
    %old = dataflow.stream_read %h when affine_set<(t, i) : (t - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %first = dataflow.test affine_set<(t, i) : (t == 0)>
    %past = arith.select %first, %zero, %old : f32
    %w = arith.addf %v, %past : f32
    dataflow.stream_write %w, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "twice" compute [3, 8] {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %w = arith.addf %v, %v : f32
    dataflow.stream_write %w, %h when affine_set<(t, i) : (1 - t >= 0)> : f32, !dataflow.stream<f32>
    dataflow.store %w, %y affine_map<(t, i) -> (i)> when affine_set<(t, i) : (t - 2 == 0)> : f32, !dataflow.port<8xf32>
  }
}
