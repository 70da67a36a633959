// RUN: streamtensor-opt %s | streamtensor-opt | FileCheck %s

// What a program may say of itself, its arguments and its results.

// CHECK-LABEL: func.func @main
// CHECK-SAME: {streamtensor.kind = "input", streamtensor.name = "hidden", streamtensor.next = 0 : i64}
// CHECK-SAME: {streamtensor.extents = ["", "context"], streamtensor.kind = "parameter", streamtensor.name = "keys", streamtensor.stacked}
// CHECK-SAME: {streamtensor.turns = array<i64: 1, 32>}
// CHECK-SAME: {streamtensor.row_major}
// CHECK-SAME: {streamtensor.along = 1 : i64, streamtensor.at = "position", streamtensor.into = "keys"}
// CHECK-SAME: attributes {streamtensor.layers = 30 : i64, streamtensor.looped}
func.func @main(
    %hidden: tensor<4xf32> {streamtensor.name = "hidden", streamtensor.kind = "input", streamtensor.next = 0 : i64},
    %keys: tensor<2x8xf32> {streamtensor.name = "keys", streamtensor.kind = "parameter", streamtensor.stacked, streamtensor.extents = ["", "context"]},
    %turns: index {streamtensor.turns = array<i64: 1, 32>})
    -> (tensor<4xf32> {streamtensor.row_major}, tensor<2x8xf32> {streamtensor.into = "keys", streamtensor.at = "position", streamtensor.along = 1 : i64})
    attributes {streamtensor.layers = 30 : i64, streamtensor.looped} {
  return %hidden, %keys : tensor<4xf32>, tensor<2x8xf32>
}

// A function that stands for the program of a file.
// CHECK: func.func private @layers(tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.program = "layers.mlir"}
func.func private @layers(tensor<4xf32>) -> tensor<4xf32> attributes {streamtensor.program = "layers.mlir"}
