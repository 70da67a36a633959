// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{[program.attribute] 'streamtensor.layers' does not belong here}}
module attributes {streamtensor.layers = 2 : i64} {}

// -----

// expected-error @below {{[program.attribute] 'streamtensor.name' does not belong here}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.name = "x"} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.into' does not belong here}}
func.func @main(%x: tensor<4xf32> {streamtensor.into = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.extent' does not belong here}}
func.func @main(%x: tensor<4xf32> {streamtensor.extent = ["n"]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] result 0: 'streamtensor.name' does not belong here}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {streamtensor.name = "y"}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.name' is a string}}
func.func @main(%x: tensor<4xf32> {streamtensor.name = 0 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.kind' is "input" or "parameter"}}
func.func @main(%x: tensor<4xf32> {streamtensor.kind = "weight"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.next' is the number of a result}}
func.func @main(%x: tensor<4xf32> {streamtensor.next = 1 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.next' is the number of a result}}
func.func @main(%x: tensor<4xf32> {streamtensor.next = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.stacked' is a flag}}
func.func @main(%x: tensor<4xf32> {streamtensor.stacked = true}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[counts.extents] argument 0: 'streamtensor.extents' names the extent of each dimension, "" where it is fixed}}
func.func @main(%x: tensor<4x8xf32> {streamtensor.extents = ["n"]}) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}

// -----

// expected-error @below {{[counts.extents] argument 0: 'streamtensor.extents' names the extent of each dimension, "" where it is fixed}}
func.func @main(%x: tensor<4xf32> {streamtensor.extents = [4]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[layers.count] 'streamtensor.layers' is the number of layers, 1 at least}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.layers = 0 : i64} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[layers.count] 'streamtensor.layers' is the number of layers, 1 at least}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.layers = "all"} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[layers.count] 'streamtensor.looped' is a flag beside 'streamtensor.layers'}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.looped} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[inplace.result] result 0: 'streamtensor.into' names the argument that the result goes into, beside 'streamtensor.at'}}
func.func @main(%cache: tensor<4xf32> {streamtensor.name = "cache"}) -> (tensor<4xf32> {streamtensor.into = "cash", streamtensor.at = "position"}) {
  return %cache : tensor<4xf32>
}

// -----

// expected-error @below {{[inplace.result] result 0: 'streamtensor.into' names the argument that the result goes into, beside 'streamtensor.at'}}
func.func @main(%cache: tensor<4xf32> {streamtensor.name = "cache"}) -> (tensor<4xf32> {streamtensor.into = "cache"}) {
  return %cache : tensor<4xf32>
}

// -----

// expected-error @below {{[inplace.result] result 0: 'streamtensor.at' names the scalar that says where, beside 'streamtensor.into'}}
func.func @main(%cache: tensor<4xf32> {streamtensor.name = "cache"}) -> (tensor<4xf32> {streamtensor.at = "position"}) {
  return %cache : tensor<4xf32>
}

// -----

// expected-error @below {{[inplace.result] result 0: 'streamtensor.along' is a dimension of the result, beside 'streamtensor.into'}}
func.func @main(%cache: tensor<4xf32> {streamtensor.name = "cache"}) -> (tensor<4xf32> {streamtensor.along = 1 : i64, streamtensor.at = "position", streamtensor.into = "cache"}) {
  return %cache : tensor<4xf32>
}

// -----

// expected-error @below {{[inplace.result] result 0: 'streamtensor.along' is a dimension of the result, beside 'streamtensor.into'}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {streamtensor.along = 0 : i64}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 1: 'streamtensor.turns' is the least and the largest value of an index, array<i64: 1, 32>}}
func.func @main(%x: tensor<4xf32>, %n: index {streamtensor.turns = array<i64: 4, 1>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.turns' is the least and the largest value of an index, array<i64: 1, 32>}}
func.func @main(%x: tensor<4xf32> {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{[program.attribute] argument 0: 'streamtensor.row_major' is a flag}}
func.func @main(%x: tensor<4xf32> {streamtensor.row_major = 1 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
