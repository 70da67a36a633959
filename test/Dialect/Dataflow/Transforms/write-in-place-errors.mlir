// RUN: streamtensor-opt %s --dataflow-attach-device=device=%devices/u55c.json --dataflow-write-in-place --split-input-file -verify-diagnostics

// expected-error @below {{[inplace.result] result 0 goes into an argument: 'streamtensor.into' names it and 'streamtensor.at' the scalar that says where}}
func.func @main(%cache: tensor<4xf32> {streamtensor.name = "cache"}) -> (tensor<4xf32> {streamtensor.into = "cash", streamtensor.at = "position"}) {
  return %cache : tensor<4xf32>
}

// -----

// expected-error @below {{[inplace.result] result 0 goes into an argument}}
func.func @main(%cache: tensor<4xf32> {streamtensor.name = "cache"}) -> (tensor<4xf32> {streamtensor.into = "cache"}) {
  return %cache : tensor<4xf32>
}

// -----

// The new elements come one by one, backwards: no word is filled by those that follow each other.
// expected-warning @below {{[inplace.fallback] 'cache' is not updated in place, its new rows are a result: the rows do not begin where their port does}}
module {
dataflow.design @append {
  %cache = dataflow.port in "cache" : !dataflow.port<8xi32>
  %rows = dataflow.port out "rows" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" : !dataflow.stream<i32>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %cache affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    dataflow.stream_write %v, %f when affine_set<(i) : (i - 4 >= 0)> : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32> -> i32
    dataflow.store %v, %rows affine_map<(i) -> (3 - i)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%cache: tensor<8xi32> {streamtensor.name = "cache"}) -> (tensor<4xi32> {streamtensor.into = "cache", streamtensor.at = "position"}) {
  %rows = dataflow.launch @append(%cache) : (tensor<8xi32>) -> tensor<4xi32>
  return %rows : tensor<4xi32>
}
}

// -----

// expected-warning @below {{[inplace.fallback] 'cache' is not updated in place, its new rows are a result: something else reads it too}}
module {
dataflow.design @append {
  %cache = dataflow.port in "cache" : !dataflow.port<8xi32>
  %rows = dataflow.port out "rows" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" : !dataflow.stream<i32>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %cache affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    dataflow.stream_write %v, %f when affine_set<(i) : (i - 4 >= 0)> : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32> -> i32
    dataflow.store %v, %rows affine_map<(i) -> (i)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%cache: tensor<8xi32> {streamtensor.name = "cache"}) -> (tensor<4xi32> {streamtensor.into = "cache", streamtensor.at = "position"}, tensor<8xi32>) {
  %rows = dataflow.launch @append(%cache) : (tensor<8xi32>) -> tensor<4xi32>
  return %rows, %cache : tensor<4xi32>, tensor<8xi32>
}
}
