// RUN: streamtensor-opt %s --streamtensor-materialise --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s

!by_column = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
!by_row = !itensor.itensor<4x1xf32, iter_space: [4, 2, 2] * [2, 4, 1], iter_map: (d0, d1, d2) -> (d1, d0 + d2)>

// A converter is two leaves and a block that both acquire under the loops they share. The order
// inside the block is the writer's on one side and the reader's on the other.

// CHECK-LABEL: dataflow.design @convert
// CHECK: %[[block:[a-z0-9_]+]] = dataflow.buffer "t_reorder" blocks 2 : <4x2xf32>
// CHECK: dataflow.leaf "t_reorder_in" convert_in [4, 2, 4] writes(%[[block]] at 2
// CHECK: dataflow.stream_read
// CHECK: dataflow.store %{{.*}}, %[[block]] affine_map<(d0, d1, d2) -> (d2, 0)>
// CHECK: dataflow.leaf "t_reorder_out" convert_out [4, 2, 2] reads(%[[block]] at 2
// CHECK: dataflow.load %[[block]] affine_map<(d0, d1, d2) -> (0, d2)>
// CHECK: dataflow.stream_write
// CHECK: dataflow.leaf "result0_store" store [4, 2, 2]
// CHECK: dataflow.store %{{.*}} affine_map<(d0, d1, d2) -> (d1 * 4, d0 * 2 + d2)>
func.func @converter(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "convert"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !by_column
    %c = itensor.converter %s : !by_column to !by_row
    %y = itensor.to_tensor %c : !by_row -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}

// -----

!whole = !itensor.itensor<2x4xf32, iter_space: [2, 4] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!first = !itensor.itensor<2x4xf32, iter_space: [2] * [2], iter_map: (d0) -> (d0, 0)>
!middle = !itensor.itensor<2x4xf32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>

// Parts are told apart by guards on the loop along the dimension; nobody reads the last part.

// CHECK: #[[$A:set[0-9]*]] = affine_set<(d0, d1, d2) : (-d1 >= 0)>
// CHECK: #[[$B:set[0-9]*]] = affine_set<(d0, d1, d2) : (d1 - 1 >= 0, -d1 + 2 >= 0)>
// CHECK-LABEL: dataflow.design @split
// CHECK: dataflow.leaf "t_chunk" chunk [2, 4, 2] {
// CHECK: %[[v:[a-z0-9_]+]] = dataflow.stream_read
// CHECK: dataflow.stream_write %[[v]], %{{.*}} when #[[$A]]
// CHECK: dataflow.stream_write %[[v]], %{{.*}} when #[[$B]]
// CHECK-NOT: dataflow.stream_write
// CHECK: dataflow.leaf "result0_store" store [2, 2]
// CHECK: dataflow.leaf "result1_store" store [2, 2, 2]
func.func @chunk(%x: tensor<4x16xf32>) -> (tensor<4x4xf32>, tensor<4x8xf32>) {
  %k:2 = dataflow.kernel "split"(%x) : (tensor<4x16xf32>) -> (tensor<4x4xf32>, tensor<4x8xf32>) {
  ^bb0(%t: tensor<4x16xf32>):
    %s = itensor.from_tensor %t : tensor<4x16xf32> -> !whole
    %a, %b, %c = itensor.chunk %s dim 1 : !whole -> !first, !middle, !first
    %y = itensor.to_tensor %a : !first -> tensor<4x4xf32>
    %z = itensor.to_tensor %b : !middle -> tensor<4x8xf32>
    dataflow.yield %y, %z : tensor<4x4xf32>, tensor<4x8xf32>
  }
  return %k#0, %k#1 : tensor<4x4xf32>, tensor<4x8xf32>
}

// -----

!whole = !itensor.itensor<2x4xf32, iter_space: [2, 4] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!first = !itensor.itensor<2x4xf32, iter_space: [2] * [2], iter_map: (d0) -> (d0, 0)>
!last = !itensor.itensor<2x4xf32, iter_space: [2, 3] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>

// Each part is read and passed on in the trips that it fills.

// CHECK: #[[$A:set[0-9]*]] = affine_set<(d0, d1, d2) : (-d1 >= 0)>
// CHECK: #[[$B:set[0-9]*]] = affine_set<(d0, d1, d2) : (d1 - 1 >= 0)>
// CHECK-LABEL: dataflow.design @join
// CHECK: %[[left:[a-z0-9_]+]] = dataflow.stream "arg0_fifo"
// CHECK: %[[right:[a-z0-9_]+]] = dataflow.stream "arg1_fifo"
// CHECK: dataflow.leaf "t_concat" concat [2, 4, 2] {
// CHECK: %[[a:[a-z0-9_]+]] = dataflow.stream_read %[[left]] when #[[$A]]
// CHECK-NEXT: dataflow.stream_write %[[a]], %[[out:[a-z0-9_]+]] when #[[$A]]
// CHECK-NEXT: %[[b:[a-z0-9_]+]] = dataflow.stream_read %[[right]] when #[[$B]]
// CHECK-NEXT: dataflow.stream_write %[[b]], %[[out]] when #[[$B]]
func.func @concat(%x: tensor<4x4xf32>, %y: tensor<4x12xf32>) -> tensor<4x16xf32> {
  %k = dataflow.kernel "join"(%x, %y) : (tensor<4x4xf32>, tensor<4x12xf32>) -> tensor<4x16xf32> {
  ^bb0(%t: tensor<4x4xf32>, %u: tensor<4x12xf32>):
    %a = itensor.from_tensor %t : tensor<4x4xf32> -> !first
    %b = itensor.from_tensor %u : tensor<4x12xf32> -> !last
    %s = itensor.concat %a, %b dim 1 : !first, !last -> !whole
    %y2 = itensor.to_tensor %s : !whole -> tensor<4x16xf32>
    dataflow.yield %y2 : tensor<4x16xf32>
  }
  return %k : tensor<4x16xf32>
}

