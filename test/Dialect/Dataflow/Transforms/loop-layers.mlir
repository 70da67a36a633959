// RUN: streamtensor-opt %s --dataflow-loop-layers | FileCheck %s

// A layer adds weights of its own, times a factor that all share, to the rows that the layer before gave. It reads these
// in words, a word twice, and writes them one by one.
// CHECK-LABEL: dataflow.design @layer
// CHECK: dataflow.port in "factor" : <f32>
// CHECK: %[[X:[a-z0-9_]+]] = dataflow.port in "x" : <8xf32>
// CHECK: %[[W:[a-z0-9_]+]] = dataflow.port in "w" : <3x2x4xf32>
// CHECK: %[[Y:[a-z0-9_]+]] = dataflow.port out "y" : <3x8xf32>
// CHECK: %[[LAYERS:[a-z0-9_]+]] = dataflow.scalar "layers" from 1 to 3 : index
// CHECK-DAG: %[[MEMORY:[a-z0-9_]+]] = dataflow.stream "x_memory" : <f32>
// CHECK-DAG: %[[BACK:[a-z0-9_]+]] = dataflow.stream "x_back" back : <f32>
// CHECK-DAG: %[[KEPT:[a-z0-9_]+]] = dataflow.stream "x_kept" : <f32>
// CHECK-DAG: %[[HELD:[a-z0-9_]+]] = dataflow.stream "x_held" : <vector<4xf32>>

// CHECK: dataflow.leaf "load_x" load [3, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%[[LAYERS]]) {
// CHECK: %[[WORD:[a-z0-9_]+]] = dataflow.stream_read %[[HELD]]
// CHECK: vector.shape_cast %[[WORD]] : vector<4xf32> to vector<1x4xf32>

// CHECK: dataflow.leaf "load_w" load [3, 2] counts
// CHECK: dataflow.load %[[W]] affine_map<(d0, d1) -> (d0, d1, 0)> : !dataflow.port<3x2x4xf32> -> vector<1x1x4xf32>
// A tensor that all layers share is read again for each.
// CHECK: dataflow.leaf "load_factor" load [3] counts
// CHECK: dataflow.load %{{.*}} affine_map<(d0) -> ()> : !dataflow.port<f32> -> f32

// Nests with lag drain between layers; a block is held for a layer.
// CHECK: dataflow.leaf "sum" compute [3, 2] counts affine_map<()[s0] -> (s0, 2)> (%[[LAYERS]]) writes(%{{.*}} at 1 : !dataflow.buffer<2x4xf32>) attributes {serial = 1 : i64, together} {
// CHECK: dataflow.nest "fill" []
// CHECK: dataflow.nest "core" [2] lag 1 {
// CHECK: dataflow.stream_read %{{.*}} when #{{.*}} : <f32> -> f32
// CHECK: affine_map<(d0, d1, d2) -> (d1 mod 2, 0)>

// All layers write their results, all but the last send them back.
// CHECK: dataflow.leaf "store" store [3, 2, 4] counts {{.*}} reads(%{{.*}} at 1 : !dataflow.buffer<2x4xf32>) {
// CHECK: dataflow.store %[[VALUE:[a-z0-9_]+]], %[[Y]] affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2)>
// CHECK: dataflow.stream_write %[[VALUE]], %[[BACK]] when #{{.*}} : f32

// CHECK: dataflow.leaf "x_first" load [2, 4] {
// CHECK: dataflow.load %[[X]] affine_map<(d0, d1) -> (d0 * 4 + d1)>
// CHECK: dataflow.stream_write %{{.*}}, %[[MEMORY]]
// CHECK: dataflow.leaf "x_back_enter" fork [3, 2, 4] counts
// CHECK: dataflow.stream_read %[[MEMORY]] when #[[$FIRST:[a-z0-9]+]] : <f32> -> f32
// CHECK: dataflow.stream_read %[[BACK]] when #{{.*}} : <f32> -> f32
// CHECK: dataflow.test #[[$FIRST]]
// CHECK: dataflow.stream_write %{{.*}}, %[[KEPT]]
// CHECK: dataflow.leaf "x_hold" convert_out [3] counts
// CHECK: ^bb0(%{{.*}}: index, %[[HOLD:[a-z0-9_]+]]: !dataflow.private<8xf32>):
// CHECK: dataflow.nest "take" [2, 4] {
// CHECK: dataflow.store %{{.*}}, %[[HOLD]] affine_map<(d0, d1, d2)[s0] -> (d1 * 4 + d2)>
// CHECK: dataflow.nest "give" [2, 2] {
// CHECK: dataflow.load %[[HOLD]] affine_map<(d0, d1, d2)[s0] -> (d2 * 4)> : !dataflow.private<8xf32> -> vector<4xf32>

