// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-run %s --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-run %t --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-opt %t --streamtensor-size-phase >%t.sized
// RUN: streamtensor-run %t.sized --pipelined --elements 4 | FileCheck %s --check-prefix=VALUES

// Two products in turn add up sums, one element at a time, in memories of 2x2 and of 2 elements. A turn begins its sums
// anew, so they have one memory of 4: element (i, j) of the first is 2 i + j of it. Of 0 to 7, "up" adds 2 x of those four
// apart, 8, 12, 16, 20; with one more each, "side" adds 3 x of those two apart: 3 (9 + 17), 3 (13 + 21).
// VALUES: result0 tensor<4xf32> [78, 102, 78, 102]

// CHECK: dataflow.leaf "engine" compute [1]
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: index, %[[M:[a-z0-9]*]]: !dataflow.private<4x1xf32>):
// CHECK: dataflow.nest "up" [2, 2, 2, 2]
// CHECK: dataflow.load %[[M]] affine_map<(d0, d1, d2, d3, d4) -> (d3 * 2 + d4, 0)>
// CHECK: dataflow.store %{{[^,]*}}, %[[M]] affine_map<(d0, d1, d2, d3, d4) -> (d3 * 2 + d4, 0)>
// CHECK: dataflow.nest "side" [2, 2, 2]
// CHECK: dataflow.load %[[M]] affine_map<(d0, d1, d2, d3) -> (d3, 0)>
// CHECK: dataflow.store %{{[^,]*}}, %[[M]] affine_map<(d0, d1, d2, d3) -> (d3, 0)>

!f = !dataflow.stream<f32>

dataflow.design @turns {
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %x = dataflow.stream "x" : !f
  %a = dataflow.stream "a" : !f
  %b = dataflow.stream "b" : !f
  %z = dataflow.stream "z" : !f
  dataflow.leaf "numbers" compute [2, 8] {
  ^bb0(%t: index, %i: index):
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f32
    dataflow.stream_write %v, %x : f32, !f
  }
  dataflow.leaf "up" compute [2, 2, 2, 2] attributes {engine = "engine"} {
  ^bb0(%t: index, %k: index, %i: index, %j: index, %m: !dataflow.private<2x2xf32>):
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %v = dataflow.stream_read %x : !f -> f32
    %product = arith.mulf %v, %two : f32
    %before = dataflow.load %m affine_map<(d0, d1, d2, d3) -> (d2, d3)> : !dataflow.private<2x2xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2, d3) : (d1 == 0)>
    %earlier = arith.select %first, %zero, %before : f32
    %sum = arith.addf %earlier, %product : f32
    dataflow.store %sum, %m affine_map<(d0, d1, d2, d3) -> (d2, d3)> : f32, !dataflow.private<2x2xf32>
    dataflow.stream_write %sum, %a when affine_set<(d0, d1, d2, d3) : (d1 - 1 == 0)> : f32, !f
  }
  dataflow.leaf "more" compute [2, 4] {
  ^bb0(%t: index, %i: index):
    %one = arith.constant 1.0 : f32
    %v = dataflow.stream_read %a : !f -> f32
    %w = arith.addf %v, %one : f32
    dataflow.stream_write %w, %b : f32, !f
  }
  dataflow.leaf "side" compute [2, 2, 2] attributes {engine = "engine"} {
  ^bb0(%t: index, %k: index, %i: index, %m: !dataflow.private<2xf32>):
    %zero = arith.constant 0.0 : f32
    %three = arith.constant 3.0 : f32
    %v = dataflow.stream_read %b : !f -> f32
    %product = arith.mulf %v, %three : f32
    %before = dataflow.load %m affine_map<(d0, d1, d2) -> (d2)> : !dataflow.private<2xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2) : (d1 == 0)>
    %earlier = arith.select %first, %zero, %before : f32
    %sum = arith.addf %earlier, %product : f32
    dataflow.store %sum, %m affine_map<(d0, d1, d2) -> (d2)> : f32, !dataflow.private<2xf32>
    dataflow.stream_write %sum, %z when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : f32, !f
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %z : !f -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main() -> tensor<4xf32> {
  %y = dataflow.launch @turns() : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}
