// RUN: streamtensor-opt %s --dataflow-loop-layers --split-input-file -verify-diagnostics

// expected-warning @below {{[layers.fallback] the host launches each layer by itself: a layer is 0 launches}}
module {
func.func @main(%x: tensor<4xf32> {streamtensor.next = 0 : i64}) -> tensor<4xf32> attributes {streamtensor.layers = 2 : i64} {
  return %x : tensor<4xf32>
}
}

// -----

// expected-warning @below {{[layers.fallback] the host launches each layer by itself: no result is an argument of the next layer}}
module {
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.layers = 2 : i64} {
  %y = dataflow.launch @copy(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
}

// -----

// expected-warning @below {{[layers.fallback] the host launches each layer by itself: leaf 'copy' does not read the result of the layer before one run after another}}
module {
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  dataflow.leaf "copy" compute [2, 4] {
  ^bb0(%r: index, %i: index):
    %v = dataflow.load %x affine_map<(r, i) -> (i)> when affine_set<(r, i) : (r == 0)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %y affine_map<(r, i) -> (i)> when affine_set<(r, i) : (r == 0)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%x: tensor<4xf32> {streamtensor.next = 0 : i64}) -> tensor<4xf32> attributes {streamtensor.layers = 2 : i64} {
  %y = dataflow.launch @copy(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
}

// -----

// What the host adds to the result would be missing between two layers.
// expected-warning @below {{[layers.fallback] the host launches each layer by itself: the result of a layer is not what the design gives}}
module {
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%x: tensor<4xf32> {streamtensor.next = 0 : i64}) -> tensor<4xf32> attributes {streamtensor.layers = 2 : i64} {
  %y = dataflow.launch @copy(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = arith.negf %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
}

// -----

// The first row of a table that a token chooses is no place for the layer.
// expected-warning @below {{[layers.fallback] the host launches each layer by itself: leaf 'look' reads rows that the data decide}}
module {
dataflow.design @table {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %table = dataflow.port in "table" : !dataflow.port<8x1xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "look" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %n = arith.fptosi %v : f32 to i32
    %r = arith.index_cast %n : i32 to index
    %w = dataflow.load %table row %r affine_map<(i) -> (0, 0)> : !dataflow.port<8x1xf32> -> f32
    dataflow.stream_write %w, %g : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%x: tensor<4xf32> {streamtensor.next = 0 : i64}, %table: tensor<8x1xf32> {streamtensor.stacked}) -> tensor<4xf32> attributes {streamtensor.layers = 2 : i64} {
  %y = dataflow.launch @table(%x, %table) : (tensor<4xf32>, tensor<8x1xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
}

// -----

// A model of one layer has nothing to loop over, and nothing is said.
func.func @main(%x: tensor<4xf32> {streamtensor.next = 0 : i64}) -> tensor<4xf32> attributes {streamtensor.layers = 1 : i64} {
  return %x : tensor<4xf32>
}
