// RUN: streamtensor-opt %s --streamtensor-import --split-input-file --verify-diagnostics

// expected-error @+1 {{no public func.func with a body}}
module {
  func.func private @main(%x: tensor<4xf32>) -> tensor<4xf32>
}

// -----

// expected-error @+1 {{the module has 2 public functions}}
module {
  // expected-note @+1 {{@a is public}}
  func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
  // expected-note @+1 {{@b is public}}
  func.func @b(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
}

// -----

// expected-error @+1 {{argument 0 of @main, 'tensor<?x4xf32>', has a dimension of unknown size; export without dynamic_shapes}}
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> { return %x : tensor<?x4xf32> }

// -----

// expected-error @+1 {{argument 1 of @main, 'f32', is not a ranked tensor; pass a scalar as a tensor of rank 0, which operations take as an input with the map (d0, …) -> ()}}
func.func @main(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

// expected-error @+1 {{argument 0 of @main, 'memref<4xf32>', is memory; give the program as it is on tensors}}
func.func @main(%x: memref<4xf32>) { return }

// -----

// expected-error @+1 {{argument 0 of @main, 'tensor<*xf32>', is not a ranked tensor; export with example inputs}}
func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> { return %x : tensor<*xf32> }

// -----

// expected-error @+1 {{argument 0 of @main, 'tensor<4xcomplex<f32>>', has an element type that hardware streams do not carry}}
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> { return %x : tensor<4xcomplex<f32>> }

// -----

// expected-error @+1 {{argument 0 of @main, 'tensor<0x4xf32>', has a dimension of size 0}}
func.func @main(%x: tensor<0x4xf32>) -> tensor<0x4xf32> { return %x : tensor<0x4xf32> }

// -----

func.func @main(%x: tensor<4xf32>, %ok: tensor<i1>) -> tensor<4xf32> {
  %c = tensor.extract %ok[] : tensor<i1>
  // expected-error @+1 {{checks data at run time ("index in range"), which a design cannot do}}
  cf.assert %c, "index in range"
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %false = arith.constant false
  // expected-error @+1 {{always fails: sizes must agree}}
  cf.assert %false, "sizes must agree"
  return %x : tensor<4xf32>
}

// -----

module {
  // expected-error @+1 {{stands beside the function to compile and is used by it}}
  func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = func.call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// expected-error @+1 {{two arguments are named "x"}}
func.func @main(%x: tensor<4xf32> {streamtensor.name = "x"}, %y: tensor<4xf32> {streamtensor.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{a constant of type 'tensor<2xf32>' holds 1 NaN: every result that it reaches would be NaN; repair the weights}}
  %w = arith.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %r = arith.addf %x, %w : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.source] there is no file}}
dataflow.extern @copy source "no/such.h" nest [2] ii 1 delay 3
    takes ["x" : !line as !dataflow.stream<vector<4xf32>>]
    gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = dataflow.extern_task @copy(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
