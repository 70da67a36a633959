// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: rm -rf %t.out && mkdir %t.out && streamtensor-run %t --output-dir=%t.out
// RUN: streamtensor-run %t --pipelined --compare=%t.out/result0.npy --compare=%t.out/result1.npy \
// RUN:   | FileCheck %s
// RUN: sed -e 's/ii = 9/ii = 6/' %t >%t.fast
// RUN: not streamtensor-run %t.fast --verify=false --pipelined --compare=%t.out/result0.npy \
// RUN:   --compare=%t.out/result1.npy 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: sed -e 's/store \(.*\)at 4 for/store \1at 0 for/' %t >%t.early
// RUN: not streamtensor-run %t.early --verify=false --pipelined 2>&1 | FileCheck %s --check-prefix=EARLY

// Iterations overlap as the schedule says. The sums of a row meet one register every nine cycles, 6 for the adder, 1
// for the write and 2 of slack: with six a sum starts from the value before last. The queue of two is read a cycle before the product that takes the
// place of what was read is written, at stage 4; written at stage 0 it would be there before.

// CHECK-NOT: differs
// FAST: element [0] of result 0 is
// EARLY: 'dataflow.store' op overwrites what an earlier iteration has yet to read

dataflow.design @pipelined {
  %in = dataflow.port in "x" : !dataflow.port<8x4xf32>
  %sums = dataflow.port out "y" : !dataflow.port<8xf32>
  %delayed = dataflow.port out "z" : !dataflow.port<8x4xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 64>
  dataflow.leaf "load" load [8, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<8x4xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "sum" compute [8, 4] {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32, 64>
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d1 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.store %new, %sums affine_map<(d0, d1) -> (d0)> when affine_set<(d0, d1) : (d1 - 3 == 0)> : f32, !dataflow.port<8xf32>
  }
  dataflow.leaf "delay" store [8, 4] {
  ^bb0(%i: index, %j: index, %queue: !dataflow.private<2xf32>):
    %v = dataflow.stream_read %b : !dataflow.stream<f32, 64> -> f32
    %w = arith.mulf %v, %v : f32
    %old = dataflow.load %queue affine_map<(d0, d1) -> (d1 mod 2)> : !dataflow.private<2xf32> -> f32
    %sum = arith.addf %w, %old : f32
    dataflow.store %w, %queue affine_map<(d0, d1) -> (d1 mod 2)> : f32, !dataflow.private<2xf32>
    dataflow.store %sum, %delayed affine_map<(d0, d1) -> (d0, d1)> when affine_set<(d0, d1) : (d1 - 2 >= 0)> : f32, !dataflow.port<8x4xf32>
  }
}
func.func @main(%x: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>) {
  %y:2 = dataflow.launch @pipelined(%x) : (tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>)
  return %y#0, %y#1 : tensor<8xf32>, tensor<8x4xf32>
}
