// RUN: streamtensor-opt %s --split-input-file --dataflow-attach-device=device=%devices/u55c.json --dataflow-write-in-place | FileCheck %s

// A cache of 2 heads, 6 rows and 4 columns, which is read in tiles of 2 rows and words of 4 columns. Two new rows of each
// head come element by element: the store gathers a word, and puts it where the layout of the cache has it.
// CHECK-LABEL: dataflow.design @append
// CHECK: dataflow.port in "new"
// CHECK-NOT: dataflow.port in "cache"
// CHECK: %[[CACHE:.*]] = dataflow.port inout "cache" : <3x2x2x4xi32>
// CHECK: dataflow.port out "sum"
// CHECK-NOT: dataflow.port out "rows"
// CHECK: %[[AT:.*]] = dataflow.scalar "position" from 0 to 4 : index
// CHECK: %[[READ:.*]] = dataflow.stream "cache_read" orders %[[CACHE]] : !dataflow.port<3x2x2x4xi32> : <i1>
// CHECK: dataflow.leaf "load" load [2, 3, 2] {
// CHECK: dataflow.stream_write %{{.*}}, %[[READ]] when #[[$LAST:.*]] : i1, <i1>
// CHECK: dataflow.leaf "store" store [2, 2, 4] counts affine_map<()[s0] -> (2, 2, 4)> (%[[AT]]) {
// CHECK: dataflow.stream_read %[[READ]] when #[[$FIRST:.*]] : <i1> -> i1
// CHECK: %[[WORD:.*]] = dataflow.load %{{.*}} affine_map<(d0, d1, d2)[s0] -> (0)> when #[[$FULL:.*]] : !dataflow.private<4xi32> -> vector<4xi32>
// CHECK: dataflow.store %{{.*}}, %[[CACHE]] affine_map<(d0, d1, d2)[s0] -> ((d1 + s0) floordiv 2, d0, (d1 + s0) mod 2, 0)> when #[[$FULL]]
// CHECK: func.func @main(%{{.*}}) -> (tensor<2x6x4xi32> {streamtensor.along = 1 : i64, streamtensor.at = "position", streamtensor.into = "cache"}, tensor<1xi32>)
// CHECK: %[[PACKED:.*]] = itensor.pack
// CHECK: %[[AFTER:.*]]:2 = dataflow.launch @append(%{{.*}}, %[[PACKED]]) scalars(%{{.*}}) : (tensor<2x2x4xi32>, tensor<3x2x2x4xi32>) -> (tensor<3x2x2x4xi32>, tensor<1xi32>)
// CHECK: itensor.unpack %[[AFTER]]#0 strides [8, 24, 4, 1] : tensor<3x2x2x4xi32> -> tensor<2x6x4xi32>

