// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t --input=%t.d/arg0.npy --compare=%t.d/result0.npy
// RUN: streamtensor-opt %t --streamtensor-size-phase >%t.sized
// RUN: streamtensor-run %t.sized --pipelined --input=%t.d/arg0.npy --compare=%t.d/result0.npy

// Three blocks of each row are filled while the one before is summed up, in two halves of a memory: 0, 1, 0. The pipeline
// drains with each row, as a result is given then, so that block 0 of the next row may have the half of block 2. What is
// left of the leaf gives no result, but it drains as before.

// CHECK: dataflow.leaf "sums_operands" compute [1, 2, 3] attributes {serial = 2 : i64, together}
// CHECK: dataflow.nest "fill" [2]
// CHECK: dataflow.nest "core" [2] lag 1
// CHECK: dataflow.leaf "sums" compute [1, 2, 3] writes(%r at 2
// CHECK: dataflow.leaf "engine" compute [1]

dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<12xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %d = dataflow.stream "d" : !dataflow.stream<f32>
  %r = dataflow.buffer "r" blocks 2 : <2xf32>
  dataflow.leaf "load" load [12] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<12xf32> -> f32
    dataflow.stream_write %v, %s : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "double" compute [12] attributes {engine = "engine"} {
  ^bb0(%i: index):
    %two = arith.constant 2.0 : f32
    %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %two : f32
    dataflow.stream_write %w, %d : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "sums" compute [2, 3] writes(%r at 1 : !dataflow.buffer<2xf32>) attributes {engine = "engine", together} {
  ^bb0(%i: index, %b: index, %half: !dataflow.private<2x2xf32>, %m: !dataflow.private<2xf32>):
    dataflow.nest "fill" [2] {
    ^bb0(%j: index):
      %v = dataflow.stream_read %d : !dataflow.stream<f32> -> f32
      dataflow.store %v, %half affine_map<(d0, d1, d2) -> (d1 mod 2, d2)> : f32, !dataflow.private<2x2xf32>
    }
    dataflow.nest "core" [2] lag 1 {
    ^bb0(%j: index):
      %zero = arith.constant 0.0 : f32
      %three = arith.constant 3.0 : f32
      %v = dataflow.load %half affine_map<(d0, d1, d2) -> (d1 mod 2, d2)> : !dataflow.private<2x2xf32> -> f32
      %w = arith.mulf %v, %three : f32
      %before = dataflow.load %m affine_map<(d0, d1, d2) -> (d2)> : !dataflow.private<2xf32> -> f32
      %first = dataflow.test affine_set<(d0, d1, d2) : (d1 == 0)>
      %start = arith.select %first, %zero, %before : f32
      %sum = arith.addf %start, %w : f32
      dataflow.store %sum, %m affine_map<(d0, d1, d2) -> (d2)> : f32, !dataflow.private<2xf32>
      dataflow.store %sum, %r affine_map<(d0, d1, d2) -> (d2)> when affine_set<(d0, d1, d2) : (d1 - 2 == 0)> : f32, !dataflow.buffer<2xf32>
    }
  }
  dataflow.leaf "store" store [2, 2] reads(%r at 1 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %r affine_map<(d0, d1) -> (d1)> : !dataflow.buffer<2xf32> -> f32
    dataflow.store %v, %y affine_map<(d0, d1) -> (d0 * 2 + d1)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%x: tensor<12xf32>) -> tensor<4xf32> {
  %y = dataflow.launch @rows(%x) : (tensor<12xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
