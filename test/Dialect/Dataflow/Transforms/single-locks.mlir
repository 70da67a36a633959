// RUN: streamtensor-opt %s --dataflow-attach-device=device=%devices/u55c.json --dataflow-single-locks | FileCheck %s
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%devices/u55c.json --dataflow-single-locks -o %t
// RUN: streamtensor-run %s %t | FileCheck %s --check-prefix=SAME
// SAME-NOT: differs
// SAME: result0

// A leaf that takes two blocks and gives one keeps the widest that it takes: its result goes through a FIFO to a leaf
// that walks only the iterations in which it is stored, its narrow input comes from one that loads it as the core did.
// CHECK-LABEL: dataflow.design @product
// CHECK: %[[OUT:.*]] = dataflow.stream "result_fifo" : <vector<8xf32>>
// CHECK: %[[SCALE:.*]] = dataflow.stream "scale_fifo" : <f32>
// CHECK: dataflow.leaf "scale_serve" convert_out [2, 4] reads(%{{.*}} at 1 : !dataflow.buffer<4xf32>) {
// CHECK: %[[S:.*]] = dataflow.load %{{.*}} affine_map<(d0, d1) -> (d1)> : !dataflow.buffer<4xf32> -> f32
// CHECK: dataflow.stream_write %[[S]], %[[SCALE]] : f32, <f32>
// CHECK: dataflow.leaf "core" compute [2, 4] reads(%{{.*}} at 0 : !dataflow.buffer<4x8xf32>) {
// CHECK: dataflow.stream_read %[[SCALE]] : <f32> -> f32
// CHECK: %[[LINE:.*]] = vector.shape_cast %{{.*}} : vector<1x8xf32> to vector<8xf32>
// CHECK: dataflow.stream_write %[[LINE]], %[[OUT]] when #{{.*}} : vector<8xf32>, <vector<8xf32>>
// CHECK: dataflow.leaf "result_collect" convert_in [2] writes(%{{.*}} at 0 : !dataflow.buffer<2x8xf32>) {
// CHECK: dataflow.store %{{.*}}, %{{.*}} affine_map<(d0) -> (d0, 0)> : vector<1x8xf32>, !dataflow.buffer<2x8xf32>
dataflow.design @product {
  %x = dataflow.port in "x" : !dataflow.port<4x8xf32>
  %w = dataflow.port in "w" : !dataflow.port<2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x8xf32>
  %rows = dataflow.buffer "rows" blocks 1 : !dataflow.buffer<4x8xf32>
  %scale = dataflow.buffer "scale" blocks 2 : !dataflow.buffer<4xf32>
  %result = dataflow.buffer "result" blocks 1 : !dataflow.buffer<2x8xf32>
  dataflow.leaf "fill_rows" load [4] writes(%rows at 0 : !dataflow.buffer<4x8xf32>) {
  ^bb0(%k: index):
    %v = dataflow.load %x affine_map<(k) -> (k, 0)> : !dataflow.port<4x8xf32> -> vector<1x8xf32>
    dataflow.store %v, %rows affine_map<(k) -> (k, 0)> : vector<1x8xf32>, !dataflow.buffer<4x8xf32>
  }
  dataflow.leaf "fill_scale" load [2, 4] writes(%scale at 1 : !dataflow.buffer<4xf32>) {
  ^bb0(%i: index, %k: index):
    %v = dataflow.load %w affine_map<(i, k) -> (i, k)> : !dataflow.port<2x4xf32> -> f32
    dataflow.store %v, %scale affine_map<(i, k) -> (k)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "core" compute [2, 4] reads(%rows at 0 : !dataflow.buffer<4x8xf32>, %scale at 1 : !dataflow.buffer<4xf32>) writes(%result at 0 : !dataflow.buffer<2x8xf32>) {
  ^bb0(%i: index, %k: index):
    %row = dataflow.load %rows affine_map<(i, k) -> (k, 0)> : !dataflow.buffer<4x8xf32> -> vector<1x8xf32>
    %s = dataflow.load %scale affine_map<(i, k) -> (k)> : !dataflow.buffer<4xf32> -> f32
    %all = vector.broadcast %s : f32 to vector<1x8xf32>
    %p = arith.mulf %row, %all : vector<1x8xf32>
    dataflow.store %p, %result affine_map<(i, k) -> (i, 0)> when affine_set<(i, k) : (k - 3 == 0)> : vector<1x8xf32>, !dataflow.buffer<2x8xf32>
  }
  dataflow.leaf "drain" store [2] reads(%result at 0 : !dataflow.buffer<2x8xf32>) {
  ^bb0(%i: index):
    %v = dataflow.load %result affine_map<(i) -> (i, 0)> : !dataflow.buffer<2x8xf32> -> vector<1x8xf32>
    dataflow.store %v, %y affine_map<(i) -> (i, 0)> : vector<1x8xf32>, !dataflow.port<2x8xf32>
  }
}

// Nests together drain where the leaf gives its result, after three blocks; the halves begin anew there. So it keeps that block
// and hands on the other one.
// CHECK-LABEL: dataflow.design @together
// CHECK: dataflow.leaf "scale_serve" convert_out
// CHECK: dataflow.leaf "core" compute [2, 3] writes(%{{.*}} at 1 : !dataflow.buffer<3x4xf32>) attributes {together}
dataflow.design @together {
  %x = dataflow.port in "x" : !dataflow.port<2x3x4xf32>
  %w = dataflow.port in "w" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x3x4xf32>
  %rows = dataflow.stream "rows" : !dataflow.stream<f32>
  %scale = dataflow.buffer "scale" blocks 1 : !dataflow.buffer<4xf32>
  %result = dataflow.buffer "result" blocks 2 : !dataflow.buffer<3x4xf32>
  dataflow.leaf "load" load [2, 3, 4] {
  ^bb0(%n: index, %i: index, %k: index):
    %v = dataflow.load %x affine_map<(n, i, k) -> (n, i, k)> : !dataflow.port<2x3x4xf32> -> f32
    dataflow.stream_write %v, %rows : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "fill_scale" load [4] writes(%scale at 0 : !dataflow.buffer<4xf32>) {
  ^bb0(%k: index):
    %v = dataflow.load %w affine_map<(k) -> (k)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %scale affine_map<(k) -> (k)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "core" compute [2, 3] reads(%scale at 0 : !dataflow.buffer<4xf32>) writes(%result at 1 : !dataflow.buffer<3x4xf32>) attributes {together} {
  ^bb0(%n: index, %i: index, %row: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%k: index):
      %v = dataflow.stream_read %rows : !dataflow.stream<f32> -> f32
      dataflow.store %v, %row affine_map<(n, i, k) -> (i mod 2, k)> : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "core" [4] lag 1 {
    ^bb0(%k: index):
      %v = dataflow.load %row affine_map<(n, i, k) -> (i mod 2, k)> : !dataflow.private<2x4xf32> -> f32
      %s = dataflow.load %scale affine_map<(n, i, k) -> (k)> : !dataflow.buffer<4xf32> -> f32
      %p = arith.mulf %v, %s : f32
      dataflow.store %p, %result affine_map<(n, i, k) -> (i, k)> : f32, !dataflow.buffer<3x4xf32>
    }
  }
  dataflow.leaf "drain" store [2, 3, 4] reads(%result at 1 : !dataflow.buffer<3x4xf32>) {
  ^bb0(%n: index, %i: index, %k: index):
    %v = dataflow.load %result affine_map<(n, i, k) -> (i, k)> : !dataflow.buffer<3x4xf32> -> f32
    dataflow.store %v, %y affine_map<(n, i, k) -> (n, i, k)> : f32, !dataflow.port<2x3x4xf32>
  }
}
func.func @main(%x: tensor<2x3x4xf32>, %w: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %y = dataflow.launch @together(%x, %w) : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}