dataflow.design @append {
  %cache = dataflow.port in "cache" : !dataflow.port<3x2x2x4xi32>
  %new = dataflow.port in "new" : !dataflow.port<2x2x4xi32>
  %rows = dataflow.port out "rows" : !dataflow.port<16xi32>
  %sum = dataflow.port out "sum" : !dataflow.port<1xi32>
  %f = dataflow.stream "f" : !dataflow.stream<vector<4xi32>>
  %g = dataflow.stream "g" : !dataflow.stream<i32>
  dataflow.leaf "load" load [2, 3, 2] {
  ^bb0(%h: index, %i: index, %j: index):
    %v = dataflow.load %cache affine_map<(h, i, j) -> (i, h, j, 0)> : !dataflow.port<3x2x2x4xi32> -> vector<1x1x1x4xi32>
    %w = vector.shape_cast %v : vector<1x1x1x4xi32> to vector<4xi32>
    dataflow.stream_write %w, %f : vector<4xi32>, !dataflow.stream<vector<4xi32>>
  }
  dataflow.leaf "add" store [12] {
  ^bb0(%i: index, %m: !dataflow.private<1xi32>):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<4xi32>> -> vector<4xi32>
    %a = vector.extract %v[0] : i32 from vector<4xi32>
    %zero = arith.constant 0 : i32
    %first = dataflow.test affine_set<(i) : (i == 0)>
    %old = dataflow.load %m affine_map<(i) -> (0)> : !dataflow.private<1xi32> -> i32
    %start = arith.select %first, %zero, %old : i32
    %more = arith.addi %start, %a : i32
    dataflow.store %more, %m affine_map<(i) -> (0)> : i32, !dataflow.private<1xi32>
    dataflow.store %more, %sum affine_map<(i) -> (0)> when affine_set<(i) : (i - 11 == 0)> : i32, !dataflow.port<1xi32>
  }
  dataflow.leaf "compute" compute [2, 2, 4] {
  ^bb0(%h: index, %i: index, %j: index):
    %v = dataflow.load %new affine_map<(h, i, j) -> (h, i, j)> : !dataflow.port<2x2x4xi32> -> i32
    dataflow.stream_write %v, %g : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "store" store [2, 2, 4] {
  ^bb0(%h: index, %i: index, %j: index):
    %v = dataflow.stream_read %g : !dataflow.stream<i32> -> i32
    dataflow.store %v, %rows affine_map<(h, i, j) -> (h * 8 + i * 4 + j)> : i32, !dataflow.port<16xi32>
  }
}
func.func @main(%cache: tensor<2x6x4xi32> {streamtensor.name = "cache"}, %new: tensor<2x2x4xi32>) -> (tensor<2x2x4xi32> {streamtensor.into = "cache", streamtensor.at = "position"}, tensor<1xi32>) {
  %packed = itensor.pack %cache strides [8, 24, 4, 1] offset 0 : tensor<2x6x4xi32> -> tensor<3x2x2x4xi32>
  %rows, %sum = dataflow.launch @append(%packed, %new) : (tensor<3x2x2x4xi32>, tensor<2x2x4xi32>) -> (tensor<16xi32>, tensor<1xi32>)
  %e = tensor.expand_shape %rows [[0, 1, 2]] output_shape [2, 2, 4] : tensor<16xi32> into tensor<2x2x4xi32>
  return %e, %sum : tensor<2x2x4xi32>, tensor<1xi32>
}

// -----

// Rows that are loaded two at a time, 8 words: the store gathers words as wide as those, four for a row.
// CHECK-LABEL: dataflow.design @pairs
// CHECK: %[[PAIRS:.*]] = dataflow.port inout "cache" : <8x64xf32>
// CHECK: dataflow.load %[[PAIRS]] affine_map<(d0) -> (d0 * 2, 0)> : !dataflow.port<8x64xf32> -> vector<2x64xf32>
// CHECK: dataflow.leaf "store" store [4, 4] counts affine_map<()[s0] -> (4, 4)>
// CHECK: %[[GATHERED:.*]] = dataflow.load %{{.*}} : !dataflow.private<16xf32> -> vector<16xf32>
// CHECK: %[[PART:.*]] = vector.shape_cast %[[GATHERED]] : vector<16xf32> to vector<1x16xf32>
// CHECK: dataflow.store %[[PART]], %[[PAIRS]] affine_map<(d0, d1)[s0] -> (s0, d0 * 16)>
dataflow.design @pairs {
  %cache = dataflow.port in "cache" : !dataflow.port<8x64xf32>
  %new = dataflow.port in "new" : !dataflow.port<64xf32>
  %rows = dataflow.port out "rows" : !dataflow.port<64xf32>
  %firsts = dataflow.port out "firsts" : !dataflow.port<4xf32>
  %f = dataflow.stream "f" : !dataflow.stream<vector<128xf32>>
  %g = dataflow.stream "g" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %cache affine_map<(i) -> (i * 2, 0)> : !dataflow.port<8x64xf32> -> vector<2x64xf32>
    %w = vector.shape_cast %v : vector<2x64xf32> to vector<128xf32>
    dataflow.stream_write %w, %f : vector<128xf32>, !dataflow.stream<vector<128xf32>>
  }
  dataflow.leaf "first" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %a = vector.extract %v[0] : f32 from vector<128xf32>
    dataflow.store %a, %firsts affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
  dataflow.leaf "compute" compute [16] {
  ^bb0(%i: index):
    %v = dataflow.load %new affine_map<(i) -> (i * 4)> : !dataflow.port<64xf32> -> vector<4xf32>
    dataflow.stream_write %v, %g : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [16] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %v, %rows affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<64xf32>
  }
}
func.func @main(%cache: tensor<8x64xf32> {streamtensor.name = "cache"}, %new: tensor<64xf32>) -> (tensor<1x64xf32> {streamtensor.into = "cache", streamtensor.at = "position"}, tensor<4xf32>) {
  %rows, %firsts = dataflow.launch @pairs(%cache, %new) : (tensor<8x64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<4xf32>)
  %e = tensor.expand_shape %rows [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  return %e, %firsts : tensor<1x64xf32>, tensor<4xf32>
}
