// RUN: streamtensor-run %s --elements=16 | FileCheck %s

!grid = !itensor.itensor<1x3xi32, iter_space: [2, 2] * [1, 3], iter_map: (d0, d1) -> (d0, d1)>

// Tokens that lie column by column, stored row by row in words of 4.
func.func @main() -> (tensor<2x6xi32>, tensor<2x6xi32>) {
  %tokens = arith.constant dense<[[[[0, 1, 2]], [[10, 11, 12]]], [[[3, 4, 5]], [[13, 14, 15]]]]> : tensor<2x2x1x3xi32>
  %r:2 = dataflow.kernel "k"(%tokens) : (tensor<2x2x1x3xi32>) -> (tensor<2x2x1x1x4xi32>, tensor<2x6xi32>) {
  ^bb0(%t: tensor<2x2x1x3xi32>):
    %s = itensor.from_tensor %t packed order [1, 0] : tensor<2x2x1x3xi32> -> !grid
    %f:2 = itensor.fork %s : !grid -> !grid, !grid
    %y = itensor.to_tensor %f#0 packed lanes 3 : !grid -> tensor<2x2x1x1x4xi32>
    %z = itensor.to_tensor %f#1 : !grid -> tensor<2x6xi32>
    dataflow.yield %y, %z : tensor<2x2x1x1x4xi32>, tensor<2x6xi32>
  }
  // CHECK: result0 tensor<2x6xi32> [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]
  // CHECK: result1 tensor<2x6xi32> [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]
  %u = itensor.unpack %r#0 strides [6, 3, 6, 3, 1] lanes 3 : tensor<2x2x1x1x4xi32> -> tensor<2x6xi32>
  return %u, %r#1 : tensor<2x6xi32>, tensor<2x6xi32>
}
