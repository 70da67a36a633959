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

// -----

// A word holds 16 rows of one element. The reader, which goes through a head twice, keeps the word that the first new row
// lies in, and hands it on with the last one; the store puts each row into it, zeros behind, and goes on in the next word.
// CHECK-DAG: #[[$BEGIN:.*]] = affine_set<(d0, d1, d2)[s0, s1] : (d2 == 0)>
// CHECK-DAG: #[[$PLACE:.*]] = affine_set<(d0, d1, d2)[s0, s1] : (d2 * 16 - (s1 floordiv 16) * 16 == 0)>
// CHECK-DAG: #[[$END:.*]] = affine_set<(d0, d1, d2)[s0, s1] : (d2 - s0 ceildiv 16 + 1 == 0, d1 - 1 == 0)>
// CHECK-DAG: #[[$ROW:.*]] = affine_set<(d0, d1)[s0] : (d0 == 0)>
// CHECK-DAG: #[[$BEHIND:.*]] = affine_set<(d0, d1)[s0] : ((d0 + s0) mod 16 - 15 >= 0)>
// CHECK-DAG: #[[$LANE:.*]] = affine_set<(d0, d1)[s0] : ((d0 + s0) mod 16 - 15 == 0)>
// CHECK-LABEL: dataflow.design @scales
// CHECK: %[[SCALES:.*]] = dataflow.port inout "scales" : <2x64xf32>
// CHECK: %[[AT:.*]] = dataflow.scalar "position" from 0 to 61 : index
// CHECK: %[[WORD:.*]] = dataflow.stream "scales_word" orders %[[SCALES]] : !dataflow.port<2x64xf32> : <vector<16xf32>>
// CHECK: dataflow.leaf "load" load [2, 2, 4] counts affine_map<()[s0, s1] -> (2, 2, s0 ceildiv 16)> (%{{.*}}, %[[AT]]) {
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[KEPT:.*]]: !dataflow.private<1x16xi32>):
// CHECK-DAG: dataflow.test #[[$BEGIN]]
// CHECK-DAG: %[[OLD:.*]] = dataflow.load %[[KEPT]] {{.*}} -> (0, 0)>
// CHECK-DAG: %[[HERE:.*]] = dataflow.test #[[$PLACE]]
// CHECK: %[[NOW:.*]] = arith.select %[[HERE]], %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: %[[PUT:.*]] = vector.shape_cast %[[NOW]]
// CHECK: dataflow.store %[[PUT]], %[[KEPT]]
// CHECK: dataflow.stream_write %{{.*}}, %[[WORD]] when #[[$END]]
// CHECK: dataflow.leaf "store" store [3, 2] counts affine_map<()[s0] -> (3, 2)> (%[[AT]]) {
// CHECK: dataflow.stream_read %[[WORD]] when #[[$ROW]]
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1)[s0] -> (d1, 0)> : !dataflow.private<2x16xi32>
// CHECK: dataflow.test #[[$BEHIND]]
// CHECK: dataflow.test #[[$LANE]]
// CHECK: dataflow.store %{{.*}} affine_map<(d0, d1)[s0] -> (d1, 0)> : vector<1x16xi32>, !dataflow.private<2x16xi32>
// CHECK: dataflow.store %{{.*}}, %[[SCALES]] affine_map<(d0, d1)[s0] -> (d1, ((d0 + s0) floordiv 16) * 16)> : vector<1x16xf32>
dataflow.design @scales {
  %scales = dataflow.port in "scales" : !dataflow.port<2x64xf32>
  %new = dataflow.port in "new" : !dataflow.port<6xf32>
  %rows = dataflow.port out "rows" : !dataflow.port<6xf32>
  %sum = dataflow.port out "sum" : !dataflow.port<1xf32>
  %context = dataflow.scalar "context" from 1 to 64 : index
  %f = dataflow.stream "f" : !dataflow.stream<vector<16xf32>>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  dataflow.leaf "load" load [2, 2, 4] counts affine_map<()[s0] -> (2, 2, s0 ceildiv 16)> (%context) {
  ^bb0(%h: index, %again: index, %i: index):
    %v = dataflow.load %scales affine_map<(h, again, i) -> (h, i * 16)> : !dataflow.port<2x64xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %f : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "last" store [2, 2, 4] counts affine_map<()[s0] -> (2, 2, s0 ceildiv 16)> (%context) {
  ^bb0(%h: index, %again: index, %i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %a = vector.extract %v[0] : f32 from vector<16xf32>
    dataflow.store %a, %sum affine_map<(h, again, i) -> (0)> : f32, !dataflow.port<1xf32>
  }
  dataflow.leaf "compute" compute [6] {
  ^bb0(%i: index):
    %v = dataflow.load %new affine_map<(i) -> (i)> : !dataflow.port<6xf32> -> f32
    dataflow.stream_write %v, %g : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [3, 2] {
  ^bb0(%t: index, %h: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %rows affine_map<(t, h) -> (h * 3 + t)> : f32, !dataflow.port<6xf32>
  }
}
func.func @main(%scales: tensor<2x64x1xf32> {streamtensor.name = "scales"}, %new: tensor<6xf32>, %context: index {streamtensor.name = "context"}) -> (tensor<2x3x1xf32> {streamtensor.into = "scales", streamtensor.at = "position"}, tensor<1xf32>) {
  %flat = tensor.collapse_shape %scales [[0], [1, 2]] : tensor<2x64x1xf32> into tensor<2x64xf32>
  %rows, %sum = dataflow.launch @scales(%flat, %new) scalars(%context) : (tensor<2x64xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<1xf32>)
  %e = tensor.expand_shape %rows [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  return %e, %sum : tensor<2x3x1xf32>, tensor<1xf32>
}

// -----

// Rows that come two at a time, those of both heads, and one word a head: nothing is kept from word to word.
// CHECK-LABEL: dataflow.design @heads
// CHECK: dataflow.leaf "load" load [2] counts affine_map<()[s0] -> (2)> (%{{.*}}) {
// CHECK-NOT: dataflow.private
// CHECK: dataflow.stream_write %{{.*}}, %heads_word
// CHECK: dataflow.leaf "store" store [1, 2] counts affine_map<()[s0] -> (1, 2)>
// CHECK: %[[BOTH:.*]] = dataflow.stream_read %g when #{{.*}} : <vector<2xi32>> -> vector<2xi32>
// CHECK: vector.extract %[[BOTH]][0]
// CHECK: vector.extract %[[BOTH]][1]
// CHECK: dataflow.stream_read %heads_word :
// CHECK: dataflow.store %{{.*}}, %heads affine_map<(d0, d1)[s0] -> (d1, (s0 floordiv 4) * 4)> : vector<1x4xi32>
dataflow.design @heads {
  %heads = dataflow.port in "heads" : !dataflow.port<2x4xi32>
  %new = dataflow.port in "new" : !dataflow.port<2xi32>
  %rows = dataflow.port out "rows" : !dataflow.port<2xi32>
  %firsts = dataflow.port out "firsts" : !dataflow.port<2xi32>
  %f = dataflow.stream "f" : !dataflow.stream<vector<4xi32>>
  %g = dataflow.stream "g" : !dataflow.stream<vector<2xi32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%h: index):
    %v = dataflow.load %heads affine_map<(h) -> (h, 0)> : !dataflow.port<2x4xi32> -> vector<1x4xi32>
    %w = vector.shape_cast %v : vector<1x4xi32> to vector<4xi32>
    dataflow.stream_write %w, %f : vector<4xi32>, !dataflow.stream<vector<4xi32>>
  }
  dataflow.leaf "first" store [2] {
  ^bb0(%h: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<4xi32>> -> vector<4xi32>
    %a = vector.extract %v[0] : i32 from vector<4xi32>
    dataflow.store %a, %firsts affine_map<(h) -> (h)> : i32, !dataflow.port<2xi32>
  }
  dataflow.leaf "compute" compute [1] {
  ^bb0(%i: index):
    %v = dataflow.load %new affine_map<(i) -> (i * 2)> : !dataflow.port<2xi32> -> vector<2xi32>
    dataflow.stream_write %v, %g : vector<2xi32>, !dataflow.stream<vector<2xi32>>
  }
  dataflow.leaf "store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<2xi32>> -> vector<2xi32>
    dataflow.store %v, %rows affine_map<(i) -> (i * 2)> : vector<2xi32>, !dataflow.port<2xi32>
  }
}
func.func @main(%heads: tensor<2x4xi32> {streamtensor.name = "heads"}, %new: tensor<2xi32>) -> (tensor<2x1xi32> {streamtensor.into = "heads", streamtensor.at = "position"}, tensor<2xi32>) {
  %rows, %firsts = dataflow.launch @heads(%heads, %new) : (tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  %e = tensor.expand_shape %rows [[0, 1]] output_shape [2, 1] : tensor<2xi32> into tensor<2x1xi32>
  return %e, %firsts : tensor<2x1xi32>, tensor<2xi32>
}
