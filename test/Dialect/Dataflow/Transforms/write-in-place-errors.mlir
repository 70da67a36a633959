// RUN: streamtensor-opt %s --dataflow-attach-device=device=%devices/u55c.json --dataflow-write-in-place --split-input-file -verify-diagnostics

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

// -----

// expected-warning @below {{[inplace.fallback] 'scales' is not updated in place, its new rows are a result: leaf 'load' does not read every word of it once}}
module {
dataflow.design @append {
  %scales = dataflow.port in "scales" : !dataflow.port<2x8xi32>
  %rows = dataflow.port out "rows" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" : !dataflow.stream<i32>
  dataflow.leaf "load" load [2, 3] {
  ^bb0(%d0: index, %d1: index):
    %v = dataflow.load %scales affine_map<(d0, d1) -> (d0, d1 * 2)> : !dataflow.port<2x8xi32> -> vector<1x2xi32>
    %a = vector.extract %v[0, 0] : i32 from vector<1x2xi32>
    dataflow.stream_write %a, %f when affine_set<(d0, d1) : (d1 - 2 >= 0)> : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "store" store [2, 1] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32> -> i32
    dataflow.store %v, %rows affine_map<(i, j) -> (i * 2)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%scales: tensor<2x8xi32> {streamtensor.name = "scales"}) -> (tensor<2x2xi32> {streamtensor.into = "scales", streamtensor.at = "position"}) {
  %rows = dataflow.launch @append(%scales) : (tensor<2x8xi32>) -> tensor<4xi32>
  %e = tensor.expand_shape %rows [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  return %e : tensor<2x2xi32>
}
}

// -----

// expected-warning @below {{[inplace.fallback] 'scales' is not updated in place, its new rows are a result: leaf 'load' does not read it in the order in which leaf 'store' stores its rows}}
module {
dataflow.design @append {
  %scales = dataflow.port in "scales" : !dataflow.port<4x8xi32>
  %rows = dataflow.port out "rows" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" : !dataflow.stream<i32>
  dataflow.leaf "load" load [2, 2, 4] {
  ^bb0(%d0: index, %d1: index, %d2: index):
    %v = dataflow.load %scales affine_map<(d0, d1, d2) -> (d1 * 2 + d0, d2 * 2)> : !dataflow.port<4x8xi32> -> vector<1x2xi32>
    %a = vector.extract %v[0, 0] : i32 from vector<1x2xi32>
    dataflow.stream_write %a, %f when affine_set<(d0, d1, d2) : (d2 - 3 == 0)> : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "store" store [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32> -> i32
    dataflow.store %v, %rows affine_map<(i, j) -> (i * 2 + j)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%scales: tensor<4x8xi32> {streamtensor.name = "scales"}) -> (tensor<4x1xi32> {streamtensor.into = "scales", streamtensor.at = "position"}) {
  %rows = dataflow.launch @append(%scales) : (tensor<4x8xi32>) -> tensor<4xi32>
  %e = tensor.expand_shape %rows [[0, 1]] output_shape [4, 1] : tensor<4xi32> into tensor<4x1xi32>
  return %e : tensor<4x1xi32>
}
}
