// RUN: streamtensor-opt %s --streamtensor-import --verify-roundtrip | FileCheck %s

// Seeds and assertions about shapes are dropped, arguments get names and kinds.

// CHECK-NOT: ml_program
// CHECK: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {streamtensor.kind = "input", streamtensor.name = "arg0"}
// CHECK-SAME: tensor<8xf32> {streamtensor.kind = "parameter", streamtensor.name = "norm.weight"}
// CHECK-NOT: cf.assert
// CHECK: return %[[X]]
module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
  func.func @forward(%x: tensor<4x8xf32>, %w: tensor<8xf32> {streamtensor.name = "norm.weight", streamtensor.kind = "parameter"}) -> tensor<4x8xf32> {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %d = tensor.dim %x, %c1 : tensor<4x8xf32>
    %ok = arith.cmpi eq, %d, %c8 : index
    cf.assert %ok, "sizes must agree"
    return %x : tensor<4x8xf32>
  }
}
