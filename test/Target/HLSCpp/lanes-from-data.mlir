// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/lanes.cpp

// Lane p of eight is lane p mod 4 of row p floordiv 4. Where p is data, nothing bounds it, below zero neither: C++'s
// own operators would round towards zero. A loop of eight is never negative.
// CHECK: void choose(
// CHECK: x_word[st::floor_div(int(p_word), 4) * 4 + st::floor_mod(int(p_word), 4)]
// A lane that several ask for is a variable.
// CHECK: void next(
// CHECK: t_word[converted + 1] - t_word[converted];
// CHECK: void each(
// CHECK: z_word[(i1 / 4) * 4 + i1 % 4]

dataflow.design @lanes {
  %x = dataflow.port in "x" : !dataflow.port<8x2x4xf32>
  %p = dataflow.port in "p" : !dataflow.port<8xi32>
  %z = dataflow.port in "z" : !dataflow.port<8x2x4xf32>
  %q = dataflow.port in "q" : !dataflow.port<8xi32>
  %t = dataflow.port in "t" : !dataflow.port<8x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %w = dataflow.port out "w" : !dataflow.port<8x8xf32>
  %u = dataflow.port out "u" : !dataflow.port<8xf32>
  dataflow.leaf "choose" compute [8] {
  ^bb0(%i: index):
    %place = dataflow.load %p affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %lane = arith.index_cast %place : i32 to index
    %tile = dataflow.load %x affine_map<(i) -> (i, 0, 0)> : !dataflow.port<8x2x4xf32> -> vector<1x2x4xf32>
    %row = vector.shape_cast %tile : vector<1x2x4xf32> to vector<8xf32>
    %v = vector.extract %row[%lane] : f32 from vector<8xf32>
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
  dataflow.leaf "next" compute [8] {
  ^bb0(%i: index):
    %place = dataflow.load %q affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %lane = arith.index_cast %place : i32 to index
    %one = arith.constant 1 : index
    %next = arith.addi %lane, %one : index
    %row = dataflow.load %t affine_map<(i) -> (i, 0)> : !dataflow.port<8x8xf32> -> vector<1x8xf32>
    %a = vector.extract %row[0, %lane] : f32 from vector<1x8xf32>
    %b = vector.extract %row[0, %next] : f32 from vector<1x8xf32>
    %d = arith.subf %b, %a : f32
    dataflow.store %d, %u affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
  dataflow.leaf "each" compute [8, 8] {
  ^bb0(%i: index, %lane: index):
    %tile = dataflow.load %z affine_map<(i, lane) -> (i, 0, 0)> : !dataflow.port<8x2x4xf32> -> vector<1x2x4xf32>
    %row = vector.shape_cast %tile : vector<1x2x4xf32> to vector<8xf32>
    %v = vector.extract %row[%lane] : f32 from vector<8xf32>
    dataflow.store %v, %w affine_map<(i, lane) -> (i, lane)> : f32, !dataflow.port<8x8xf32>
  }
}
