// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/indices.cpp
// RUN: %cxx -std=c++17 -fsyntax-only -I%runtime/include -I%runtime/native -I%runtime/host %t/hls/indices.cpp

// An index that is a number to compute with, or says which lane, is that of its loop: a shared one of the leaf or one of
// the nest's own.
// CHECK: void number(
// CHECK: for (int i0 = 0; i0 < 4; ++i0) {
// CHECK: for (int first_i1 = 0; first_i1 < 8; ++first_i1) {
// CHECK: y[i0 * 8 + first_i1] =
dataflow.design @indices {
  %x = dataflow.port in "x" : !dataflow.port<4x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x8xi32>
  %z = dataflow.port out "z" : !dataflow.port<4x2x4xf32>
  dataflow.leaf "number" compute [4] {
  ^bb0(%i: index):
    dataflow.nest "first" [8] {
    ^bb0(%j: index):
      %row = arith.index_cast %i : index to i32
      %column = arith.index_cast %j : index to i32
      %ten = arith.constant 10 : i32
      %tens = arith.muli %row, %ten : i32
      %number = arith.addi %tens, %column : i32
      dataflow.store %number, %y affine_map<(i, j) -> (i, j)> : i32, !dataflow.port<4x8xi32>
    }
    dataflow.nest "second" [2, 4] {
    ^bb0(%j: index, %k: index):
      %line = dataflow.load %x affine_map<(i, j, k) -> (i, 0)> : !dataflow.port<4x8xf32> -> vector<1x8xf32>
      %v = vector.extract %line[0, %k] : f32 from vector<1x8xf32>
      %w = vector.extract %line[0, %i] : f32 from vector<1x8xf32>
      %s = arith.addf %v, %w : f32
      dataflow.store %s, %z affine_map<(i, j, k) -> (i, j, k)> : f32, !dataflow.port<4x2x4xf32>
    }
  }
}
