// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.source] 'not a name' is no name of a C++ function}}
dataflow.extern @copy source "copy.h" function "not a name" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.source] names no header}}
dataflow.extern @copy source "" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.ports] a second port is named 'x'}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["x" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.ports] '4x' is no name of a port}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["4x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.ports] port 'x': the size phase chooses depths}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>, 2>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.ports] gives nothing, so nothing would run it}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives [] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
!twice = !itensor.itensor<4xf32, iter_space: [2, 2] * [1, 4], iter_map: (d0, d1) -> (d1)>
// expected-error @+1 {{[extern.ports] output 'y' must give each element of its data once}}
dataflow.extern @copy source "copy.h" nest [2, 2] ii 1 delay 3 takes ["x" : !twice as !dataflow.stream<vector<4xf32>>] gives ["y" : !twice as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.token] port 'x': a token of 'vector<3xf32>' does not hold a whole part of each row of a tile of 'tensor<4xf32>'; take a vector of lanes that divide the row}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<3xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.token] port 'x': a token of 'i48' does not hold}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<i48>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.token] port 'x': a token of 'vector<8xi16>' does not hold}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<8xi16>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.nest] port 'x' moves 2 tokens, but a token in 3 iterations of the nest; change the nest or the port's 'when'}}
dataflow.extern @copy source "copy.h" nest [3] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.nest] port 'x': the guard must be a set over the 1 indices of the nest}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" when affine_set<(d0, d1) : (d1 == 0)> : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.nest] a loop makes 0 trips}}
dataflow.extern @copy source "copy.h" nest [0] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.schedule] 'ii' is at least 1 cycle and 'delay' at least 0, not 0 and 3}}
dataflow.extern @copy source "copy.h" nest [2] ii 0 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.schedule] resource 'mults': resources are counts of lut, ff, dsp, bram36 and uram}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 resources {mults = 3} takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.reference] the reference must end with dataflow.yield}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  %y = tensor.empty() : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.reference] the reference has 0 arguments for 1 ports}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
  %y = tensor.empty() : tensor<8xf32>
  dataflow.yield %y : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
// expected-error @+1 {{[extern.reference] port 'y' carries 'tensor<8xf32>', the reference's result has type 'tensor<9xf32>'}}
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  %y = tensor.empty() : tensor<9xf32>
  dataflow.yield %y : tensor<9xf32>
}

// -----

func.func @undeclared(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{[extern.declared] 'copy' is no dataflow.extern}}
  %y = dataflow.extern_task @copy(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

func.func @types(%x: tensor<9xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{[extern.task] input 'x' has type 'tensor<9xf32>', the declaration says 'tensor<8xf32>'}}
  %y = dataflow.extern_task @copy(%x) : (tensor<9xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}

func.func @count(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{[extern.task] has 2 inputs, the declaration has 1}}
  %y = dataflow.extern_task @copy(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%t: tensor<8xf32>):
    %a = itensor.from_tensor %t : tensor<8xf32> -> !line
    // expected-error @+1 {{[bridge.token] a token of 'vector<3xf32>' does not hold a whole part of each row of a tile of 'tensor<4xf32>'; take lanes that divide the row}}
    %s = dataflow.itensor_to_stream %a : !line to !dataflow.stream<vector<3xf32>>
    dataflow.yield %t : tensor<8xf32>
  }
  return %k : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%t: tensor<8xf32>):
    %a = itensor.from_tensor %t : tensor<8xf32> -> !line
    // expected-error @+1 {{[bridge.token] a token of 'i128' does not hold}}
    %s = dataflow.itensor_to_stream %a : !line to !dataflow.stream<i128>
    dataflow.yield %t : tensor<8xf32>
  }
  return %k : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%t: tensor<8xf32>):
    %a = itensor.from_tensor %t : tensor<8xf32> -> !line
    // expected-error @+1 {{[bridge.token] the FIFO is not sized yet, its depth must be left out}}
    %s = dataflow.itensor_to_stream %a : !line to !dataflow.stream<f32, 4>
    dataflow.yield %t : tensor<8xf32>
  }
  return %k : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%t: tensor<8xf32>):
    %a = itensor.from_tensor %t : tensor<8xf32> -> !line
    // expected-error @+1 {{[bridge.once] the FIFO has 2 readers, it can have one; fork the itensor}}
    %s = dataflow.itensor_to_stream %a : !line to !dataflow.stream<f32>
    %b = dataflow.stream_to_itensor %s : !dataflow.stream<f32> to !line
    %c = dataflow.stream_to_itensor %s : !dataflow.stream<f32> to !line
    dataflow.yield %t : tensor<8xf32>
  }
  return %k : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%t: tensor<8xf32>):
    %a = itensor.from_tensor %t : tensor<8xf32> -> !line
    %s = dataflow.itensor_to_stream %a : !line to !dataflow.stream<f32>
    // expected-error @+1 {{[bridge.cover] the itensor must hold each element of its data once}}
    %b = dataflow.stream_to_itensor %s : !dataflow.stream<f32> to !itensor.itensor<4xf32, iter_space: [2, 2] * [1, 4], iter_map: (d0, d1) -> (d1)>
    dataflow.yield %t : tensor<8xf32>
  }
  return %k : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%t: tensor<8xf32>):
    %a = itensor.from_tensor %t : tensor<8xf32> -> !line
    %s = dataflow.itensor_to_stream %a : !line to !dataflow.stream<vector<4xf32>>
    // expected-error @+1 {{[bridge.once] a FIFO has several readers}}
    %r = dataflow.extern_task @copy(%s) : (!dataflow.stream<vector<4xf32>>) -> !dataflow.stream<vector<4xf32>>
    %b = dataflow.stream_to_itensor %r : !dataflow.stream<vector<4xf32>> to !line
    %c = dataflow.stream_to_itensor %r : !dataflow.stream<vector<4xf32>> to !line
    dataflow.yield %t : tensor<8xf32>
  }
  return %k : tensor<8xf32>
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %t, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "copy" extern [1, 2] {
  ^bb0(%j: index, %i: index):
    %t = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    // expected-error @+1 {{[leaf.extern] the leaf is not the nest of @copy}}
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<4xf32>
    dataflow.stream_write %r, %b : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<8xf32>
  }
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %t, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "copy" extern [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %u = arith.addf %t, %t : vector<4xf32>
    // expected-error @+1 {{[leaf.extern] the leaf must hold one read per input, the step, and one write per output of @copy}}
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<4xf32>
    dataflow.stream_write %r, %b : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<8xf32>
  }
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %t, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "copy" extern [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    // expected-error @+1 {{[leaf.extern] output 'y' is not written as the port of @copy}}
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<4xf32>
    dataflow.stream_write %t, %b : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<8xf32>
  }
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %t, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "copy" extern [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %a when affine_set<(d0) : (d0 >= 0)> : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    // expected-error @+1 {{[leaf.extern] input 'x' is not read as the port of @copy}}
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<4xf32>
    dataflow.stream_write %r, %b when affine_set<(d0) : (d0 >= 0)> : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<8xf32>
  }
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %t, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "copy" extern [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    // expected-error @+1 {{[leaf.extern] output 'y' has type 'vector<8xf16>', the declaration says 'vector<4xf32>'}}
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<8xf16>
    dataflow.stream_write %t, %b : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<8xf32>
  }
}

