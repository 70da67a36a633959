// RUN: streamtensor-opt %s --dataflow-run-time-counts --split-input-file -verify-diagnostics | FileCheck %s

// Rows of 8 elements up to `length`, which come in tiles of 2, sums in three banks, and a reader that combines the
// banks: it takes 0 for those that no trip has written. The guard of the store named the last three trips; what the
// others store is replaced, so all may. Who holds a sum reads it when the first trip begins, who gives one does so in the last.
// CHECK-DAG: #[[$CORE:.*]] = affine_map<()[s0] -> (3, s0 ceildiv 2)>
// CHECK-DAG: #[[$START:.*]] = affine_set<(d0, d1)[s0] : (-d1 + 2 >= 0)>
// CHECK-DAG: #[[$BANK0:.*]] = affine_set<(d0)[s0] : (s0 ceildiv 2 - 1 >= 0)>
// CHECK-DAG: #[[$BANK1:.*]] = affine_set<(d0)[s0] : (s0 ceildiv 2 - 2 >= 0)>
// CHECK-DAG: #[[$BANK2:.*]] = affine_set<(d0)[s0] : (s0 ceildiv 2 - 3 >= 0)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_set<(d0, d1)[s0] : (d1 == 0)>
// CHECK-DAG: #[[$LAST:.*]] = affine_set<(d0, d1)[s0] : (d1 - s0 ceildiv 2 + 1 == 0)>
// CHECK-LABEL: dataflow.design @sums
// CHECK: %[[N:.*]] = dataflow.scalar "length" from 1 to 8 : index
// CHECK: dataflow.leaf "load" load [3, 4, 2] counts affine_map<()[s0] -> (3, s0 ceildiv 2, 2)> (%[[N]]) {
// CHECK: dataflow.leaf "sum" compute [] counts affine_map<()[s0] -> ()> (%[[N]]) {
// CHECK: dataflow.nest "core" [3, 4] counts #[[$CORE]] {
// CHECK: dataflow.test #[[$START]]
// CHECK: dataflow.store %{{.*}}, %{{.*}} affine_map<(d0, d1) -> (d1 mod 3, d0)> : f32, !dataflow.private<3x3xf32>
// CHECK: dataflow.nest "drain" [3] {
// CHECK: %[[LOADED:.*]] = dataflow.load {{.*}} -> vector<3x1xf32>
// CHECK-NEXT: %[[B0:.*]] = dataflow.test #[[$BANK0]]
// CHECK-NEXT: %[[B1:.*]] = dataflow.test #[[$BANK1]]
// CHECK-NEXT: %[[B2:.*]] = dataflow.test #[[$BANK2]]
// CHECK-NEXT: %[[BITS:.*]] = vector.from_elements %[[B0]], %[[B1]], %[[B2]] : vector<3xi1>
// CHECK-NEXT: %[[MASK:.*]] = vector.shape_cast %[[BITS]] : vector<3xi1> to vector<3x1xi1>
// CHECK-NEXT: %[[NEUTRAL:.*]] = arith.constant dense<0.000000e+00> : vector<3x1xf32>
// CHECK-NEXT: %[[BANKS:.*]] = arith.select %[[MASK]], %[[LOADED]], %[[NEUTRAL]]
// CHECK-NEXT: vector.shape_cast %[[BANKS]]
// CHECK: dataflow.leaf "repeat" convert_out [3, 4] counts affine_map<()[s0] -> (3, s0 ceildiv 2)> (%[[N]]) {
// CHECK: dataflow.stream_read %{{.*}} when #[[$FIRST]]
// CHECK: dataflow.leaf "last" compute [3, 4] counts affine_map<()[s0] -> (3, s0 ceildiv 2)> (%[[N]]) {
// CHECK: dataflow.stream_write %{{.*}} when #[[$LAST]]
// CHECK: func.func @main(%[[X:.*]]: tensor<3x8xf32> {{{.*}}}, %[[LENGTH:.*]]: index {streamtensor.name = "length"})
// CHECK: dataflow.launch @sums(%[[X]], %[[X]]) scalars(%[[LENGTH]])
!f = !dataflow.stream<f32>
!v = !dataflow.stream<vector<2xf32>>
dataflow.design @sums {
  %x = dataflow.port in "x" : !dataflow.port<3x8xf32>
  %x_1 = dataflow.port in "x_1" : !dataflow.port<3x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<3xf32>
  %fx = dataflow.stream "fx" : !f
  %fv = dataflow.stream "fv" : !v
  %fs = dataflow.stream "fs" : !f
  %fy = dataflow.stream "fy" : !f
  dataflow.leaf "load" load [3, 4, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.load %x affine_map<(i, j, k) -> (i, j * 2 + k)> : !dataflow.port<3x8xf32> -> f32
    dataflow.stream_write %v, %fx : f32, !f
  }
  dataflow.leaf "gather" convert_in [3, 4, 2] {
  ^bb0(%i: index, %j: index, %k: index, %m: !dataflow.private<2xf32>):
    %v = dataflow.stream_read %fx : !f -> f32
    dataflow.store %v, %m affine_map<(i, j, k) -> (k)> : f32, !dataflow.private<2xf32>
    %w = dataflow.load %m affine_map<(i, j, k) -> (0)> when affine_set<(i, j, k) : (k - 1 == 0)> : !dataflow.private<2xf32> -> vector<2xf32>
    dataflow.stream_write %w, %fv when affine_set<(i, j, k) : (k - 1 == 0)> : vector<2xf32>, !v
  }
  dataflow.leaf "sum" compute [] {
  ^bb0(%acc: !dataflow.private<3xf32>, %r: !dataflow.private<3x3xf32>):
    dataflow.nest "core" [3, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %fv : !v -> vector<2xf32>
      %a = vector.extract %v[0] : f32 from vector<2xf32>
      %b = vector.extract %v[1] : f32 from vector<2xf32>
      %c = arith.addf %a, %b : f32
      %zero = arith.constant 0.0 : f32
      %old = dataflow.load %acc affine_map<(i, j) -> (j mod 3)> : !dataflow.private<3xf32> -> f32
      %first = dataflow.test affine_set<(i, j) : (-j + 2 >= 0)>
      %start = arith.select %first, %zero, %old : f32
      %new = arith.addf %start, %c : f32
      dataflow.store %new, %acc affine_map<(i, j) -> (j mod 3)> : f32, !dataflow.private<3xf32>
      dataflow.store %new, %r affine_map<(i, j) -> (j mod 3, i)> when affine_set<(i, j) : (j - 1 >= 0)> : f32, !dataflow.private<3x3xf32>
    }
    dataflow.nest "drain" [3] {
    ^bb0(%i: index):
      %v = dataflow.load %r affine_map<(i) -> (0, i)> : !dataflow.private<3x3xf32> -> vector<3x1xf32>
      %w = vector.shape_cast %v : vector<3x1xf32> to vector<3xf32>
      %a = vector.extract %w[0] : f32 from vector<3xf32>
      %b = vector.extract %w[1] : f32 from vector<3xf32>
      %c = vector.extract %w[2] : f32 from vector<3xf32>
      %ab = arith.addf %a, %b : f32
      %abc = arith.addf %ab, %c : f32
      dataflow.stream_write %abc, %fs : f32, !f
    }
  }
  %fp = dataflow.stream "fp" : !f
  dataflow.leaf "repeat" convert_out [3, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %fs when affine_set<(i, j) : (j == 0)> : !f -> f32
    %z = dataflow.load %x_1 affine_map<(i, j) -> (i, j * 2)> : !dataflow.port<3x8xf32> -> f32
    %w = arith.addf %v, %z : f32
    dataflow.stream_write %w, %fp : f32, !f
  }
  dataflow.leaf "last" compute [3, 4] {
  ^bb0(%i: index, %j: index):
    %p = dataflow.stream_read %fp : !f -> f32
    dataflow.stream_write %p, %fy when affine_set<(i, j) : (j - 3 == 0)> : f32, !f
  }
  dataflow.leaf "store" store [3] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fy : !f -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<3xf32>
  }
}
func.func @main(%x: tensor<3x8xf32> {streamtensor.extents = ["", "length"]}) -> tensor<3xf32> {
  %y = dataflow.launch @sums(%x, %x) : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// The tensor is packed in tiles of 4 on its way, heads apart from rows; nests with lag stay together.
// CHECK: #[[$ROWS:.*]] = affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>
// CHECK-LABEL: dataflow.design @packed
// CHECK: dataflow.leaf "load" load [2, 4, 4] counts affine_map<()[s0] -> (2, s0 ceildiv 4, 4)>
// CHECK: dataflow.leaf "copy" compute [2] counts affine_map<()[s0] -> (2)> (%{{.*}}) attributes {together} {
// CHECK: dataflow.nest "fill" [16] counts #[[$ROWS]] {
// CHECK: dataflow.nest "core" [16] counts #[[$ROWS]] lag 1 {
// CHECK: dataflow.leaf "store" store [2, 16] counts affine_map<()[s0] -> (2, (s0 ceildiv 4) * 4)>
dataflow.design @packed {
  %x = dataflow.port in "x" : !dataflow.port<4x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  dataflow.leaf "load" load [2, 4, 4] {
  ^bb0(%h: index, %i: index, %j: index):
    %v = dataflow.load %x affine_map<(h, i, j) -> (i, h, j)> : !dataflow.port<4x2x4xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "copy" compute [2] attributes {together} {
  ^bb0(%h: index, %m: !dataflow.private<2x16xf32>):
    dataflow.nest "fill" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
      dataflow.store %v, %m affine_map<(h, i) -> (h mod 2, i)> : f32, !dataflow.private<2x16xf32>
    }
    dataflow.nest "core" [16] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(h, i) -> (h mod 2, i)> : !dataflow.private<2x16xf32> -> f32
      dataflow.stream_write %v, %g : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "store" store [2, 16] {
  ^bb0(%h: index, %i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(h, i) -> (h * 16 + i)> : f32, !dataflow.port<32xf32>
  }
}
func.func @main(%x: tensor<2x16xf32> {streamtensor.extents = ["", "rows"]}) -> tensor<2x16xf32> {
  %p = itensor.pack %x strides [4, 16, 1] offset 0 : tensor<2x16xf32> -> tensor<4x2x4xf32>
  %y = dataflow.launch @packed(%p) : (tensor<4x2x4xf32>) -> tensor<32xf32>
  %e = tensor.expand_shape %y [[0, 1]] output_shape [2, 16] : tensor<32xf32> into tensor<2x16xf32>
  return %e : tensor<2x16xf32>
}

// -----

// A scalar of 96 values that make 24 counts: nests with lag stay together.
// CHECK: #[[$GRANULES:.*]] = affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>
// CHECK-LABEL: dataflow.design @granules
// CHECK: dataflow.leaf "load" load [2, 24, 4] counts affine_map<()[s0] -> (2, s0 ceildiv 4, 4)>
// CHECK: dataflow.leaf "copy" compute [2] counts affine_map<()[s0] -> (2)> (%{{.*}}) attributes {together} {
// CHECK: dataflow.nest "fill" [96] counts #[[$GRANULES]] {
// CHECK: dataflow.nest "core" [96] counts #[[$GRANULES]] lag 1 {
// CHECK: dataflow.leaf "store" store [2, 96] counts affine_map<()[s0] -> (2, (s0 ceildiv 4) * 4)>
dataflow.design @granules {
  %x = dataflow.port in "x" : !dataflow.port<24x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<192xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  dataflow.leaf "load" load [2, 24, 4] {
  ^bb0(%h: index, %i: index, %j: index):
    %v = dataflow.load %x affine_map<(h, i, j) -> (i, h, j)> : !dataflow.port<24x2x4xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "copy" compute [2] attributes {together} {
  ^bb0(%h: index, %m: !dataflow.private<2x96xf32>):
    dataflow.nest "fill" [96] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
      dataflow.store %v, %m affine_map<(h, i) -> (h mod 2, i)> : f32, !dataflow.private<2x96xf32>
    }
    dataflow.nest "core" [96] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(h, i) -> (h mod 2, i)> : !dataflow.private<2x96xf32> -> f32
      dataflow.stream_write %v, %g : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "store" store [2, 96] {
  ^bb0(%h: index, %i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(h, i) -> (h * 96 + i)> : f32, !dataflow.port<192xf32>
  }
}
func.func @main(%x: tensor<2x96xf32> {streamtensor.extents = ["", "rows"]}) -> tensor<2x96xf32> {
  %p = itensor.pack %x strides [4, 96, 1] offset 0 : tensor<2x96xf32> -> tensor<24x2x4xf32>
  %y = dataflow.launch @granules(%p) : (tensor<24x2x4xf32>) -> tensor<192xf32>
  %e = tensor.expand_shape %y [[0, 1]] output_shape [2, 96] : tensor<192xf32> into tensor<2x96xf32>
  return %e : tensor<2x96xf32>
}

// -----

// A scalar that makes many counts: how far nests with lag are apart is not found for each, and they come to run in turn.
// CHECK: #[[$MANY:.*]] = affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>
// CHECK-LABEL: dataflow.design @many
// CHECK: dataflow.leaf "load" load [2, 72, 4] counts affine_map<()[s0] -> (2, s0 ceildiv 4, 4)>
// CHECK: dataflow.leaf "copy" compute [2] counts affine_map<()[s0] -> (2)> (%{{.*}}) {
// CHECK: dataflow.nest "fill" [288] counts #[[$MANY]] {
// CHECK: dataflow.nest "core" [288] counts #[[$MANY]] {
// CHECK: dataflow.leaf "store" store [2, 288] counts affine_map<()[s0] -> (2, (s0 ceildiv 4) * 4)>
dataflow.design @many {
  %x = dataflow.port in "x" : !dataflow.port<72x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<576xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  dataflow.leaf "load" load [2, 72, 4] {
  ^bb0(%h: index, %i: index, %j: index):
    %v = dataflow.load %x affine_map<(h, i, j) -> (i, h, j)> : !dataflow.port<72x2x4xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "copy" compute [2] attributes {together} {
  ^bb0(%h: index, %m: !dataflow.private<2x288xf32>):
    dataflow.nest "fill" [288] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
      dataflow.store %v, %m affine_map<(h, i) -> (h mod 2, i)> : f32, !dataflow.private<2x288xf32>
    }
    dataflow.nest "core" [288] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(h, i) -> (h mod 2, i)> : !dataflow.private<2x288xf32> -> f32
      dataflow.stream_write %v, %g : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "store" store [2, 288] {
  ^bb0(%h: index, %i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(h, i) -> (h * 288 + i)> : f32, !dataflow.port<576xf32>
  }
}
func.func @main(%x: tensor<2x288xf32> {streamtensor.extents = ["", "rows"]}) -> tensor<2x288xf32> {
  %p = itensor.pack %x strides [4, 288, 1] offset 0 : tensor<2x288xf32> -> tensor<72x2x4xf32>
  %y = dataflow.launch @many(%p) : (tensor<72x2x4xf32>) -> tensor<576xf32>
  %e = tensor.expand_shape %y [[0, 1]] output_shape [2, 288] : tensor<576xf32> into tensor<2x288xf32>
  return %e : tensor<2x288xf32>
}

// -----

// A token that holds the whole extent and is not combined cannot end early; another extent of the design can.
// CHECK-LABEL: dataflow.design @whole
// CHECK: dataflow.scalar "m" from 1 to 4
// CHECK-NOT: dataflow.scalar "n"
// CHECK: dataflow.leaf "gather" convert_in [4, 8] counts affine_map<()[s0] -> (s0, 8)>
// expected-warning @below {{largest 'n': leaf 'gather' reads in one iteration what several trips have written}}
module {
dataflow.design @whole {
  %x = dataflow.port in "x" : !dataflow.port<4x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x8xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "load" load [4, 8] {
  ^bb0(%h: index, %i: index):
    %v = dataflow.load %x affine_map<(h, i) -> (h, i)> : !dataflow.port<4x8xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "gather" convert_in [4, 8] {
  ^bb0(%h: index, %i: index, %m: !dataflow.private<8xf32>):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %m affine_map<(h, i) -> (i)> : f32, !dataflow.private<8xf32>
    %w = dataflow.load %m affine_map<(h, i) -> (0)> when affine_set<(h, i) : (i - 7 == 0)> : !dataflow.private<8xf32> -> vector<8xf32>
    dataflow.stream_write %w, %g when affine_set<(h, i) : (i - 7 == 0)> : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%h: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    %w = vector.shape_cast %v : vector<8xf32> to vector<1x8xf32>
    dataflow.store %w, %y affine_map<(h) -> (h, 0)> : vector<1x8xf32>, !dataflow.port<4x8xf32>
  }
}
func.func @main(%x: tensor<4x8xf32> {streamtensor.extents = ["m", "n"]}) -> tensor<4x8xf32> {
  %y = dataflow.launch @whole(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
}

// -----

// Two tokens at a time between memories of the leaf: the last pair may have one that is not there. What it computes then
// lies in a row that nobody takes, and all others end at the token itself.
// CHECK-DAG: #[[$ALL:.*]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-DAG: #[[$PAIRS:.*]] = affine_map<()[s0] -> (2, s0 ceildiv 2)>
// CHECK-LABEL: dataflow.design @pairs
// CHECK: dataflow.leaf "load" load [4, 2] counts affine_map<()[s0] -> (s0, 2)>
// CHECK: dataflow.nest "fill" [4, 2] counts #[[$ALL]]
// CHECK: dataflow.nest "core" [2, 2] counts #[[$PAIRS]]
// CHECK: dataflow.nest "drain" [4, 2] counts #[[$ALL]]
dataflow.design @pairs {
  %x = dataflow.port in "x" : !dataflow.port<4x2xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x2xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  %w = dataflow.stream "w" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<4x2xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "weights" compute [2] {
  ^bb0(%j: index):
    %v = arith.constant 3.0 : f32
    dataflow.stream_write %v, %w : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "pairs" compute [] {
  ^bb0(%m: !dataflow.private<4x2xf32>, %r: !dataflow.private<4x2xf32>):
    dataflow.nest "fill" [4, 2] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
      dataflow.store %v, %m affine_map<(i, j) -> (i, j)> : f32, !dataflow.private<4x2xf32>
    }
    dataflow.nest "core" [2, 2] {
    ^bb0(%j: index, %i: index):
      %weight = dataflow.stream_read %w when affine_set<(j, i) : (i == 0)> : !dataflow.stream<f32> -> f32
      %v = dataflow.load %m affine_map<(j, i) -> (i * 2, j)> : !dataflow.private<4x2xf32> -> vector<2x1xf32>
      %both = vector.broadcast %weight : f32 to vector<2x1xf32>
      %p = arith.mulf %v, %both : vector<2x1xf32>
      dataflow.store %p, %r affine_map<(j, i) -> (i * 2, j)> : vector<2x1xf32>, !dataflow.private<4x2xf32>
    }
    dataflow.nest "drain" [4, 2] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %r affine_map<(i, j) -> (i, j)> : !dataflow.private<4x2xf32> -> f32
      dataflow.stream_write %v, %g : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "store" store [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i, j) -> (i, j)> : f32, !dataflow.port<4x2xf32>
  }
}
func.func @main(%x: tensor<4x2xf32> {streamtensor.extents = ["tokens", ""]}) -> tensor<4x2xf32> {
  %y = dataflow.launch @pairs(%x) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// Who writes a FIFO for each pair gives tokens of both, so all end with whole pairs.
// CHECK-DAG: #[[$ALL:.*]] = affine_map<()[s0] -> ((s0 ceildiv 2) * 2, 2)>
// CHECK-DAG: #[[$PAIRS:.*]] = affine_map<()[s0] -> (2, s0 ceildiv 2)>
// CHECK-LABEL: dataflow.design @given
// CHECK: dataflow.nest "fill" [4, 2] counts #[[$ALL]]
// CHECK: dataflow.nest "core" [2, 2] counts #[[$PAIRS]]
// CHECK: dataflow.leaf "take" compute [2, 2] counts affine_map<()[s0] -> (2, s0 ceildiv 2)>
dataflow.design @given {
  %x = dataflow.port in "x" : !dataflow.port<4x2xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x2xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  %k = dataflow.stream "k" : !dataflow.stream<vector<2xf32>>
  %w = dataflow.stream "w" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<4x2xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "weights" compute [2] {
  ^bb0(%j: index):
    %v = arith.constant 3.0 : f32
    dataflow.stream_write %v, %w : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "pairs" compute [] {
  ^bb0(%m: !dataflow.private<4x2xf32>, %r: !dataflow.private<4x2xf32>):
    dataflow.nest "fill" [4, 2] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
      dataflow.store %v, %m affine_map<(i, j) -> (i, j)> : f32, !dataflow.private<4x2xf32>
    }
    dataflow.nest "core" [2, 2] {
    ^bb0(%j: index, %i: index):
      %weight = dataflow.stream_read %w when affine_set<(j, i) : (i == 0)> : !dataflow.stream<f32> -> f32
      %v = dataflow.load %m affine_map<(j, i) -> (i * 2, j)> : !dataflow.private<4x2xf32> -> vector<2x1xf32>
      %both = vector.broadcast %weight : f32 to vector<2x1xf32>
      %p = arith.mulf %v, %both : vector<2x1xf32>
      dataflow.store %p, %r affine_map<(j, i) -> (i * 2, j)> : vector<2x1xf32>, !dataflow.private<4x2xf32>
      %token = vector.shape_cast %p : vector<2x1xf32> to vector<2xf32>
      dataflow.stream_write %token, %k : vector<2xf32>, !dataflow.stream<vector<2xf32>>
    }
    dataflow.nest "drain" [4, 2] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %r affine_map<(i, j) -> (i, j)> : !dataflow.private<4x2xf32> -> f32
      dataflow.stream_write %v, %g : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "take" compute [2, 2] {
  ^bb0(%j: index, %i: index):
    %v = dataflow.stream_read %k : !dataflow.stream<vector<2xf32>> -> vector<2xf32>
  }
  dataflow.leaf "store" store [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i, j) -> (i, j)> : f32, !dataflow.port<4x2xf32>
  }
}
func.func @main(%x: tensor<4x2xf32> {streamtensor.extents = ["tokens", ""]}) -> tensor<4x2xf32> {
  %y = dataflow.launch @given(%x) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
