// RUN: streamtensor-opt %s --streamtensor-import --verify-roundtrip | FileCheck %s

// A scalar that is not a number is a literal of the source (a loss that is undefined below zero),
// no weight.

// CHECK: arith.constant dense<0x7FC00000> : tensor<f32>
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %nan = arith.constant dense<0x7FC00000> : tensor<f32>
  return %x, %nan : tensor<f32>, tensor<f32>
}
