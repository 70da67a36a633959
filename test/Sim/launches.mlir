// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s --check-prefix=EACH

// Three launches of two designs run one after the other; each enters its tasks anew.
//
//   short   16 floats: enters at 2, the last issues at 17, is written at 94, read at 95, over at
//           95 + 1 + 7 = 103
//   long    32 floats: 16 cycles more, 119
//   all     103 + 119 + 103 = 325
// CHECK: {{(^|: )}}325 cycles
// EACH: short: 103 cycles
// EACH: long: 119 cycles

dataflow.design @short {
  %in = dataflow.port in "x" : !dataflow.port<16xf32>
  %out = dataflow.port out "y" : !dataflow.port<16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [16] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [16] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<16xf32>
  }
}
dataflow.design @long {
  %in = dataflow.port in "x" : !dataflow.port<32xf32>
  %out = dataflow.port out "y" : !dataflow.port<32xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [32] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0)> : !dataflow.port<32xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [32] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<32xf32>
  }
}
func.func @main(%x: tensor<16xf32>, %y: tensor<32xf32>) -> (tensor<16xf32>, tensor<32xf32>) {
  %a = dataflow.launch @short(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = dataflow.launch @long(%y) : (tensor<32xf32>) -> tensor<32xf32>
  %c = dataflow.launch @short(%a) : (tensor<16xf32>) -> tensor<16xf32>
  return %c, %b : tensor<16xf32>, tensor<32xf32>
}
