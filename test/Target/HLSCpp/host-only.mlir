// A program that computes nothing has no design: the host passes its tensors on, the
// simulator counts no cycles.

// RUN: rm -rf %t && streamtensor-opt %s --streamtensor-pipeline=device=%devices/u55c.json -o %t.mlir
// RUN: streamtensor-translate %t.mlir --output-dir=%t
// RUN: FileCheck %s --input-file=%t/interface.json
// RUN: FileCheck %s --input-file=%t/host/program.h --check-prefix=PROGRAM
// RUN: streamtensor-sim %t.mlir | FileCheck %s --check-prefix=CYCLES

// CHECK: "designs": []
// CHECK: "op": "reshape"
// PROGRAM: Results.
// PROGRAM-NEXT: {2, 0, 1},
// CYCLES: 0 cycles

func.func @main(%x: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<4x8xf32>, tensor<2xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %y, %x, %c : tensor<32xf32>, tensor<4x8xf32>, tensor<2xf32>
}
