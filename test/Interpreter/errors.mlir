// RUN: rm -rf %t && split-file --leading-lines %s %t
// RUN: not streamtensor-run %t/division.mlir 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not streamtensor-run %t/outside.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not streamtensor-run %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not streamtensor-run %t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not streamtensor-run %t/entry.mlir 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not streamtensor-run %t/assert.mlir 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not streamtensor-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not streamtensor-run %t/argument.mlir --input=%t/division.mlir 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not streamtensor-run %t/argument.mlir --input=a --input=b 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not streamtensor-run %t/unknown.mlir --jit 2>&1 | FileCheck %s --check-prefix=LOWERING
// RUN: not streamtensor-run %t/scalar.mlir --jit 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not streamtensor-run %t/sums.mlir 2>&1 | FileCheck %s --check-prefix=SUMS

//--- division.mlir
// DIVISION: division.mlir:[[#@LINE+5]]:{{.*}} error: 'arith.divsi' op divides by zero
func.func @main() -> tensor<2xi32> {
  %a = arith.constant dense<[4, 0]> : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<2xi32>) {
  ^bb0(%x: i32):
    %q = arith.divsi %x, %x : i32
    linalg.yield %q : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

//--- outside.mlir
// OUTSIDE: outside.mlir:[[#@LINE+4]]:{{.*}} error: 'tensor.extract_slice' op reads outside its tensor
func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.addi %c2, %c2 : index
  %r = tensor.extract_slice %a[%c3] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}

//--- unknown.mlir
// LOWERING: error: 'func.func' op cannot be lowered by MLIR: {{.+}}
// UNKNOWN: unknown.mlir:[[#@LINE+2]]:{{.*}} error: the interpreter does not know 'tensor.scatter' on these types; it executes Linalg on tensors, itensors and designs, with bodies of arith and math
func.func @main(%a: tensor<2x1xf32>, %b: tensor<4xf32>, %i: tensor<2x1xindex>) -> tensor<4xf32> {
  %r = tensor.scatter %a into %b[%i] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- sums.mlir
// SUMS: sums.mlir:[[#@LINE+2]]:{{.*}} error: [sums.banks] 'banks' has a number for each tile loop and each point loop over the reduction
func.func @main(%x: tensor<6xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<6xf32>) outs(%zero : tensor<f32>)
      attrs = {dataflow.sums = #dataflow.sums<loops = [], points = [0], lanes = [1], trees = [], banks = [3, 1]>} {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

//--- scalar.mlir
// SCALAR: scalar.mlir:[[#@LINE+1]]:{{.*}} error: 'func.func' op returns 'f32'; MLIR's own lowering is run on tensors of fixed shape only
func.func @main(%a: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<4xf32>
  return %x : f32
}

//--- dynamic.mlir
// DYNAMIC: error: 'func.func' op argument 0 has type 'tensor<?xf32>'; the interpreter takes tensors of fixed shape and scalars of at most 64 bits
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

//--- entry.mlir
// ENTRY: error: 'builtin.module' op has 2 functions and none is called main; a run needs one to enter
func.func @first() { return }
func.func @second() { return }

//--- assert.mlir
// ASSERT: assert.mlir:[[#@LINE+3]]:{{.*}} error: 'cf.assert' op does not hold: positions are in order
func.func @main() {
  %false = arith.constant false
  cf.assert %false, "positions are in order"
  return
}

//--- argument.mlir
// FORMAT: error: {{.*}}division.mlir: is no .npy file of version 1; write it with numpy.save
// COUNT: error: the program takes 1 arguments, 2 are given with --input
// NONE: error: cannot open input file '{{.*}}none.mlir': No such file or directory
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
