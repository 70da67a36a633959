// DEFINE: %{case} =
// DEFINE: %{says} =
// DEFINE: %{attach} = cat %t/designs.mlir %t/%{case}.mlir >%t/program.mlir && streamtensor-opt %t/program.mlir %u55c --streamtensor-schedule-phase -o %t/scheduled.mlir
// DEFINE: %{translate} = not streamtensor-translate %t/scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s %{says}
// DEFINE: %{run} = not streamtensor-run %t/scheduled.mlir 2>&1 | FileCheck %s %{says}
// DEFINE: %{simulate} = not streamtensor-sim %t/scheduled.mlir 2>&1 | FileCheck %s %{says}
// RUN: rm -rf %t && split-file %s %t
// REDEFINE: %{case} = places-inout
// REDEFINE: %{says} = --check-prefix=PLACES-INOUT
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = places-out
// REDEFINE: %{says} = --check-prefix=PLACES-OUT
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = captured
// REDEFINE: %{says} = --check-prefix=CAPTURED
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = carried-twice
// REDEFINE: %{says} = --check-prefix=CARRIED-TWICE
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = before-the-inner-loop
// REDEFINE: %{says} = --check-prefix=BEFORE-THE-INNER-LOOP
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = untouched
// REDEFINE: %{says} = --check-prefix=UNTOUCHED
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = from-outside
// REDEFINE: %{says} = --check-prefix=FROM-OUTSIDE
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = number
// REDEFINE: %{says} = --check-prefix=NUMBER
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = empty-captured
// REDEFINE: %{says} = --check-prefix=EMPTY-CAPTURED
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// REDEFINE: %{case} = empty-launched
// REDEFINE: %{says} = --check-prefix=EMPTY-LAUNCHED
// RUN: %{attach}
// RUN: %{translate}
// REDEFINE: %{case} = empty-returned
// REDEFINE: %{says} = --check-prefix=EMPTY-RETURNED
// RUN: %{attach}
// RUN: %{translate}
// REDEFINE: %{case} = plus-constant
// REDEFINE: %{says} = --check-prefix=PLUS-CONSTANT
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// RUN: %{simulate}
// REDEFINE: %{case} = two-turns
// REDEFINE: %{says} = --check-prefix=TWO-TURNS
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// RUN: %{simulate}
// REDEFINE: %{case} = far-turn
// REDEFINE: %{says} = --check-prefix=FAR-TURN
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// RUN: %{simulate}
// REDEFINE: %{case} = far-constant
// REDEFINE: %{says} = --check-prefix=FAR-CONSTANT
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// RUN: %{simulate}
// REDEFINE: %{case} = no-value
// REDEFINE: %{says} = --check-prefix=NO-VALUE
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// RUN: %{simulate}
// REDEFINE: %{case} = one-name
// REDEFINE: %{says} = --check-prefix=ONE-NAME
// RUN: %{attach}
// RUN: %{translate}
// RUN: %{run}
// RUN: %{simulate}
// REDEFINE: %{case} = unused
// REDEFINE: %{says} = --check-prefix=UNUSED
// RUN: %{attach}
// RUN: %{translate}
// RUN: not ls %t/out

// What no reader of a program takes for a loop over launches: tensors and their places, law [launch.loop], and numbers, law
// [launch.scalars].

