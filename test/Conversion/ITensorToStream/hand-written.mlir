// RUN: streamtensor-opt %s --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream -o %t.mlir
// RUN: streamtensor-run %s %t.mlir | FileCheck %s --check-prefix=AGREE

!row = !itensor.itensor<1x12xi32, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)>

// Lanes that two bridges state for one edge: each gets its own, through those they have in common.

// A kernel of two outputs, one of which nobody reads; the other is a packed word, and its next reader takes
// it as lanes: a view at our end, a leaf in between where that reader is another hand-written kernel.

// AGREE-COUNT-2: digest
// AGREE-NOT: differs

dataflow.extern @split source "split.h" nest [4, 3] ii 1 delay 2
    takes ["x" : !row as !dataflow.stream<vector<4xi32>>]
    gives ["same" : !row as !dataflow.stream<i128>,
           "sums" when affine_set<(row, part) : (part - 2 == 0)> : !itensor.itensor<1xi32, iter_space: [4] * [1], iter_map: (d0) -> (d0)> as !dataflow.stream<i32>] {
^bb0(%x: tensor<4x12xi32>):
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<4xi32>) -> tensor<4xi32>
  %sums = linalg.reduce { arith.addi } ins(%x : tensor<4x12xi32>) outs(%init : tensor<4xi32>) dimensions = [1]
  dataflow.yield %x, %sums : tensor<4x12xi32>, tensor<4xi32>
}
dataflow.extern @join source "join.h" nest [4, 2] ii 1 delay 2
    takes ["x" : !row as !dataflow.stream<vector<6xi32>>]
    gives ["y" : !row as !dataflow.stream<vector<6xi32>>] {
^bb0(%x: tensor<4x12xi32>):
  dataflow.yield %x : tensor<4x12xi32>
}
dataflow.extern @lanes source "lanes.h" nest [4, 3] ii 1 delay 2
    takes ["x" : !row as !dataflow.stream<vector<4xi32>>]
    gives ["y" : !row as !dataflow.stream<vector<4xi32>>] {
^bb0(%x: tensor<4x12xi32>):
  dataflow.yield %x : tensor<4x12xi32>
}

// CHECK-LABEL: dataflow.design @chain
// CHECK: %[[in:.*]] = dataflow.stream "x_fifo" : <vector<4xi32>>
// CHECK: %[[same:.*]] = dataflow.stream "split_same_fifo" : <i128>
// CHECK: %[[sums:.*]] = dataflow.stream "split_sums_fifo" : <i32>
// CHECK: dataflow.leaf "split" extern [4, 3]
// CHECK: dataflow.stream_read %[[in]]
// CHECK: dataflow.extern_step @split
// CHECK: dataflow.stream_write %{{.*}}, %[[same]] {{.*}} : i128, <i128>
// CHECK: dataflow.stream_write %{{.*}}, %[[sums]] when
// CHECK: dataflow.leaf "split_discard" discard [4]
// CHECK: dataflow.stream_read %[[sums]]
// CHECK: %[[view:.*]] = dataflow.stream_cast %[[same]] : <i128> to <vector<4xi32>>

// CHECK: %[[copy:.*]] = dataflow.stream "lanes_fifo" : <vector<4xi32>>
// CHECK: dataflow.leaf "lanes_regroup" regroup [12]
// CHECK: dataflow.stream_read %[[view]]
// CHECK: dataflow.stream_write %{{.*}}, %[[copy]]
// CHECK: dataflow.leaf "lanes" extern [4, 3]
// CHECK: dataflow.stream_read %[[copy]]

// CHECK: dataflow.leaf "t_regroup" regroup [12, 2]
// CHECK: ^bb0({{.*}}, %[[held:.*]]: !dataflow.private<4xi32>):
// CHECK: %[[four:.*]] = dataflow.stream_read %{{.*}} when
// CHECK: dataflow.store %[[four]], %[[held]] affine_map<(d0, d1) -> (0)> when
// CHECK: %[[two:.*]] = dataflow.load %[[held]] affine_map<(d0, d1) -> (d1 * 2)>
// CHECK: dataflow.stream_write %[[two]]
// CHECK: dataflow.leaf "t_regroup_1" regroup [8, 3]
// CHECK: dataflow.store %{{.*}} affine_map<(d0, d1) -> (d1 * 2)>
// CHECK: %[[six:.*]] = dataflow.load %{{.*}} affine_map<(d0, d1) -> (0)> when
// CHECK: dataflow.stream_write %[[six]], %{{.*}} when
// CHECK: dataflow.leaf "join" extern [4, 2]
func.func @main(%x: tensor<4x12xi32> {streamtensor.name = "x"}) -> tensor<4x12xi32> {
  %k = dataflow.kernel "chain"(%x) : (tensor<4x12xi32>) -> tensor<4x12xi32> {
  ^bb0(%t: tensor<4x12xi32>):
    %a = itensor.from_tensor %t : tensor<4x12xi32> -> !row
    %af = dataflow.itensor_to_stream %a : !row to !dataflow.stream<vector<4xi32>>
    %sf, %unused = dataflow.extern_task @split(%af) : (!dataflow.stream<vector<4xi32>>) -> (!dataflow.stream<i128>, !dataflow.stream<i32>)
    %sv = dataflow.stream_cast %sf : !dataflow.stream<i128> to !dataflow.stream<vector<4xi32>>
    %lf = dataflow.extern_task @lanes(%sv) : (!dataflow.stream<vector<4xi32>>) -> !dataflow.stream<vector<4xi32>>
    %b = dataflow.stream_to_itensor %lf : !dataflow.stream<vector<4xi32>> to !row
    %bf = dataflow.itensor_to_stream %b : !row to !dataflow.stream<vector<6xi32>>
    %cf = dataflow.extern_task @join(%bf) : (!dataflow.stream<vector<6xi32>>) -> !dataflow.stream<vector<6xi32>>
    %c = dataflow.stream_to_itensor %cf : !dataflow.stream<vector<6xi32>> to !row
    %r = itensor.to_tensor %c : !row -> tensor<4x12xi32>
    dataflow.yield %r : tensor<4x12xi32>
  }
  return %k : tensor<4x12xi32>
}
