// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/places.cpp
// RUN: %cxx -std=c++17 -fsyntax-only -I%runtime/include -I%runtime/native -I%runtime/host %t/hls/places.cpp

// Lanes that are read, computed with and written back where they were are one statement for each lane. Written elsewhere
// in the memory, or in another order, all lanes are read before the first is written.

// CHECK: void same(
// CHECK: for (int u0 = 0; u0 < 4; ++u0) {
// CHECK-NEXT: #pragma HLS unroll
// CHECK-NEXT: local[u0] = (local[u0] + x_word[u0]) ^ x_word[u0];
// CHECK: void beside(
// CHECK: local_value[u0] = local[u0];
// CHECK-NEXT: }
// CHECK: local[u0 + 1] = local_value[u0] + z_word[u0];
// CHECK: void turned(
// CHECK: local_value[u0][u1] = local[u0][u1];
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: local[u0][u1] = local_value[u1][u0];
dataflow.design @places {
  %x = dataflow.port in "x" : !dataflow.port<8x4xi32>
  %z = dataflow.port in "z" : !dataflow.port<8x4xi32>
  dataflow.leaf "same" compute [8] {
  ^bb0(%i: index, %m: !dataflow.private<4xi32>):
    %v = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xi32> -> vector<1x4xi32>
    %w = vector.shape_cast %v : vector<1x4xi32> to vector<4xi32>
    %old = dataflow.load %m affine_map<(i) -> (0)> : !dataflow.private<4xi32> -> vector<4xi32>
    %sum = arith.addi %old, %w : vector<4xi32>
    %new = arith.xori %sum, %w : vector<4xi32>
    dataflow.store %new, %m affine_map<(i) -> (0)> : vector<4xi32>, !dataflow.private<4xi32>
  }
  dataflow.leaf "beside" compute [8] {
  ^bb0(%i: index, %m: !dataflow.private<5xi32>):
    %v = dataflow.load %z affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xi32> -> vector<1x4xi32>
    %w = vector.shape_cast %v : vector<1x4xi32> to vector<4xi32>
    %old = dataflow.load %m affine_map<(i) -> (0)> : !dataflow.private<5xi32> -> vector<4xi32>
    %sum = arith.addi %old, %w : vector<4xi32>
    dataflow.store %sum, %m affine_map<(i) -> (1)> : vector<4xi32>, !dataflow.private<5xi32>
  }
  dataflow.leaf "turned" compute [8] {
  ^bb0(%i: index, %m: !dataflow.private<4x4xi32>):
    %old = dataflow.load %m affine_map<(i) -> (0, 0)> : !dataflow.private<4x4xi32> -> vector<4x4xi32>
    %new = vector.transpose %old, [1, 0] : vector<4x4xi32> to vector<4x4xi32>
    dataflow.store %new, %m affine_map<(i) -> (0, 0)> : vector<4x4xi32>, !dataflow.private<4x4xi32>
  }
}
