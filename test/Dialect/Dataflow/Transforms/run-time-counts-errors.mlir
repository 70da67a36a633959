// RUN: streamtensor-opt %s --dataflow-run-time-counts --split-input-file -verify-diagnostics

module {
dataflow.design @none {
  %y = dataflow.port out "y" : !dataflow.port<1xf32>
  dataflow.leaf "store" store [1] {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<1xf32>
  }
}
// expected-error @below {{[counts.extents] argument 1 has up to 8 elements by 'n', an earlier one 4}}
func.func @main(%x: tensor<4xf32> {streamtensor.extents = ["n"]}, %z: tensor<8xf32> {streamtensor.extents = ["n"]}) -> tensor<1xf32> {
  %y = dataflow.launch @none() : () -> tensor<1xf32>
  return %y : tensor<1xf32>
}
}

// -----

// Backwards, the elements that count come last.
// expected-warning @below {{[counts.fallback] each launch of 'backwards' takes as long as for the largest 'n': leaf 'load' turns or cuts the order along the extent}}
module {
dataflow.design @backwards {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (7 - i)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
}
func.func @main(%x: tensor<8xf32> {streamtensor.extents = ["n"]}) -> tensor<8xf32> {
  %y = dataflow.launch @backwards(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
}
