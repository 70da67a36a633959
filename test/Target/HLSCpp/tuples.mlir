// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --streamtensor-size-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file=%t/hls/pairs.cpp
// RUN: %cxx -std=c++17 -fsyntax-only -I%runtime/include -I%runtime/native -I%runtime/host %t/hls/pairs.cpp

// Every tuple is a struct, also one that no FIFO holds; lanes that are computed for a member stand in front of it.

// CHECK: struct tuple_f32x4_i32 {
// CHECK-NEXT: hls::vector<float, 4> m0;
// CHECK-NEXT: std::int32_t m1;
// CHECK: struct tuple_i32_f32 {
// CHECK: void pack(
// CHECK: sum[u0] = lane_sum;
// CHECK: const tuple_f32x4_i32 token = {sum, n_word};
// CHECK-NEXT: s.write(token);
// CHECK: void unpack(
// CHECK: const tuple_i32_f32 token = {s_token.m1, s_token.m0[0]};
// CHECK-NEXT: y[i0] = token.m1;

dataflow.design @pairs {
  %x = dataflow.port in "x" : !dataflow.port<8x4xf32>
  %n = dataflow.port in "n" : !dataflow.port<8xi32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %s = dataflow.stream "s" : !dataflow.stream<tuple<vector<4xf32>, i32>>
  dataflow.leaf "pack" compute [8] {
  ^bb0(%i: index):
    %row = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xf32> -> vector<1x4xf32>
    %lanes = vector.shape_cast %row : vector<1x4xf32> to vector<4xf32>
    %count = dataflow.load %n affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %twice = arith.addf %lanes, %lanes : vector<4xf32>
    %pair = dataflow.tuple %twice, %count : vector<4xf32>, i32 -> tuple<vector<4xf32>, i32>
    dataflow.stream_write %pair, %s : tuple<vector<4xf32>, i32>, !dataflow.stream<tuple<vector<4xf32>, i32>>
  }
  dataflow.leaf "unpack" compute [8] {
  ^bb0(%i: index):
    %pair = dataflow.stream_read %s : !dataflow.stream<tuple<vector<4xf32>, i32>> -> tuple<vector<4xf32>, i32>
    %lanes = dataflow.member %pair[0] : tuple<vector<4xf32>, i32> -> vector<4xf32>
    %count = dataflow.member %pair[1] : tuple<vector<4xf32>, i32> -> i32
    %first = vector.extract %lanes[0] : f32 from vector<4xf32>
    %kept = dataflow.tuple %count, %first : i32, f32 -> tuple<i32, f32>
    %value = dataflow.member %kept[1] : tuple<i32, f32> -> f32
    dataflow.store %value, %y affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
}