// PLACES-INOUT: {{\[}}launch.loop] port 'z' writes where another port of the launch writes, too
// PLACES-OUT: {{\[}}launch.loop] port 'y' writes where another port of the launch writes, too
// CAPTURED: {{\[}}launch.loop] overwrites a tensor that the loop around it does not hand on
// CARRIED-TWICE: {{\[}}launch.loop] carries one tensor twice, in one place
// BEFORE-THE-INNER-LOOP: {{\[}}launch.loop] reads a tensor after a launch has overwritten it
// UNTOUCHED: {{\[}}launch.loop] carries a tensor that none of its launches reads or writes, as operand 2: leave it out of the loop
// FROM-OUTSIDE: {{\[}}launch.loop] takes a tensor from outside of the loop that no launch of it reads
// NUMBER: {{\[}}launch.loop] hands a value of type 'index' from turn to turn, as operand 2
// EMPTY-CAPTURED: {{\[}}launch.loop] reads a tensor.empty from outside of the loop, which holds nothing
// EMPTY-LAUNCHED: 'tensor.empty' op cannot be run by the host: it holds nothing that dataflow.launch could take
// EMPTY-RETURNED: 'tensor.empty' op cannot be run by the host: it holds nothing that func.return could take
// PLUS-CONSTANT: {{\[}}launch.scalars] scalar 'p' of design 'pos' is another number than a constant, an argument of the program, the turn of a loop, or an argument plus a turn
// TWO-TURNS: {{\[}}launch.scalars] scalar 'p' of design 'pos' is another number than a constant
// FAR-TURN: {{\[}}launch.scalars] scalar 'p' of design 'pos' is a turn from 0 to 8; it must lie between 0 and 7
// FAR-CONSTANT: {{\[}}launch.scalars] scalar 'p' of design 'pos' is 8; it must lie between 0 and 7
// NO-VALUE: {{\[}}launch.scalars] scalar 'm' of the program can have no value: its launches take it from 0 to -1
// ONE-NAME: {{\[}}launch.scalars] two scalars of the program are called 'n'; give each its own 'streamtensor.name'
// UNUSED: {{\[}}launch.scalars] argument 1 is a number that no launch takes and no loop counts by: remove it
//--- designs.mlir
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @second {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @double {
  %x = dataflow.port inout "x" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" orders %x : !dataflow.port<4xi32> : !dataflow.stream<i32, 4>
  dataflow.leaf "ld" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    %w = arith.addi %v, %v : i32
    dataflow.stream_write %w, %f : i32, !dataflow.stream<i32, 4>
  }
  dataflow.leaf "st" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32, 4> -> i32
    dataflow.store %v, %x affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @both {
  %x = dataflow.port inout "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" orders %x : !dataflow.port<4xi32> : !dataflow.stream<i32, 4>
  dataflow.leaf "ld" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.stream_write %v, %f : i32, !dataflow.stream<i32, 4>
  }
  dataflow.leaf "st" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32, 4> -> i32
    %w = arith.addi %v, %v : i32
    dataflow.store %w, %x affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @pair {
  %x = dataflow.port inout "x" : !dataflow.port<4xi32>
  %z = dataflow.port inout "z" : !dataflow.port<4xi32>
  %f = dataflow.stream "f" orders %x : !dataflow.port<4xi32> : !dataflow.stream<i32, 4>
  %g = dataflow.stream "g" orders %z : !dataflow.port<4xi32> : !dataflow.stream<i32, 4>
  dataflow.leaf "ldx" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.stream_write %v, %f : i32, !dataflow.stream<i32, 4>
  }
  dataflow.leaf "ldz" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %z affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    dataflow.stream_write %v, %g : i32, !dataflow.stream<i32, 4>
  }
  dataflow.leaf "stx" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32, 4> -> i32
    dataflow.store %v, %x affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
  dataflow.leaf "stz" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<i32, 4> -> i32
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @pos {
  %x = dataflow.port in "x" : !dataflow.port<4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4xi32>
  %p = dataflow.scalar "p" from 0 to 7 : index
  dataflow.leaf "l" compute [4] counts affine_map<()[s0] -> (4)> (%p) {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    %n = arith.index_cast %p : index to i32
    %w = arith.addi %v, %n : i32
    dataflow.store %w, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}

//--- places-inout.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %q:2 = dataflow.launch @pair(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    %s = dataflow.launch @copy(%q#1) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %q#1, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- places-out.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %q:2 = dataflow.launch @both(%a) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    %s = dataflow.launch @copy(%q#1) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %q#1, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- captured.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %h = scf.for %j = %c0 to %c3 step %c1 iter_args(%g = %b) -> (tensor<4xi32>) {
      %q:2 = dataflow.launch @both(%a) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
      scf.yield %q#1 : tensor<4xi32>
    }
    %s = dataflow.launch @copy(%h) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %h : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- carried-twice.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %h:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%g = %a, %k = %a) -> (tensor<4xi32>, tensor<4xi32>) {
      %q = dataflow.launch @double(%g) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %q, %k : tensor<4xi32>, tensor<4xi32>
    }
    %s = dataflow.launch @copy(%h#0) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %h#0, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- before-the-inner-loop.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %h = scf.for %j = %c0 to %c3 step %c1 iter_args(%g = %b) -> (tensor<4xi32>) {
      %q = dataflow.launch @copy(%b) : (tensor<4xi32>) -> tensor<4xi32>
      scf.yield %q : tensor<4xi32>
    }
    scf.yield %s, %h : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- untouched.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e, %c = %x) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %q = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @copy(%q) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %q, %s, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- from-outside.mlir
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %q = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @copy(%q) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %y, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- number.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e, %k = %c3) -> (tensor<4xi32>, tensor<4xi32>, index) {
    %q = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @copy(%q) : (tensor<4xi32>) -> tensor<4xi32>
    %k2 = arith.addi %k, %c1 : index
    scf.yield %q, %s, %k2 : tensor<4xi32>, tensor<4xi32>, index
  }
  return %r#0 : tensor<4xi32>
}

//--- empty-captured.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<4xi32>, tensor<4xi32>) {
    %q = dataflow.launch @copy(%e) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%b) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %q, %s : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- empty-launched.mlir
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = dataflow.launch @copy(%e) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

//--- empty-returned.mlir
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = dataflow.launch @copy(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %e : tensor<4xi32>
}

//--- plus-constant.mlir
func.func @main(%x: tensor<4xi32>, %m: index {streamtensor.name = "m"}, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %at = arith.addi %m, %c1 : index
    %q = dataflow.launch @pos(%a) scalars(%at) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- two-turns.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %at = arith.addi %i, %i : index
    %q = dataflow.launch @pos(%a) scalars(%at) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- far-turn.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 9>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %q = dataflow.launch @pos(%a) scalars(%i) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- far-constant.mlir
func.func @main(%x: tensor<4xi32>, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %c8 = arith.constant 8 : index
    %q = dataflow.launch @pos(%a) scalars(%c8) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- no-value.mlir
func.func @main(%x: tensor<4xi32>, %m: index {streamtensor.name = "m"}, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 9>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %at = arith.addi %m, %i : index
    %q = dataflow.launch @pos(%a) scalars(%at) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- one-name.mlir
func.func @main(%x: tensor<4xi32>, %m: index {streamtensor.name = "n"}, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %q = dataflow.launch @pos(%a) scalars(%m) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

//--- unused.mlir
func.func @main(%x: tensor<4xi32>, %m: index {streamtensor.name = "m"}, %n: index {streamtensor.name = "n", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %e) -> (tensor<4xi32>, tensor<4xi32>) {
    %at = arith.addi %m, %i : index
    %q = dataflow.launch @pos(%a) scalars(%c1) : (tensor<4xi32>) -> tensor<4xi32>
    %s = dataflow.launch @double(%a) : (tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s, %q : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}
