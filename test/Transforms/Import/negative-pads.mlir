// RUN: streamtensor-opt %s --streamtensor-import --verify-roundtrip | FileCheck %s

// A shift by one row: the pad has the source's type, but is not its source.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>
// CHECK: %[[CUT:.*]] = tensor.extract_slice %[[X]][0, 2] [3, 4] [1, 1] : tensor<4x6xf32> to tensor<3x4xf32>
// CHECK: %[[R:.*]] = tensor.pad %[[CUT]] low[1, 0] high[0, 2]
// CHECK: return %[[R]]
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[1, -2] high[-1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
