// RUN: streamtensor-opt %s --split-input-file --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=FOLD

!rows = !itensor.itensor<1x8xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)>
!tiles = !itensor.itensor<2x4xf32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!gains = !itensor.itensor<1xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0)>

// A row of the data comes in two tokens of four elements, its factor before the first of them.

// CHECK-LABEL: dataflow.extern @scale_rows source "scale_rows.h" function "kernels::scale"
// CHECK-SAME: nest [4, 2] ii 1 delay 6 resources {dsp = 12 : i64, lut = 600 : i64}
// CHECK-SAME: takes ["x" : {{.*}} as !dataflow.stream<vector<4xf32>>, "gain" when #set : {{.*}} as !dataflow.stream<f32>]
// CHECK-SAME: gives ["y" : {{.*}} as !dataflow.stream<i128>] {
// CHECK: dataflow.yield
#first = affine_set<(row, part) : (part == 0)>
dataflow.extern @scale_rows source "scale_rows.h" function "kernels::scale"
    nest [4, 2] ii 1 delay 6 resources {dsp = 12, lut = 600}
    takes ["x" : !rows as !dataflow.stream<vector<4xf32>>, "gain" when #first : !gains as !dataflow.stream<f32>]
    gives ["y" : !rows as !dataflow.stream<i128>] {
^bb0(%x: tensor<4x8xf32>, %gain: tensor<4xf32>):
  %empty = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %gain : tensor<4x8xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x8xf32>
  dataflow.yield %y : tensor<4x8xf32>
}

// On tensors the task is pure: what nobody needs goes.

// CHECK-LABEL: func.func @tensors
// CHECK: dataflow.extern_task @scale_rows(%{{.*}}, %{{.*}}) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
// FOLD-LABEL: func.func @tensors
// FOLD-COUNT-1: dataflow.extern_task
// FOLD-NOT: dataflow.extern_task
func.func @tensors(%x: tensor<4x8xf32>, %gain: tensor<4xf32>) -> tensor<4x8xf32> {
  %unused = dataflow.extern_task @scale_rows(%x, %gain) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  %y = dataflow.extern_task @scale_rows(%x, %gain) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// In a kernel it takes FIFOs. There and back between two of them is one FIFO, and a view of a view
// that has the type of the FIFO is the FIFO.

// CHECK-LABEL: dataflow.kernel "scaled"
// CHECK: dataflow.itensor_to_stream
// CHECK: dataflow.stream_to_itensor
// CHECK: dataflow.stream_cast
// FOLD-LABEL: dataflow.kernel "scaled"
// FOLD: %[[x:.*]] = dataflow.itensor_to_stream {{.*}} to <vector<4xf32>>
// FOLD: dataflow.extern_task @scale_rows(%[[x]]
// FOLD-NOT: stream_to_itensor
// FOLD: %[[view:.*]] = dataflow.stream_cast {{.*}} : <i128> to <vector<4xf32>>
// FOLD-NOT: itensor_to_stream
// FOLD: %[[y:.*]] = dataflow.extern_task @scale_rows(%[[view]]
// FOLD: dataflow.stream_cast %[[y]] : <i128> to <vector<4xf32>>
func.func @fifos(%x: tensor<4x8xf32>, %g: tensor<4xf32>, %h: tensor<4xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "scaled"(%x, %g, %h) : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
  ^bb0(%tx: tensor<4x8xf32>, %tg: tensor<4xf32>, %th: tensor<4xf32>):
    %gs = itensor.from_tensor %tg : tensor<4xf32> -> !gains
    %gf = dataflow.itensor_to_stream %gs : !gains to !dataflow.stream<f32>
    %hs = itensor.from_tensor %th : tensor<4xf32> -> !gains
    %hf = dataflow.itensor_to_stream %hs : !gains to !dataflow.stream<f32>
    %xs = itensor.from_tensor %tx : tensor<4x8xf32> -> !rows
    %xf = dataflow.itensor_to_stream %xs : !rows to !dataflow.stream<vector<4xf32>>
    %yf = dataflow.extern_task @scale_rows(%xf, %gf) : (!dataflow.stream<vector<4xf32>>, !dataflow.stream<f32>) -> !dataflow.stream<i128>
    %yv = dataflow.stream_cast %yf : !dataflow.stream<i128> to !dataflow.stream<vector<4xf32>>
    %ys = dataflow.stream_to_itensor %yv : !dataflow.stream<vector<4xf32>> to !rows
    %zf = dataflow.itensor_to_stream %ys : !rows to !dataflow.stream<vector<4xf32>>
    %zf2 = dataflow.extern_task @scale_rows(%zf, %hf) : (!dataflow.stream<vector<4xf32>>, !dataflow.stream<f32>) -> !dataflow.stream<i128>
    %zi = dataflow.stream_cast %zf2 : !dataflow.stream<i128> to !dataflow.stream<vector<16xi8>>
    %zv = dataflow.stream_cast %zi : !dataflow.stream<vector<16xi8>> to !dataflow.stream<vector<4xf32>>
    %zs = dataflow.stream_to_itensor %zv : !dataflow.stream<vector<4xf32>> to !rows
    %t = itensor.to_tensor %zs : !rows -> tensor<4x8xf32>
    dataflow.yield %t : tensor<4x8xf32>
  }
  return %k : tensor<4x8xf32>
}

// -----

// A view of a FIFO in a design; both ends count.

// CHECK-LABEL: dataflow.design @views
// CHECK: %[[s:.*]] = dataflow.stream "s" : <vector<4xi16>, 2>
// CHECK: %[[v:.*]] = dataflow.stream_cast %[[s]] : <vector<4xi16>, 2> to <i64, 2>
// CHECK: dataflow.stream_read %[[v]] : <i64, 2> -> i64
dataflow.design @views {
  %x = dataflow.port in "x" : !dataflow.port<8xi16>
  %y = dataflow.port out "y" : !dataflow.port<2xi64>
  %s = dataflow.stream "s" : !dataflow.stream<vector<4xi16>, 2>
  %v = dataflow.stream_cast %s : !dataflow.stream<vector<4xi16>, 2> to !dataflow.stream<i64, 2>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xi16> -> vector<4xi16>
    dataflow.stream_write %t, %s : vector<4xi16>, !dataflow.stream<vector<4xi16>, 2>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %v : !dataflow.stream<i64, 2> -> i64
    dataflow.store %t, %y affine_map<(i) -> (i)> : i64, !dataflow.port<2xi64>
  }
}
