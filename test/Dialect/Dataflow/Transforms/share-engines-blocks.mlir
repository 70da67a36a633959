// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-run %s --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-run %t --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-opt %t --streamtensor-size-phase >%t.sized
// RUN: streamtensor-run %t.sized --pipelined --elements 4 | FileCheck %s --check-prefix=VALUES

// The second product takes the rows of a layer from a block, turned around, and its sums go to a memory, from which they
// leave. So the leaf becomes two: what reads the block and hands its elements to the engine has the block, what takes
// the products back has the memory. A layer makes of (h, h) of each row 3 (2 h + 1) in both: 3 * 3 = 9, then 57.
// VALUES: result0 tensor<4xf32> [57, 57, 57, 57]

// CHECK: dataflow.leaf "down_operands" compute [2] counts {{.*}} reads(%block at 1 : !dataflow.buffer<2x2xf32>)
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: index
// CHECK: dataflow.load %block
// CHECK: dataflow.stream_write {{.*}}, %down_taken
// CHECK-NOT: private
// CHECK: dataflow.leaf "down" compute [2] counts affine_map<()[s0] -> (s0)> (%layers) {
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: index{{.*}}, %[[M:[a-z0-9]*]]: !dataflow.private<2x2xf32>
// CHECK: dataflow.stream_read %down_sums
// CHECK: dataflow.store {{.*}}, %[[M]]
// CHECK: dataflow.leaf "engine" compute [2]
// CHECK: dataflow.nest "down" [2, 2]
// CHECK: dataflow.stream_read %down_taken
// CHECK: arith.mulf
// CHECK: dataflow.stream_write {{.*}}, %down_sums

dataflow.design @ring {
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %layers = dataflow.scalar "layers" from 1 to 2 : index
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  %d = dataflow.stream "d" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  %o = dataflow.stream "o" : !dataflow.stream<f32>
  dataflow.leaf "ones" compute [2, 2] {
  ^bb0(%i: index, %j: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %s : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "enter" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %new = dataflow.stream_read %s when affine_set<(d0, d1, d2) : (d0 == 0)> : !dataflow.stream<f32> -> f32
    %old = dataflow.stream_read %h when affine_set<(d0, d1, d2) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2) : (d0 == 0)>
    %v = arith.select %first, %new, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "up" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index, %j: index):
    %two = arith.constant 2.0 : f32
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %two : f32
    dataflow.stream_write %w, %a : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "act" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %one = arith.constant 1.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %w = arith.addf %v, %one : f32
    dataflow.stream_write %w, %b : f32, !dataflow.stream<f32>
  }
  %block = dataflow.buffer "block" blocks 2 : !dataflow.buffer<2x2xf32>
  dataflow.leaf "fill" convert_in [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) writes(%block at 1 : !dataflow.buffer<2x2xf32>) {
  ^bb0(%t: index, %i: index, %j: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    dataflow.store %v, %block affine_map<(d0, d1, d2) -> (d1, d2)> : f32, !dataflow.buffer<2x2xf32>
  }
  dataflow.leaf "down" compute [2] counts affine_map<()[s0] -> (s0)> (%layers) reads(%block at 1 : !dataflow.buffer<2x2xf32>) attributes {engine = "engine"} {
  ^bb0(%t: index, %m: !dataflow.private<2x2xf32>):
    dataflow.nest "core" [2, 2] {
    ^bb0(%i: index, %j: index):
      %three = arith.constant 3.0 : f32
      %v = dataflow.load %block affine_map<(d0, d1, d2) -> (d2, d1)> : !dataflow.buffer<2x2xf32> -> f32
      %w = arith.mulf %v, %three : f32
      dataflow.store %w, %m affine_map<(d0, d1, d2) -> (d2, d1)> : f32, !dataflow.private<2x2xf32>
    }
    dataflow.nest "drain" [2, 2] {
    ^bb0(%i: index, %j: index):
      %r = dataflow.load %m affine_map<(d0, d1, d2) -> (d1, d2)> : !dataflow.private<2x2xf32> -> f32
      dataflow.stream_write %r, %d : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "leave" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %v = dataflow.stream_read %d : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0, d1, d2)[s0] : (s0 - d0 - 2 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %o when affine_set<(d0, d1, d2)[s0] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%layers: index) -> tensor<4xf32> {
  %y = dataflow.launch @ring() scalars(%layers) : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}