// -----

dataflow.design @bits {
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  // expected-error @+1 {{[cast.bits] a token of 'vector<4xf32>' has 128 bits, one of 'i64' has 64; a cast is a view, it moves no bits}}
  %b = dataflow.stream_cast %a : !dataflow.stream<vector<4xf32>> to !dataflow.stream<i64>
}

// -----

dataflow.design @depth {
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>, 4>
  // expected-error @+1 {{[cast.depth] a view has the depth of its FIFO, 4, not 2}}
  %b = dataflow.stream_cast %a : !dataflow.stream<vector<4xf32>, 4> to !dataflow.stream<i128, 2>
}

// -----

dataflow.design @ends {
  // expected-error @+1 {{[design.ends] FIFO 'a' is written by 0 leaf tasks}}
  %a = dataflow.stream "a" : !dataflow.stream<i32>
  %b = dataflow.stream_cast %a : !dataflow.stream<i32> to !dataflow.stream<f32>
}

// -----

dataflow.design @view_of_tuples {
  %a = dataflow.stream "a" : !dataflow.stream<tuple<f32, i1>>
  // expected-error @+1 {{[cast.token] the members of 'tuple<f32, i1>' travel side by side, their bits have no order}}
  %b = dataflow.stream_cast %a : !dataflow.stream<tuple<f32, i1>> to !dataflow.stream<i33>
}

// -----

dataflow.design @view_as_tuples {
  %a = dataflow.stream "a" : !dataflow.stream<i64>
  // expected-error @+1 {{[cast.token] the members of 'tuple<f32, vector<2xi16>>' travel side by side}}
  %b = dataflow.stream_cast %a : !dataflow.stream<i64> to !dataflow.stream<tuple<f32, vector<2xi16>>>
}

// -----

!pairs = !itensor.itensor<1x8xtuple<f32, i8>, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)>
func.func @bridge_of_tuples(%s: !pairs) {
  // expected-error @+1 {{[bridge.token] a bridge carries the elements of a tensor, not 'tuple<f32, i8>'; take the tuples apart with itensor.unjoin first}}
  %a = dataflow.itensor_to_stream %s : !pairs to !dataflow.stream<tuple<f32, i8>>
  return
}

// -----

dataflow.extern @port_of_tuples source "k.h" nest [4] ii 1 delay 1
    // expected-error @+1 {{[extern.token] port 'x': a token of 'tuple<f32>' does not hold}}
    takes ["x" : !itensor.itensor<1x8xtuple<f32>, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)> as !dataflow.stream<tuple<f32>>]
    gives ["y" : !itensor.itensor<1x8xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)> as !dataflow.stream<f32>] {
^bb0(%x: tensor<4x8xf32>):
  dataflow.yield %x : tensor<4x8xf32>
}
