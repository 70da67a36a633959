// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: rm -rf %t.out && mkdir %t.out && streamtensor-run %t --output-dir=%t.out
// RUN: streamtensor-run %t --pipelined --compare=%t.out/result0.npy | FileCheck %s
// RUN: sed -e 's/ii = 9/ii = 6/' %t >%t.fast
// RUN: not streamtensor-run %t.fast --verify=false --pipelined --compare=%t.out/result0.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FAST
// RUN: sed -e 's/at 1 for 1>} : f32, !dataflow.private<2x4/at 40 for 1>} : f32, !dataflow.private<2x4/' %t >%t.late
// RUN: not streamtensor-run %t.late --verify=false --pipelined --compare=%t.out/result0.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LATE

// Nests that run together, overlapped as scheduled: sums meet one register every nine cycles, two of them slack. With six the sum
// starts from the value before last; a fill that writes 40 cycles later comes after the core has read.

// CHECK-NOT: differs
// FAST: of result 0 is
// LATE: of result 0 is

func.func @main(%x: tensor<20xf32>) -> tensor<5xf32> {
  %y = dataflow.launch @rows(%x) : (tensor<20xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<20xf32>
  %y = dataflow.port out "y" : !dataflow.port<5xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [20] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<20xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "sum" compute [5] attributes {together} {
  ^bb0(%b: index, %row: !dataflow.private<2x4xf32>, %acc: !dataflow.private<1xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %row affine_map<(b, i) -> (b mod 2, i)> : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "core" [4] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %row affine_map<(b, i) -> (b mod 2, i)> : !dataflow.private<2x4xf32> -> f32
      %old = dataflow.load %acc affine_map<(b, i) -> (0)> : !dataflow.private<1xf32> -> f32
      %first = dataflow.test affine_set<(b, i) : (i == 0)>
      %zero = arith.constant 0.0 : f32
      %start = arith.select %first, %zero, %old : f32
      %sum = arith.addf %start, %v : f32
      dataflow.store %sum, %acc affine_map<(b, i) -> (0)> : f32, !dataflow.private<1xf32>
      dataflow.store %sum, %y affine_map<(b, i) -> (b)> when affine_set<(b, i) : (i - 3 == 0)> : f32, !dataflow.port<5xf32>
    }
  }
}
