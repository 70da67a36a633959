// RUN: %roundtrip %s | FileCheck %s
// RUN: streamtensor-opt %s --dataflow-bind-scalars=values=tokens=5,width=3 | FileCheck %s --check-prefix=BOUND
// RUN: streamtensor-opt %s --dataflow-bind-scalars | FileCheck %s --check-prefix=LARGEST
// RUN: not streamtensor-opt %s --dataflow-bind-scalars=values=tokens=9 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not streamtensor-opt %s --dataflow-bind-scalars=values=token=9 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not streamtensor-opt %s --dataflow-bind-scalars=values=tokens 2>&1 | FileCheck %s --check-prefix=FORM

// Counts, guards, tests, addresses and values that depend on numbers of the launch.

// BEYOND: [launch.scalars] scalar 'tokens' of the program is 9; it must lie between 1 and 8
// NAME: [launch.scalars] no design has a scalar 'token'; there are: tokens, width
// FORM: 'tokens' is no value of a scalar: NAME=NUMBER

// CHECK-LABEL: dataflow.design @rows
// BOUND-LABEL: dataflow.design @rows
// BOUND-NOT: dataflow.scalar
// LARGEST-LABEL: dataflow.design @rows
dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<8x6xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  // CHECK: %tokens = dataflow.scalar "tokens" from 1 to 8 : index
  // CHECK: %width = dataflow.scalar "width" from 1 to 6 : index
  %tokens = dataflow.scalar "tokens" from 1 to 8 : index
  %width = dataflow.scalar "width" from 1 to 6 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  // CHECK: dataflow.leaf "load" load [8, 6] counts affine_map<()[s0, s1] -> (s0, s1)> (%tokens, %width) {
  // BOUND: dataflow.leaf "load" load [5, 3] {
  // LARGEST: dataflow.leaf "load" load [8, 6] {
  dataflow.leaf "load" load [8, 6] counts affine_map<()[s0, s1] -> (s0, s1)> (%tokens, %width) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<8x6xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32>
  }
  // The sum of a row divided by its length.
  // BOUND: dataflow.leaf "mean" compute [5, 3] {
  dataflow.leaf "mean" compute [8, 6] counts affine_map<()[s0, s1] -> (s1, s0)> (%width, %tokens) {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    // BOUND: %[[N:.*]] = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d1 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    // BOUND: arith.index_cast %[[N]] : index to i32
    %count = arith.index_cast %width : index to i32
    %divisor = arith.sitofp %count : i32 to f32
    %mean = arith.divf %new, %divisor : f32
    // CHECK: dataflow.stream_write %{{.*}}, %b when #
    // BOUND: dataflow.stream_write %{{.*}}, %b when #[[LAST:.*]] : f32
    dataflow.stream_write %mean, %b when affine_set<(d0, d1)[s0] : (d1 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
  }
  // From the last to the first.
  // BOUND: dataflow.leaf "store" store [5] {
  dataflow.leaf "store" store [8] counts affine_map<()[s0] -> (s0)> (%tokens) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    // BOUND: dataflow.store %{{.*}}, %y affine_map<(d0) -> (-d0 + 4)>
    dataflow.store %v, %y affine_map<(d0)[s0] -> (s0 - d0 - 1)> : f32, !dataflow.port<8xf32>
  }
}

// CHECK: func.func @main(%{{.*}}: tensor<8x6xf32>, %[[T:[^:]*]]: index, 
// CHECK: dataflow.launch @rows(%{{.*}}) scalars(%[[T]], %{{.*}}) : (tensor<8x6xf32>) -> tensor<8xf32>
// BOUND: func.func @main(%{{.*}}: tensor<8x6xf32>) -> tensor<8xf32>
// BOUND: dataflow.launch @rows(%{{.*}}) : (tensor<8x6xf32>) -> tensor<8xf32>
func.func @main(%x: tensor<8x6xf32>, %n: index, %w: index) -> tensor<8xf32> {
  %y = dataflow.launch @rows(%x) scalars(%n, %w) : (tensor<8x6xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
