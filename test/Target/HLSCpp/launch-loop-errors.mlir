// RUN: split-file %s %t
// RUN: streamtensor-opt %t/overwritten.mlir %u55c --streamtensor-schedule-phase -o %t/overwritten-scheduled.mlir
// RUN: not streamtensor-translate %t/overwritten-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: streamtensor-opt %t/same.mlir %u55c --streamtensor-schedule-phase -o %t/same-scheduled.mlir
// RUN: not streamtensor-translate %t/same-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: streamtensor-opt %t/lost.mlir %u55c --streamtensor-schedule-phase -o %t/lost-scheduled.mlir
// RUN: not streamtensor-translate %t/lost-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: streamtensor-opt %t/swapped.mlir %u55c --streamtensor-schedule-phase -o %t/swapped-scheduled.mlir
// RUN: not streamtensor-translate %t/swapped-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=SWAPPED
// RUN: streamtensor-opt %t/bounds.mlir %u55c --streamtensor-schedule-phase -o %t/bounds-scheduled.mlir
// RUN: not streamtensor-translate %t/bounds-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: streamtensor-opt %t/other.mlir %u55c --streamtensor-schedule-phase -o %t/other-scheduled.mlir
// RUN: not streamtensor-translate %t/other-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: streamtensor-opt %t/twice.mlir %u55c --streamtensor-schedule-phase -o %t/twice-scheduled.mlir
// RUN: not streamtensor-translate %t/twice-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: streamtensor-opt %t/outside.mlir %u55c --streamtensor-schedule-phase -o %t/outside-scheduled.mlir
// RUN: not streamtensor-translate %t/outside-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not ls %t/out
// Law [launch.loop]: what makes one kernel of a loop over launches.

// OVERWRITTEN: {{\[}}launch.loop] reads a tensor after a launch has overwritten it
// SAME: {{\[}}launch.loop] reads a tensor where it writes another, in one launch
// LOST: {{\[}}launch.loop] port 'y' writes a tensor that no turn hands on
// SWAPPED: {{\[}}launch.loop] hands a tensor on in the place of another: operand 0 lies elsewhere
// BOUNDS: {{\[}}launch.loop] a loop over launches goes from 0 in steps of 1 to a constant or an argument of the program with 'streamtensor.turns = array<i64: LEAST, MOST>'
// OTHER: 'arith.muli' op {{\[}}launch.loop] cannot stand in a loop of a program
// TWICE: {{\[}}launch.loop] launches 'one' a second time in a turn
// OUTSIDE: {{\[}}launch.loop] launches design 'one', which a loop launches too
//--- overwritten.mlir
dataflow.design @two {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @three {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %q = dataflow.launch @two(%b) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @three(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %q, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- same.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %p = dataflow.launch @one(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %p, %b : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- lost.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %p = dataflow.launch @one(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %a, %b : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- swapped.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e, %c = %e) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %p = dataflow.launch @one(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %b, %a, %p : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- bounds.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c1 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %p = dataflow.launch @one(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %a, %p : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- other.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %m = arith.muli %i, %i : index
    %p = dataflow.launch @one(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %a, %p : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- twice.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %p = dataflow.launch @one(%b) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @one(%p) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %p, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- outside.mlir
dataflow.design @one {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @two {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %z = dataflow.launch @one(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %p = dataflow.launch @one(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %q = dataflow.launch @two(%p) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %q, %p : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}
