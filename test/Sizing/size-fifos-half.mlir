// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | FileCheck %s

// The largest of each row is found, given to all of a row, and found again; then all are divided by it. With all 64 rows a
// long copy decides when the launch is over: `direct` has the 256 tokens of a row without which all stand still. With half
// of the rows there is no copy, and one more row must be on its way while the other is searched again: 512 tokens, and those
// that the fork hands on before the division begins. A block of memory holds 1,024 of them and is used whole, as are 32 bits
// of a shift register.

#first = affine_set<(d0, d1) : (d1 == 0)>
#last = affine_set<(d0, d1) : (d1 - 255 == 0)>

// CHECK: dataflow.stream "loaded" {{.*}} : <f32, 32>
// CHECK: dataflow.stream "direct" {{.*}}least = 256>} : <f32, 1024>
dataflow.design @half {
  %in = dataflow.port in "x" : !dataflow.port<64x256xf32>
  %from = dataflow.port in "from" : !dataflow.port<400000xf32>
  %out = dataflow.port out "y" : !dataflow.port<64x256xf32>
  %to = dataflow.port out "to" : !dataflow.port<400000xf32>
  %rows = dataflow.scalar "rows" from 1 to 64 : index
  %copied = dataflow.stream "copied" : !dataflow.stream<f32>
  %loaded = dataflow.stream "loaded" : !dataflow.stream<f32>
  %direct = dataflow.stream "direct" : !dataflow.stream<f32>
  %around = dataflow.stream "around" : !dataflow.stream<f32>
  %sum = dataflow.stream "sum" : !dataflow.stream<f32>
  %spread = dataflow.stream "spread" : !dataflow.stream<f32>
  %again = dataflow.stream "again" : !dataflow.stream<f32>
  %scaled = dataflow.stream "scaled" : !dataflow.stream<f32>
  dataflow.leaf "copy_load" load [400000] counts affine_map<()[s0] -> ((s0 floordiv 64) * 399999 + 1)> (%rows) {
  ^bb0(%i: index):
    %v = dataflow.load %from affine_map<(d0) -> (d0)> : !dataflow.port<400000xf32> -> f32
    dataflow.stream_write %v, %copied : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "copy_store" store [400000] counts affine_map<()[s0] -> ((s0 floordiv 64) * 399999 + 1)> (%rows) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %copied : !dataflow.stream<f32> -> f32
    dataflow.store %v, %to affine_map<(d0) -> (d0)> : f32, !dataflow.port<400000xf32>
  }
  dataflow.leaf "load" load [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<64x256xf32> -> f32
    dataflow.stream_write %v, %loaded : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "fork" fork [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %loaded : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %direct : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %around : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "sum" compute [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %around : !dataflow.stream<f32> -> f32
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %start = dataflow.test #first
    %old = arith.select %start, %zero, %before : f32
    %new = arith.maximumf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %sum when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "spread" compute [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index):
    %s = dataflow.stream_read %sum when #first : !dataflow.stream<f32> -> f32
    dataflow.stream_write %s, %spread : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "again" compute [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %spread : !dataflow.stream<f32> -> f32
    %before = dataflow.load %acc affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %start = dataflow.test #first
    %old = arith.select %start, %zero, %before : f32
    %new = arith.maximumf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %again when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "scale" compute [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index):
    %s = dataflow.stream_read %again when #first : !dataflow.stream<f32> -> f32
    %v = dataflow.stream_read %direct : !dataflow.stream<f32> -> f32
    %r = arith.divf %v, %s : f32
    dataflow.stream_write %r, %scaled : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [64, 256] counts affine_map<()[s0] -> (s0, 256)> (%rows) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %scaled : !dataflow.stream<f32> -> f32
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<64x256xf32>
  }
}
