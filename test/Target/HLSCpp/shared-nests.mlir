// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/nests.cpp

// Statements over the same lanes share a nest of lane loops, and a number between them that needs none of their lanes
// stands before it: the sum, its square and what is made of it by the number are three statements of one loop.
// A lane that needs what another lane of the nest makes does not find it there: lane 0 of the last of them is added to
// every lane in a nest of its own, which the square shares again.
// CHECK: void shared(
// CHECK: const float product_1 = s_word * s_word;
// CHECK: for (int u0 = 0; u0 < 4; ++u0) {
// CHECK-NEXT: #pragma HLS unroll
// CHECK-NEXT: const float lane_sum = x_word[u0] + x_word[u0];
// CHECK-NEXT: #pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
// CHECK-NEXT: sum[u0] = lane_sum;
// CHECK-NEXT: const float lane_product = sum[u0] * sum[u0];
// CHECK-NEXT: #pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
// CHECK-NEXT: product[u0] = lane_product;
// CHECK-NEXT: const float lane_product_1 = product[u0] * product_1;
// CHECK-NEXT: #pragma HLS bind_op variable=lane_product_1 op=fmul impl=maxdsp latency=3
// CHECK-NEXT: const float lane_sum_1 = lane_product_1 + product[u0];
// CHECK-NEXT: #pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
// CHECK-NEXT: sum_1[u0] = lane_sum_1;
// CHECK-NEXT: }
// CHECK: for (int u0 = 0; u0 < 4; ++u0) {
// CHECK-NEXT: #pragma HLS unroll
// CHECK-NEXT: const float lane_sum_2 = sum_1[0] + sum_1[u0];
// CHECK-NEXT: #pragma HLS bind_op variable=lane_sum_2 op=fadd impl=fulldsp latency=6
// CHECK-NEXT: sum_2[u0] = lane_sum_2;
// CHECK-NEXT: const float lane_product_2 = sum_2[u0] * sum_2[u0];
// CHECK-NEXT: #pragma HLS bind_op variable=lane_product_2 op=fmul impl=maxdsp latency=3
// CHECK-NEXT: product_2[u0] = lane_product_2;
// CHECK-NEXT: }
// CHECK-NEXT: y[i0] = product_2;

dataflow.design @nests {
  %x = dataflow.port in "x" : !dataflow.port<32xf32>
  %s = dataflow.port in "s" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xf32>
  dataflow.leaf "shared" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<32xf32> -> vector<4xf32>
    %f = dataflow.load %s affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %sum = arith.addf %v, %v : vector<4xf32>
    %square = arith.mulf %sum, %sum : vector<4xf32>
    %factor = arith.mulf %f, %f : f32
    %all = vector.broadcast %factor : f32 to vector<4xf32>
    %a = arith.mulf %square, %all : vector<4xf32>
    %b = arith.addf %a, %square : vector<4xf32>
    %first = vector.extract %b[0] : f32 from vector<4xf32>
    %firsts = vector.broadcast %first : f32 to vector<4xf32>
    %c = arith.addf %firsts, %b : vector<4xf32>
    %d = arith.mulf %c, %c : vector<4xf32>
    dataflow.store %d, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<32xf32>
  }
}
