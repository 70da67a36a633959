// What passes did is written down: which ran, changed the program or failed, and which operations
// there were. Each part of a split input has its own.

// RUN: rm -rf %t && mkdir %t
// RUN: not streamtensor-opt %s --split-input-file --pass-activity=%t/activity.json --pass-pipeline='builtin.module(func.func(streamtensor-generalize,cse,streamtensor-verify-linalg),cse)' 2> %t/errors
// RUN: FileCheck %s < %t/activity.json

// CHECK:      "operations": [
// CHECK-NEXT:   "func.func",
// CHECK:        "linalg.generic",
// CHECK:        "linalg.tanh"
// CHECK:        "math.tanh"
// CHECK:      "passes": {
// CHECK-NEXT:   "cse": {
// CHECK-NEXT:     "changes": 0,
// CHECK-NEXT:     "failures": 0,
// CHECK-NEXT:     "runs": 2
// CHECK:        "streamtensor-generalize": {
// CHECK-NEXT:     "changes": 1,
// CHECK-NEXT:     "failures": 0,
// CHECK-NEXT:     "runs": 1
// CHECK:        "streamtensor-verify-linalg": {
// CHECK-NEXT:     "changes": 0,
// CHECK-NEXT:     "failures": 0,
// CHECK-NEXT:     "runs": 1
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.tanh ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK:        "cse": {
// CHECK:          "runs": 1
// CHECK:        "streamtensor-verify-linalg": {
// CHECK-NEXT:     "changes": 0,
// CHECK-NEXT:     "failures": 1,
// CHECK-NEXT:     "runs": 1
func.func @odd(%x: tensor<5xf32>) -> tensor<2xf32> {
  %y = tensor.extract_slice %x[0] [2] [2] : tensor<5xf32> to tensor<2xf32>
  return %y : tensor<2xf32>
}
