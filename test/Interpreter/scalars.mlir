// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-run %t --scalar tokens=3 --scalar width=2 --elements 10 | FileCheck %s
// RUN: streamtensor-run %t --scalar tokens=3 --scalar width=2 --pipelined --elements 10 | FileCheck %s
// RUN: streamtensor-run %t --elements 10 | FileCheck %s --check-prefix=LARGEST
// RUN: not streamtensor-run %t --scalar tokens=0 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not streamtensor-run %t --scalar width=1 --scalar wide=1 2>&1 | FileCheck %s --check-prefix=NAME

// Rows of as many columns as the launch says, added up by four partial sums in turn. A partial sum without a trip reads
// as zero, so rows of 1 to 5 columns are right. Each column is its number, so that a row of 2 sums to 1 and one of 5 to
// 10. What a launch does not write is zero.

// CHECK: tokens = 3{{$}}
// CHECK: width = 2{{$}}
// CHECK: result0 tensor<8xf32> [1, 1, 1, 0, 0, 0, 0, 0]
// LARGEST: tokens = 8 (the largest)
// LARGEST: width = 5 (the largest)
// LARGEST: result0 tensor<8xf32> [10, 10, 10, 10, 10, 10, 10, 10]
// BEYOND: [launch.scalars] scalar 'tokens' of the program is 0; it must lie between 1 and 8
// NAME: [launch.scalars] no design has a scalar 'wide'; there are: tokens, width

dataflow.design @sums {
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %tokens = dataflow.scalar "tokens" from 1 to 8 : index
  %width = dataflow.scalar "width" from 1 to 5 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 8>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 8>
  dataflow.leaf "columns" compute [8, 5] counts affine_map<()[s0, s1] -> (s0, s1)> (%tokens, %width) {
  ^bb0(%i: index, %j: index):
    %n = arith.index_cast %j : index to i32
    %v = arith.sitofp %n : i32 to f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  // The four banks of the last trips of a row follow one another into a token each.
  dataflow.leaf "banks" compute [8, 5] counts affine_map<()[s0, s1] -> (s0, s1)> (%tokens, %width) {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<4xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
    %before = dataflow.load %acc affine_map<(d0, d1) -> (d1 mod 4)> : !dataflow.private<4xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (3 - d1 >= 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (d1 mod 4)> : f32, !dataflow.private<4xf32>
    dataflow.stream_write %new, %b : f32, !dataflow.stream<f32, 8>
  }
  // The last value of each bank: those of the last four trips, as far as there are so many.
  dataflow.leaf "total" compute [8, 5] counts affine_map<()[s0, s1] -> (s0, s1)> (%tokens, %width) {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %b : !dataflow.stream<f32, 8> -> f32
    %isLast = dataflow.test affine_set<(d0, d1)[s0, s1] : (d1 - s1 + 4 >= 0)>
    %part = arith.select %isLast, %v, %zero : f32
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d1 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %part : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %c when affine_set<(d0, d1)[s0, s1] : (d1 - s1 + 1 == 0)> : f32, !dataflow.stream<f32, 8>
  }
  dataflow.leaf "store" store [8] counts affine_map<()[s0] -> (s0)> (%tokens) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32, 8> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
func.func @main(%tokens: index, %width: index) -> tensor<8xf32> {
  %y = dataflow.launch @sums() scalars(%tokens, %width) : () -> tensor<8xf32>
  return %y : tensor<8xf32>
}
