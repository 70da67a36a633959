// RUN: streamtensor-opt %s %u55c --dataflow-early-drains | FileCheck %s
// RUN: streamtensor-opt %s %u55c --dataflow-early-drains -o %t
// RUN: streamtensor-run %s %t | FileCheck %s --check-prefix=SAME
// SAME-NOT: differs
// SAME: result0

#first = affine_set<(p, t, k, r) : (p == 0, 1 - k >= 0)>
#last = affine_set<(p, t, k, r) : (p - 2 == 0, k - 2 >= 0)>

// Three panels of terms, two tiles of two rows, and two partial sums of each row. The sums of a tile are there when the last
// panel has come to it, not when it has come to all tiles. Who takes them has a block of a tile.
// CHECK-LABEL: dataflow.design @carried
// CHECK: dataflow.buffer "sums" blocks 2 : <2x2x4xf32>
// CHECK: dataflow.leaf "core" compute [3, 2, 4, 2] {
// CHECK: dataflow.stream_write %{{.*}}, %[[SUMS:.*]] when #{{.*}} : vector<4xf32>, <vector<4xf32>>
// CHECK: dataflow.leaf "sums_collect" fill [2, 2, 2] writes(%{{.*}} at 1 : !dataflow.buffer<2x2x4xf32>) {
// CHECK: dataflow.stream_read %[[SUMS]]
// CHECK: dataflow.store %{{.*}}, %{{.*}} affine_map<(d0, d1, d2) -> (d1 mod 2, d2, 0)>
// CHECK: dataflow.leaf "core_drain" compute [2, 2] reads(%{{.*}} at 1 : !dataflow.buffer<2x2x4xf32>) {
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1) -> (0, d1, 0)>
dataflow.design @carried {
  %x = dataflow.port in "x" : !dataflow.port<3x2x4x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x2x4xf32>
  %in = dataflow.stream "in" : !dataflow.stream<vector<4xf32>>
  %out = dataflow.stream "out" : !dataflow.stream<vector<4xf32>>
  %sums = dataflow.buffer "sums" blocks 1 : !dataflow.buffer<2x4x4xf32>
  dataflow.leaf "x_load" load [3, 2, 4, 2] {
  ^bb0(%p: index, %t: index, %k: index, %r: index):
    %v = dataflow.load %x affine_map<(p, t, k, r) -> (p, t, k, r, 0)> : !dataflow.port<3x2x4x2x4xf32> -> vector<1x1x1x1x4xf32>
    %f = vector.shape_cast %v : vector<1x1x1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %in : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "core" compute [3, 2, 4, 2] writes(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%p: index, %t: index, %k: index, %r: index, %acc: !dataflow.private<2x4x4xf32>):
    %v = dataflow.stream_read %in : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    %zero = arith.constant dense<0.0> : vector<1x1x4xf32>
    %sum = dataflow.load %acc affine_map<(p, t, k, r) -> (k mod 2, 2 * t + r, 0)> : !dataflow.private<2x4x4xf32> -> vector<1x1x4xf32>
    %first = dataflow.test #first
    %old = arith.select %first, %zero, %sum : vector<1x1x4xf32>
    %new = arith.addf %old, %v3 : vector<1x1x4xf32>
    dataflow.store %new, %acc affine_map<(p, t, k, r) -> (k mod 2, 2 * t + r, 0)> : vector<1x1x4xf32>, !dataflow.private<2x4x4xf32>
    dataflow.store %new, %sums affine_map<(p, t, k, r) -> (k mod 2, 2 * t + r, 0)> when #last : vector<1x1x4xf32>, !dataflow.buffer<2x4x4xf32>
  }
  dataflow.leaf "core_drain" drain [2, 2] reads(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%t: index, %r: index):
    %v = dataflow.load %sums affine_map<(t, r) -> (0, 2 * t + r, 0)> : !dataflow.buffer<2x4x4xf32> -> vector<2x1x4xf32>
    %a = vector.extract_strided_slice %v {offsets = [0, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %b = vector.extract_strided_slice %v {offsets = [1, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %s = arith.addf %a, %b : vector<1x1x4xf32>
    %f = vector.shape_cast %s : vector<1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %out : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "y_store" store [2, 2] {
  ^bb0(%t: index, %r: index):
    %v = dataflow.stream_read %out : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    dataflow.store %v3, %y affine_map<(t, r) -> (t, r, 0)> : vector<1x1x4xf32>, !dataflow.port<2x2x4xf32>
  }
}

// With one panel the sums come all the time, and the task gives them as it goes.
// CHECK-LABEL: dataflow.design @one_panel
// CHECK: dataflow.leaf "core" compute [1, 2, 4, 2] writes(%{{.*}} at 0 : !dataflow.buffer<2x4x4xf32>) {
dataflow.design @one_panel {
  %x = dataflow.port in "x" : !dataflow.port<1x2x4x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x2x4xf32>
  %in = dataflow.stream "in" : !dataflow.stream<vector<4xf32>>
  %out = dataflow.stream "out" : !dataflow.stream<vector<4xf32>>
  %sums = dataflow.buffer "sums" blocks 1 : !dataflow.buffer<2x4x4xf32>
  dataflow.leaf "x_load" load [1, 2, 4, 2] {
  ^bb0(%p: index, %t: index, %k: index, %r: index):
    %v = dataflow.load %x affine_map<(p, t, k, r) -> (p, t, k, r, 0)> : !dataflow.port<1x2x4x2x4xf32> -> vector<1x1x1x1x4xf32>
    %f = vector.shape_cast %v : vector<1x1x1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %in : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "core" compute [1, 2, 4, 2] writes(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%p: index, %t: index, %k: index, %r: index, %acc: !dataflow.private<2x4x4xf32>):
    %v = dataflow.stream_read %in : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    %zero = arith.constant dense<0.0> : vector<1x1x4xf32>
    %sum = dataflow.load %acc affine_map<(p, t, k, r) -> (k mod 2, 2 * t + r, 0)> : !dataflow.private<2x4x4xf32> -> vector<1x1x4xf32>
    %first = dataflow.test #first
    %old = arith.select %first, %zero, %sum : vector<1x1x4xf32>
    %new = arith.addf %old, %v3 : vector<1x1x4xf32>
    dataflow.store %new, %acc affine_map<(p, t, k, r) -> (k mod 2, 2 * t + r, 0)> : vector<1x1x4xf32>, !dataflow.private<2x4x4xf32>
    dataflow.store %new, %sums affine_map<(p, t, k, r) -> (k mod 2, 2 * t + r, 0)> when affine_set<(p, t, k, r) : (k - 2 >= 0)> : vector<1x1x4xf32>, !dataflow.buffer<2x4x4xf32>
  }
  dataflow.leaf "core_drain" drain [2, 2] reads(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%t: index, %r: index):
    %v = dataflow.load %sums affine_map<(t, r) -> (0, 2 * t + r, 0)> : !dataflow.buffer<2x4x4xf32> -> vector<2x1x4xf32>
    %a = vector.extract_strided_slice %v {offsets = [0, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %b = vector.extract_strided_slice %v {offsets = [1, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %s = arith.addf %a, %b : vector<1x1x4xf32>
    %f = vector.shape_cast %s : vector<1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %out : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "y_store" store [2, 2] {
  ^bb0(%t: index, %r: index):
    %v = dataflow.stream_read %out : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    dataflow.store %v3, %y affine_map<(t, r) -> (t, r, 0)> : vector<1x1x4xf32>, !dataflow.port<2x2x4xf32>
  }
}

// Rows of a tile lie apart, and are not read together.
// CHECK-LABEL: dataflow.design @across_tiles
// CHECK: dataflow.leaf "core" compute [3, 2, 4, 2] writes(%{{.*}} at 0 : !dataflow.buffer<2x4x4xf32>) {
dataflow.design @across_tiles {
  %x = dataflow.port in "x" : !dataflow.port<3x2x4x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x2x4xf32>
  %in = dataflow.stream "in" : !dataflow.stream<vector<4xf32>>
  %out = dataflow.stream "out" : !dataflow.stream<vector<4xf32>>
  %sums = dataflow.buffer "sums" blocks 1 : !dataflow.buffer<2x4x4xf32>
  dataflow.leaf "x_load" load [3, 2, 4, 2] {
  ^bb0(%p: index, %t: index, %k: index, %r: index):
    %v = dataflow.load %x affine_map<(p, t, k, r) -> (p, t, k, r, 0)> : !dataflow.port<3x2x4x2x4xf32> -> vector<1x1x1x1x4xf32>
    %f = vector.shape_cast %v : vector<1x1x1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %in : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "core" compute [3, 2, 4, 2] writes(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%p: index, %t: index, %k: index, %r: index, %acc: !dataflow.private<2x4x4xf32>):
    %v = dataflow.stream_read %in : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    %zero = arith.constant dense<0.0> : vector<1x1x4xf32>
    %sum = dataflow.load %acc affine_map<(p, t, k, r) -> (k mod 2, t + 2 * r, 0)> : !dataflow.private<2x4x4xf32> -> vector<1x1x4xf32>
    %first = dataflow.test #first
    %old = arith.select %first, %zero, %sum : vector<1x1x4xf32>
    %new = arith.addf %old, %v3 : vector<1x1x4xf32>
    dataflow.store %new, %acc affine_map<(p, t, k, r) -> (k mod 2, t + 2 * r, 0)> : vector<1x1x4xf32>, !dataflow.private<2x4x4xf32>
    dataflow.store %new, %sums affine_map<(p, t, k, r) -> (k mod 2, t + 2 * r, 0)> when #last : vector<1x1x4xf32>, !dataflow.buffer<2x4x4xf32>
  }
  dataflow.leaf "core_drain" drain [2, 2] reads(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%t: index, %r: index):
    %v = dataflow.load %sums affine_map<(t, r) -> (0, 2 * t + r, 0)> : !dataflow.buffer<2x4x4xf32> -> vector<2x1x4xf32>
    %a = vector.extract_strided_slice %v {offsets = [0, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %b = vector.extract_strided_slice %v {offsets = [1, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %s = arith.addf %a, %b : vector<1x1x4xf32>
    %f = vector.shape_cast %s : vector<1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %out : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "y_store" store [2, 2] {
  ^bb0(%t: index, %r: index):
    %v = dataflow.stream_read %out : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    dataflow.store %v3, %y affine_map<(t, r) -> (t, r, 0)> : vector<1x1x4xf32>, !dataflow.port<2x2x4xf32>
  }
}

// Which partial sum it is depends on the tile as well: no part of the block is that of a tile.
// CHECK-LABEL: dataflow.design @mixed
// CHECK: dataflow.leaf "core" compute [3, 2, 4, 2] writes(%{{.*}} at 0 : !dataflow.buffer<2x4x4xf32>) {
dataflow.design @mixed {
  %x = dataflow.port in "x" : !dataflow.port<3x2x4x2x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x2x4xf32>
  %in = dataflow.stream "in" : !dataflow.stream<vector<4xf32>>
  %out = dataflow.stream "out" : !dataflow.stream<vector<4xf32>>
  %sums = dataflow.buffer "sums" blocks 1 : !dataflow.buffer<2x4x4xf32>
  dataflow.leaf "x_load" load [3, 2, 4, 2] {
  ^bb0(%p: index, %t: index, %k: index, %r: index):
    %v = dataflow.load %x affine_map<(p, t, k, r) -> (p, t, k, r, 0)> : !dataflow.port<3x2x4x2x4xf32> -> vector<1x1x1x1x4xf32>
    %f = vector.shape_cast %v : vector<1x1x1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %in : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "core" compute [3, 2, 4, 2] writes(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%p: index, %t: index, %k: index, %r: index, %acc: !dataflow.private<2x4x4xf32>):
    %v = dataflow.stream_read %in : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    %zero = arith.constant dense<0.0> : vector<1x1x4xf32>
    %sum = dataflow.load %acc affine_map<(p, t, k, r) -> ((k + t) mod 2, 2 * t + r, 0)> : !dataflow.private<2x4x4xf32> -> vector<1x1x4xf32>
    %first = dataflow.test #first
    %old = arith.select %first, %zero, %sum : vector<1x1x4xf32>
    %new = arith.addf %old, %v3 : vector<1x1x4xf32>
    dataflow.store %new, %acc affine_map<(p, t, k, r) -> ((k + t) mod 2, 2 * t + r, 0)> : vector<1x1x4xf32>, !dataflow.private<2x4x4xf32>
    dataflow.store %new, %sums affine_map<(p, t, k, r) -> ((k + t) mod 2, 2 * t + r, 0)> when #last : vector<1x1x4xf32>, !dataflow.buffer<2x4x4xf32>
  }
  dataflow.leaf "core_drain" drain [2, 2] reads(%sums at 0 : !dataflow.buffer<2x4x4xf32>) {
  ^bb0(%t: index, %r: index):
    %v = dataflow.load %sums affine_map<(t, r) -> (0, 2 * t + r, 0)> : !dataflow.buffer<2x4x4xf32> -> vector<2x1x4xf32>
    %a = vector.extract_strided_slice %v {offsets = [0, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %b = vector.extract_strided_slice %v {offsets = [1, 0, 0], sizes = [1, 1, 4], strides = [1, 1, 1]} : vector<2x1x4xf32> to vector<1x1x4xf32>
    %s = arith.addf %a, %b : vector<1x1x4xf32>
    %f = vector.shape_cast %s : vector<1x1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %out : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "y_store" store [2, 2] {
  ^bb0(%t: index, %r: index):
    %v = dataflow.stream_read %out : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %v3 = vector.shape_cast %v : vector<4xf32> to vector<1x1x4xf32>
    dataflow.store %v3, %y affine_map<(t, r) -> (t, r, 0)> : vector<1x1x4xf32>, !dataflow.port<2x2x4xf32>
  }
}

func.func @main(%x: tensor<3x2x4x2x4xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x4xf32>) {
  %y = dataflow.launch @carried(%x) : (tensor<3x2x4x2x4xf32>) -> tensor<2x2x4xf32>
  %z = dataflow.launch @across_tiles(%x) : (tensor<3x2x4x2x4xf32>) -> tensor<2x2x4xf32>
  return %y, %z : tensor<2x2x4xf32>, tensor<2x2x4xf32>
}