// -----

!part = !itensor.itensor<2x4xi32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!whole = !itensor.itensor<2x4xi32, iter_space: [3, 4] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>

// Inside all padded dimensions the stream is read, elsewhere the constant takes its place.

// CHECK: #[[$INSIDE:set[0-9]*]] = affine_set<(d0, d1, d2) : (d0 - 1 >= 0, d1 - 1 >= 0, -d1 + 2 >= 0)>
// CHECK-LABEL: dataflow.design @padded
// CHECK: dataflow.leaf "t_pad" pad [3, 4, 2] {
// CHECK: %[[v:[a-z0-9_]+]] = dataflow.stream_read %{{.*}} when #[[$INSIDE]]
// CHECK: %[[seven:[a-z0-9_]+]] = arith.constant dense<7> : vector<4xi32>
// CHECK: %[[in:[a-z0-9_]+]] = dataflow.test #[[$INSIDE]]
// CHECK: %[[y:[a-z0-9_]+]] = arith.select %[[in]], %[[v]], %[[seven]] : vector<4xi32>
// CHECK: dataflow.stream_write %[[y]], %{{[a-z0-9_]+}}{{.*}} : vector<4xi32>
func.func @pad(%x: tensor<4x8xi32>) -> tensor<6x16xi32> {
  %k = dataflow.kernel "padded"(%x) : (tensor<4x8xi32>) -> tensor<6x16xi32> {
  ^bb0(%t: tensor<4x8xi32>):
    %a = itensor.from_tensor %t : tensor<4x8xi32> -> !part
    %s = itensor.pad %a low [2, 4] high [0, 4] value 7 : i32 : !part to !whole
    %y = itensor.to_tensor %s : !whole -> tensor<6x16xi32>
    dataflow.yield %y : tensor<6x16xi32>
  }
  return %k : tensor<6x16xi32>
}

// -----

!rows = !itensor.itensor<1x8xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)>
!flat = !itensor.itensor<8xf32, iter_space: [4] * [8], iter_map: (d0) -> (d0)>

// A slice of memory is an offset in its address. A fork reads once and writes every copy; a
// reassociated itensor is the same FIFO.

// CHECK-LABEL: dataflow.design @fan_out
// CHECK: dataflow.leaf "arg0_load" load [4]
// CHECK: affine_map<(d0) -> (d0 + 2, 0)>
// CHECK: %[[a:[a-z0-9_]+]] = dataflow.stream "t_fifo" : <vector<8xf32>>
// CHECK: %[[b:[a-z0-9_]+]] = dataflow.stream "t_fifo_1" : <vector<8xf32>>
// CHECK: dataflow.leaf "t_fork" fork [4] {
// CHECK: %[[v:[a-z0-9_]+]] = dataflow.stream_read
// CHECK-DAG: dataflow.stream_write %[[v]], %[[a]]
// CHECK-DAG: dataflow.stream_write %[[v]], %[[b]]
// CHECK: dataflow.leaf "result1_store" store [4]
// CHECK: dataflow.store %{{.*}} affine_map<(d0) -> (d0 * 8)> : vector<8xf32>, !dataflow.port<32xf32>
func.func @fork(%x: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<32xf32>) {
  %k:2 = dataflow.kernel "fan_out"(%x) : (tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<32xf32>) {
  ^bb0(%t: tensor<6x8xf32>):
    %a = itensor.from_tensor %t offsets [2, 0] : tensor<6x8xf32> -> !rows
    %r = itensor.reassociate %a [[0, 1]] : !rows to !flat
    %y = itensor.to_tensor %a : !rows -> tensor<4x8xf32>
    %z = itensor.to_tensor %r : !flat -> tensor<32xf32>
    dataflow.yield %y, %z : tensor<4x8xf32>, tensor<32xf32>
  }
  return %k#0, %k#1 : tensor<4x8xf32>, tensor<32xf32>
}

// -----

!rows = !itensor.itensor<2x4xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0, 0)>

// A design stands beside the functions: a kernel with the name of one gets another.

// CHECK-LABEL: dataflow.design @copy_1
// CHECK: func.func @copy
// CHECK: dataflow.launch @copy_1
func.func @copy(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %k = dataflow.kernel "copy"(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%t: tensor<8x4xf32>):
    %s = itensor.from_tensor %t : tensor<8x4xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<8x4xf32>
    dataflow.yield %y : tensor<8x4xf32>
  }
  return %k : tensor<8x4xf32>
}
