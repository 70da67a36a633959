// RUN: streamtensor-run %s --elements=12 | FileCheck %s
// RUN: streamtensor-run %s --elements=12 --jit | FileCheck %s

func.func @main() -> (tensor<2x1xi32>, tensor<2x3xi32>, tensor<4x3xi32>, tensor<2x5xi32>, tensor<6xi32>,
                      tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xi1>, tensor<2x3xindex>) {
  %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %c1 = arith.constant 1 : index
  // CHECK: result0 tensor<2x1xi32> [2, 5]
  %r0 = tensor.extract_slice %a[0, %c1] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
  // The first operand is still needed after the insertion: it keeps its elements.
  // CHECK: result1 tensor<2x3xi32> [2, 2, 3, 5, 5, 6]
  %r1 = tensor.insert_slice %r0 into %a[0, 0] [2, 1] [1, 1] : tensor<2x1xi32> into tensor<2x3xi32>
  // CHECK: result2 tensor<4x3xi32> [1, 2, 3, 4, 5, 6, 2, 2, 3, 5, 5, 6]
  %r2 = tensor.concat dim(0) %a, %r1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  // CHECK: result3 tensor<2x5xi32> [9, 1, 2, 3, 9, 9, 4, 5, 6, 9]
  %nine = arith.constant 9 : i32
  %r3 = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %nine : i32
  } : tensor<2x3xi32> to tensor<2x5xi32>
  // CHECK: result4 tensor<6xi32> [1, 2, 3, 4, 5, 6]
  %r4 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  // CHECK: result5 tensor<2x3xi32> [0, 1, 2, 1, 2, 3]
  %r5 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %t = arith.index_cast %s : index to i32
    tensor.yield %t : i32
  } : tensor<2x3xi32>
  // Arithmetic on whole tensors.
  // CHECK: result6 tensor<2x3xi32> [1, 3, 5, 5, 7, 9]
  %r6 = arith.addi %a, %r5 : tensor<2x3xi32>
  // A constant in a file's resources: one bit of each byte.
  // CHECK: result7 tensor<2x2xi1> [1, 0, 0, 1]
  %r7 = arith.constant dense_resource<mask> : tensor<2x2xi1>
  // A loop that carries a tensor.
  // CHECK: result8 tensor<2x3xindex> [0, 0, 0, 0, 2, 0]
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %empty = arith.constant dense<0> : tensor<2x3xindex>
  %r8 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %empty) -> (tensor<2x3xindex>) {
    %d = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %next = tensor.insert %d into %t[%i, %i] : tensor<2x3xindex>
    scf.yield %next : tensor<2x3xindex>
  }
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<2x1xi32>, tensor<2x3xi32>, tensor<4x3xi32>,
      tensor<2x5xi32>, tensor<6xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x2xi1>, tensor<2x3xindex>
}

{-#
  dialect_resources: {
    builtin: {
      mask: "0x0100000001000001"
    }
  }
#-}
