// Each module of a split input is validated by itself; the wrong ones are named, the others pass.

// RUN: rm -rf %t
// RUN: not streamtensor-test-opt %s --split-input-file --validate --validate-dir=%t --pass-pipeline='builtin.module(func.func(test-turn-subtractions))' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REDUCED < %t/reduced-test-turn-subtractions.mlir
// RUN: streamtensor-opt %s --split-input-file --validate --validate-dir=%t/right --pass-pipeline='builtin.module(canonicalize,cse)' -o /dev/null

// A program that cannot be executed itself is an error as well: nothing was validated.
// RUN: sed -e 's/arith.subf/arith.remf/; s/tensor<3xf32>/tensor<?xf32>/g' %s > %t/dynamic.mlir
// RUN: not streamtensor-opt %t/dynamic.mlir --split-input-file --validate --validate-dir=%t --pass-pipeline='builtin.module(cse)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: the interpreter takes tensors of fixed shape

// CHECK-COUNT-1: error: pass 'test-turn-subtractions' changes what the program computes
// CHECK-NOT: error
// REDUCED: tensor<3xf32>

func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = arith.mulf %a, %a : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %r = arith.subf %a, %b : tensor<3xf32>
  return %r : tensor<3xf32>
}