// CHECK: func.func @main(%{{.*}}: tensor<2x4xf32> {streamtensor.name = "x"}, %[[WEIGHTS:[a-z0-9_]+]]: tensor<3x4x2xf32> {streamtensor.stacked}, %{{.*}}: tensor<1xf32>, %[[COUNT:[a-z0-9_]+]]: index {streamtensor.name = "layers"}) -> tensor<3x2x4xf32>
// CHECK-SAME: attributes {streamtensor.layers = 3 : i64, streamtensor.looped}
// CHECK-DAG: itensor.pack %[[WEIGHTS]] strides [8, 1, 2] offset 0 : tensor<3x4x2xf32> -> tensor<3x2x4xf32>
// CHECK-DAG: tensor.collapse_shape %{{.*}} [] : tensor<1xf32> into tensor<f32>
// CHECK: %[[ALL:[a-z0-9_]+]] = dataflow.launch @layer(%{{.*}}) scalars(%[[COUNT]]) : (tensor<f32>, tensor<8xf32>, tensor<3x2x4xf32>) -> tensor<3x8xf32>
// CHECK: tensor.expand_shape %[[ALL]] {{\[\[}}0], [1, 2]] output_shape [3, 2, 4]

dataflow.design @layer {
  %factor = dataflow.port in "factor" : !dataflow.port<f32>
  %x = dataflow.port in "x" : !dataflow.port<2x4xf32>
  %w = dataflow.port in "w" : !dataflow.port<2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %xs = dataflow.stream "xs" : !dataflow.stream<vector<4xf32>>
  %ws = dataflow.stream "ws" : !dataflow.stream<vector<4xf32>>
  %fs = dataflow.stream "fs" : !dataflow.stream<f32>
  %rows = dataflow.buffer "rows" blocks 2 : !dataflow.buffer<2x4xf32>
  dataflow.leaf "load_x" load [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (j, 0)> : !dataflow.port<2x4xf32> -> vector<1x4xf32>
    %r = vector.shape_cast %v : vector<1x4xf32> to vector<4xf32>
    dataflow.stream_write %r, %xs : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "load_w" load [2] {
  ^bb0(%i: index):
    %v = dataflow.load %w affine_map<(i) -> (i, 0)> : !dataflow.port<2x4xf32> -> vector<1x4xf32>
    %r = vector.shape_cast %v : vector<1x4xf32> to vector<4xf32>
    dataflow.stream_write %r, %ws : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "load_factor" load [] {
    %v = dataflow.load %factor affine_map<() -> ()> : !dataflow.port<f32> -> f32
    dataflow.stream_write %v, %fs : f32, !dataflow.stream<f32>
  }
  // Row i of the sum is the last row of x plus the weights of row i times the factor.
  dataflow.leaf "sum" compute [2] writes(%rows at 0 : !dataflow.buffer<2x4xf32>) attributes {together} {
  ^bb0(%b: index, %held: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [] {
      %v = dataflow.stream_read %ws : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
      %r = vector.shape_cast %v : vector<4xf32> to vector<1x4xf32>
      dataflow.store %r, %held affine_map<(b) -> (b mod 2, 0)> : vector<1x4xf32>, !dataflow.private<2x4xf32>
    }
    dataflow.nest "core" [2] lag 1 {
    ^bb0(%k: index):
      %v = dataflow.stream_read %xs : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
      %f = dataflow.stream_read %fs when affine_set<(b, k) : (b == 0, k == 0)> : !dataflow.stream<f32> -> f32
      %s = dataflow.load %held affine_map<(b, k) -> (b mod 2, 0)> : !dataflow.private<2x4xf32> -> vector<1x4xf32>
      %t = vector.shape_cast %s : vector<1x4xf32> to vector<4xf32>
      %g = vector.broadcast %f : f32 to vector<4xf32>
      %p = arith.mulf %t, %g : vector<4xf32>
      %a = arith.addf %v, %p : vector<4xf32>
      %r = vector.shape_cast %a : vector<4xf32> to vector<1x4xf32>
      dataflow.store %r, %rows affine_map<(b, k) -> (b, 0)> when affine_set<(b, k) : (k - 1 == 0)> : vector<1x4xf32>, !dataflow.buffer<2x4xf32>
    }
  }
  dataflow.leaf "store" store [2, 4] reads(%rows at 0 : !dataflow.buffer<2x4xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %rows affine_map<(i, j) -> (i, j)> : !dataflow.buffer<2x4xf32> -> f32
    dataflow.store %v, %y affine_map<(i, j) -> (i * 4 + j)> : f32, !dataflow.port<8xf32>
  }
}
func.func @main(%x: tensor<2x4xf32> {streamtensor.name = "x", streamtensor.next = 0 : i64}, %w: tensor<4x2xf32> {streamtensor.stacked}, %factor: tensor<1xf32>) -> tensor<2x4xf32> attributes {streamtensor.layers = 3 : i64} {
  %f = tensor.collapse_shape %factor [] : tensor<1xf32> into tensor<f32>
  %p = itensor.pack %w strides [1, 2] offset 0 : tensor<4x2xf32> -> tensor<2x4xf32>
  %y = dataflow.launch @layer(%f, %x, %p) : (tensor<f32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<8xf32>
  %r = tensor.expand_shape %y [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
