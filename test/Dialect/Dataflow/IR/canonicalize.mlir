// RUN: streamtensor-opt %s --canonicalize --verify-roundtrip | FileCheck %s

!rows = !itensor.itensor<2x4xf32, iter_space: [2] * [2], iter_map: (d0) -> (d0, 0)>

// What nobody reads goes away: a result with all that makes it, and the input that only it needs.

// CHECK-LABEL: func.func @unused
// CHECK-SAME: %[[x:[a-z0-9]+]]: tensor<4x4xf32>, %{{[a-z0-9]+}}: tensor<4x4xf32>
// CHECK: %[[k:.*]] = dataflow.kernel "two"(%[[x]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: %[[s:.*]] = itensor.from_tensor
// CHECK-NOT: itensor.from_tensor
// CHECK: itensor.to_tensor %[[s]]
// CHECK-NOT: dataflow.kernel
// CHECK: return %[[k]]
func.func @unused(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %k:2 = dataflow.kernel "two"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %as = itensor.from_tensor %a : tensor<4x4xf32> -> !rows
    %bs = itensor.from_tensor %b : tensor<4x4xf32> -> !rows
    %s = itensor.to_tensor %as : !rows -> tensor<4x4xf32>
    %t = itensor.to_tensor %bs : !rows -> tensor<4x4xf32>
    dataflow.yield %t, %s : tensor<4x4xf32>, tensor<4x4xf32>
  }
  %dead = dataflow.kernel "dead"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %as = itensor.from_tensor %a : tensor<4x4xf32> -> !rows
    %s = itensor.to_tensor %as : !rows -> tensor<4x4xf32>
    dataflow.yield %s : tensor<4x4xf32>
  }
  return %k#1 : tensor<4x4xf32>
}

// What folds in a leaf stays in it, and in its nest.

// CHECK-LABEL: dataflow.design @folds
// CHECK-NOT: arith.constant
// CHECK: dataflow.leaf "fold"
// CHECK: dataflow.nest
// CHECK-NOT: arith.addf
// CHECK: arith.constant 3.0
dataflow.design @folds {
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  dataflow.leaf "fold" compute [] {
    dataflow.nest "only" [4] {
    ^bb0(%i: index):
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %sum = arith.addf %one, %two : f32
      dataflow.store %sum, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
    }
  }
}
