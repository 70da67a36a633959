// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/inserted.cpp

// A slice of lower rank lies in the last dimensions: lane c of the row is lane c of row 1, from its offset on.
// CHECK: void insert(
// CHECK: insert_strided_slice[1][u0 + 1] = x_word[u0];
dataflow.design @inserted {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %y = dataflow.port in "y" : !dataflow.port<16x4xf32>
  %z = dataflow.port out "z" : !dataflow.port<16x4xf32>
  dataflow.leaf "insert" compute [8] {
  ^bb0(%i: index):
    %row = dataflow.load %x affine_map<(i) -> (i * 2)> : !dataflow.port<16xf32> -> vector<2xf32>
    %rows = dataflow.load %y affine_map<(i) -> (i * 2, 0)> : !dataflow.port<16x4xf32> -> vector<2x4xf32>
    %all = vector.insert_strided_slice %row, %rows {offsets = [1, 1], strides = [1]} : vector<2xf32> into vector<2x4xf32>
    dataflow.store %all, %z affine_map<(i) -> (i * 2, 0)> : vector<2x4xf32>, !dataflow.port<16x4xf32>
  }
}
