// RUN: streamtensor-opt %s %u55c --dataflow-nest-blocks | FileCheck %s

// A core with two fills and a drain in its outer loop becomes one leaf: fills at one block, the core a block behind,
// the drain two. Blocks become memories of two halves. A block that is held over other loops stays a block.
// CHECK-LABEL: dataflow.design @product
// CHECK-NOT: dataflow.buffer "a"
// CHECK: dataflow.buffer "kept"
// CHECK: dataflow.leaf "core" compute [3, 2] reads(%{{.*}} at 1 : !dataflow.buffer<4xf32>) attributes {together} {
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %{{.*}}: index, %[[ACC:.*]]: !dataflow.private<1xf32>, %[[A:.*]]: !dataflow.private<2x4xf32>, %[[B:.*]]: !dataflow.private<2x4xf32>, %[[R:.*]]: !dataflow.private<2x1xf32>):
// CHECK-NEXT: dataflow.nest "fill" [4] {
// CHECK: dataflow.store %{{.*}}, %[[A]] affine_map<(d0, d1, d2) -> (d1 mod 2, d2)> : f32, !dataflow.private<2x4xf32>
// CHECK: dataflow.nest "fill_1" [2] {
// CHECK: %[[BOX:.*]] = vector.shape_cast %{{.*}} : vector<2xf32> to vector<1x2xf32>
// CHECK: dataflow.store %[[BOX]], %[[B]] affine_map<(d0, d1, d2) -> (d1 mod 2, d2 * 2)> : vector<1x2xf32>, !dataflow.private<2x4xf32>
// CHECK: dataflow.nest "core" [4] lag 1 {
// CHECK: dataflow.load %[[A]] affine_map<(d0, d1, d2) -> (d1 mod 2, d2)>
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1, d2) -> (d2)> : !dataflow.buffer<4xf32> -> f32
// CHECK: dataflow.nest "drain" [1] lag 2 {
// CHECK: dataflow.load %[[R]] affine_map<(d0, d1, d2) -> (d1 mod 2, d2)>
dataflow.design @product {
  %fa = dataflow.stream "fa" : !dataflow.stream<f32>
  %fb = dataflow.stream "fb" : !dataflow.stream<vector<2xf32>>
  %fk = dataflow.stream "fk" : !dataflow.stream<f32>
  %fr = dataflow.stream "fr" : !dataflow.stream<f32>
  %a = dataflow.buffer "a" blocks 2 : !dataflow.buffer<4xf32>
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<4xf32>
  %kept = dataflow.buffer "kept" blocks 2 : !dataflow.buffer<4xf32>
  %r = dataflow.buffer "r" blocks 2 : !dataflow.buffer<1xf32>
  dataflow.leaf "feed_a" load [24] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %fa : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "feed_b" load [12] {
  ^bb0(%i: index):
    %one = arith.constant dense<1.0> : vector<2xf32>
    dataflow.stream_write %one, %fb : vector<2xf32>, !dataflow.stream<vector<2xf32>>
  }
  dataflow.leaf "feed_k" load [12] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %fk : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "fill_a" fill [3, 2, 4] writes(%a at 2 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.stream_read %fa : !dataflow.stream<f32> -> f32
    dataflow.store %v, %a affine_map<(i, j, k) -> (k)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "fill_b" fill [3, 2, 2] writes(%b at 2 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.stream_read %fb : !dataflow.stream<vector<2xf32>> -> vector<2xf32>
    dataflow.store %v, %b affine_map<(i, j, k) -> (k * 2)> : vector<2xf32>, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "fill_kept" fill [3, 4] writes(%kept at 1 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index, %k: index):
    %v = dataflow.stream_read %fk : !dataflow.stream<f32> -> f32
    dataflow.store %v, %kept affine_map<(i, k) -> (k)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "core" compute [3, 2, 4] reads(%a at 2 : !dataflow.buffer<4xf32>, %b at 2 : !dataflow.buffer<4xf32>, %kept at 1 : !dataflow.buffer<4xf32>) writes(%r at 2 : !dataflow.buffer<1xf32>) {
  ^bb0(%i: index, %j: index, %k: index, %acc: !dataflow.private<1xf32>):
    %x = dataflow.load %a affine_map<(i, j, k) -> (k)> : !dataflow.buffer<4xf32> -> f32
    %y = dataflow.load %b affine_map<(i, j, k) -> (k)> : !dataflow.buffer<4xf32> -> f32
    %z = dataflow.load %kept affine_map<(i, j, k) -> (k)> : !dataflow.buffer<4xf32> -> f32
    %old = dataflow.load %acc affine_map<(i, j, k) -> (0)> : !dataflow.private<1xf32> -> f32
    %xy = arith.mulf %x, %y : f32
    %xyz = arith.mulf %xy, %z : f32
    %sum = arith.addf %old, %xyz : f32
    dataflow.store %sum, %acc affine_map<(i, j, k) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.store %sum, %r affine_map<(i, j, k) -> (0)> when affine_set<(i, j, k) : (k - 3 == 0)> : f32, !dataflow.buffer<1xf32>
  }
  dataflow.leaf "drain_r" drain [3, 2, 1] reads(%r at 2 : !dataflow.buffer<1xf32>) {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.load %r affine_map<(i, j, k) -> (k)> : !dataflow.buffer<1xf32> -> f32
    dataflow.stream_write %v, %fr : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "end" store [6] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fr : !dataflow.stream<f32> -> f32
  }
}

// Three drains of one iteration, and three more pipelines to fill and empty, cost
// less than the wait for a block, a third of the slowest leaf: in turn.
// CHECK-LABEL: dataflow.design @sums
// CHECK: dataflow.leaf "core" compute [3] {
// CHECK: dataflow.nest "core" [200] {
// CHECK: dataflow.store %{{.*}}, %{{.*}} affine_map<(d0, d1) -> (0, 0)> when
// CHECK: dataflow.nest "drain" [1] {
dataflow.design @sums {
  %fa = dataflow.stream "fa" : !dataflow.stream<f32>
  %fr = dataflow.stream "fr" : !dataflow.stream<f32>
  %r = dataflow.buffer "r" blocks 2 : !dataflow.buffer<1xf32>
  dataflow.leaf "feed" load [600] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %fa : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "core" compute [3, 200] writes(%r at 1 : !dataflow.buffer<1xf32>) {
  ^bb0(%i: index, %k: index):
    %v = dataflow.stream_read %fa : !dataflow.stream<f32> -> f32
    dataflow.store %v, %r affine_map<(i, k) -> (0)> when affine_set<(i, k) : (k - 199 == 0)> : f32, !dataflow.buffer<1xf32>
  }
  dataflow.leaf "drain_r" drain [3, 1] reads(%r at 1 : !dataflow.buffer<1xf32>) {
  ^bb0(%i: index, %k: index):
    %v = dataflow.load %r affine_map<(i, k) -> (k)> : !dataflow.buffer<1xf32> -> f32
    dataflow.stream_write %v, %fr : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "end" store [3] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fr : !dataflow.stream<f32> -> f32
  }
}

// A long drain is hidden behind the next block.
// CHECK-LABEL: dataflow.design @long_drain
// CHECK: dataflow.leaf "core" compute [8] attributes {together} {
// CHECK: dataflow.nest "core" [4] {
// CHECK: dataflow.nest "drain" [4] lag 1 {
dataflow.design @long_drain {
  %fa = dataflow.stream "fa" : !dataflow.stream<f32>
  %fr = dataflow.stream "fr" : !dataflow.stream<f32>
  %r = dataflow.buffer "r" blocks 2 : !dataflow.buffer<4xf32>
  dataflow.leaf "feed" load [32] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %fa : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "core" compute [8, 4] writes(%r at 1 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index, %k: index):
    %v = dataflow.stream_read %fa : !dataflow.stream<f32> -> f32
    dataflow.store %v, %r affine_map<(i, k) -> (k)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "drain_r" drain [8, 4] reads(%r at 1 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index, %k: index):
    %v = dataflow.load %r affine_map<(i, k) -> (3 - k)> : !dataflow.buffer<4xf32> -> f32
    dataflow.stream_write %v, %fr : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "end" store [32] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fr : !dataflow.stream<f32> -> f32
  }
}
