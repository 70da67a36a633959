// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | FileCheck %s

// A row is summed and then divided by its sum: the FIFO around the reduction
// holds the whole row, or the design stands still.
//
//   load   enters at 2, writes at stage 77: 79; fork reads at 80, writes at 81
//   sum    reads at 82; an interval of 9 (6 for the sum, 1 to write the register, 2 of slack) and
//          1,024 tokens: the last is issued at 82 + 1023 x 9 = 9289, its sum written at 9296
//   scale  reads it at 9297, the row's last token 15 cycles later at 9312, writes at stage 12: 9324
//   store  reads at 9325, and 1 + 7 cycles later all is over, at 9333

#first = affine_set<(d0, d1) : (d1 == 0)>
#last = affine_set<(d0, d1) : (d1 - 15 == 0)>

// CHECK: dataflow.design @normalise
// CHECK-SAME: sizing = #dataflow.design_sizing<strategy = "search", cycles = 9333, unbounded = 9333, lp = 9334>
dataflow.design @normalise {
  %in = dataflow.port in "x" : !dataflow.port<64x16xf32>
  %out = dataflow.port out "y" : !dataflow.port<64x16xf32>
  // CHECK: dataflow.stream "loaded" {{.*}}sizing = #dataflow.fifo_sizing<tokens = 1024, highWater = 2, lp = 2, least = 1>
  %loaded = dataflow.stream "loaded" : !dataflow.stream<f32>
  %direct = dataflow.stream "direct" : !dataflow.stream<f32>
  %around = dataflow.stream "around" : !dataflow.stream<f32>
  %sum = dataflow.stream "sum" : !dataflow.stream<f32>
  %scaled = dataflow.stream "scaled" : !dataflow.stream<f32>

  // CHECK: dataflow.leaf "load" load [64, 16] attributes {depth = 78 : i64, die = "SLR0", ii = 1 : i64}
  dataflow.leaf "load" load [64, 16] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<64x16xf32> -> f32
    dataflow.stream_write %v, %loaded : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "fork" fork [64, 16] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %loaded : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %direct : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %around : f32, !dataflow.stream<f32>
  }
  // CHECK: dataflow.leaf "sum" compute [64, 16] attributes {depth = 8 : i64, die = "SLR0", ii = [[II:[0-9]+]] : i64
  // CHECK-SAME: limit = "[[II]] cycles from load to store of private memory 2, met again after 1 iterations"
  dataflow.leaf "sum" compute [64, 16] {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %around : !dataflow.stream<f32> -> f32
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %start = dataflow.test #first
    %old = arith.select %start, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %sum when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "scale" compute [64, 16] {
  ^bb0(%i: index, %j: index):
    %s = dataflow.stream_read %sum when #first : !dataflow.stream<f32> -> f32
    %v = dataflow.stream_read %direct : !dataflow.stream<f32> -> f32
    %r = arith.divf %v, %s : f32
    dataflow.stream_write %r, %scaled : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [64, 16] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %scaled : !dataflow.stream<f32> -> f32
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<64x16xf32>
  }
}
