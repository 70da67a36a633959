// RUN: streamtensor-opt %s | streamtensor-opt | FileCheck %s
// RUN: streamtensor-opt %s --mlir-print-op-generic | streamtensor-opt | FileCheck %s

// CHECK-LABEL: dataflow.design @in_turn
dataflow.design @in_turn {
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "feed" load [48] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %a : f32, !dataflow.stream<f32>
  }
  // CHECK: dataflow.leaf "swap" compute [3]
  dataflow.leaf "swap" compute [3] {
  ^bb0(%n: index, %tile: !dataflow.private<4x4xf32>):
    // CHECK: dataflow.nest "fill" [4, 4] {
    // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
    dataflow.nest "fill" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
      dataflow.store %v, %tile affine_map<(n, i, j) -> (i, j)> : f32, !dataflow.private<4x4xf32>
    }
    // CHECK: dataflow.nest "drain" [4, 4] attributes {limit = "the test"} {
    dataflow.nest "drain" [4, 4] attributes {limit = "the test"} {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(n, i, j) -> (j, i)> : !dataflow.private<4x4xf32> -> f32
      dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
    }
  }
  // CHECK: dataflow.leaf "together" compute [3] attributes {together} {
  dataflow.leaf "together" compute [3] attributes {together} {
  ^bb0(%n: index, %tile: !dataflow.private<2x4x4xf32>):
    dataflow.nest "fill" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
      dataflow.store %v, %tile affine_map<(n, i, j) -> (n mod 2, i, j)> : f32, !dataflow.private<2x4x4xf32>
    }
    // CHECK: dataflow.nest "drain" [4, 4] lag 1 {
    dataflow.nest "drain" [4, 4] lag 1 {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(n, i, j) -> (n mod 2, j, i)> : !dataflow.private<2x4x4xf32> -> f32
    }
    // The shared loops can be used as values; nests may be at one block.
    dataflow.nest "use" [1] lag 1 {
    ^bb0(%i: index):
      %sum = arith.addi %n, %i : index
    }
  }
}
