// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file=%t/hls/exchange.cpp

// What a place held before it is written anew: it is read in front of the write, although it is used behind it.

// CHECK: const float [[OLD:.*]] = local[
// CHECK: local[{{.*}}] = [[NEW:.*]];
// CHECK: y_fifo.write([[OLD]])

dataflow.design @exchange {
  %in = dataflow.port in "x" : !dataflow.port<4x32xf32>
  %out = dataflow.port out "y" : !dataflow.port<4x32xf32>
  %x = dataflow.stream "x_fifo" : !dataflow.stream<f32>
  %y = dataflow.stream "y_fifo" : !dataflow.stream<f32>
  dataflow.leaf "x_load" load [4, 32] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<4x32xf32> -> f32
    dataflow.stream_write %v, %x : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "delay" compute [4, 32] {
  ^bb0(%i: index, %j: index, %rows: !dataflow.private<32xf32>):
    %v = dataflow.stream_read %x : !dataflow.stream<f32> -> f32
    %old = dataflow.load %rows affine_map<(d0, d1) -> (d1)> : !dataflow.private<32xf32> -> f32
    dataflow.store %v, %rows affine_map<(d0, d1) -> (d1)> : f32, !dataflow.private<32xf32>
    dataflow.stream_write %old, %y : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "y_store" store [4, 32] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %y : !dataflow.stream<f32> -> f32
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<4x32xf32>
  }
}
