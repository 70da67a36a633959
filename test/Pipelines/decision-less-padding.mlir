// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=44" --write-schedule=%t.json -o %t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=SIMULATED
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.json
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json" --schedule=%t.json -o %t.read.mlir
// RUN: diff %t.mlir %t.read.mlir

// 44 lanes are 11 x 4. Where 12 % more elements are allowed, 400 terms become 440, as many as 4 x 11 divides:
// 20 x 440 x 200 / 44 = 40,000 iterations. 407 = 37 x 11 is enough for the 11, as two rows and two columns are the 4:
// 20 x 407 x 200 / 44 = 37,000, and about 800 cycles fill and empty the design.

// SIMULATED: "cycles": 37{{[0-9][0-9][0-9]}},
// FILE-NOT: "odd"
// FILE: "padded": [20, 407, 200],
// FILE: "unroll": [2, 2, 11]

func.func @main(%x: tensor<20x400xf32>, %w: tensor<400x200xf32>) -> tensor<20x200xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x200xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x200xf32>) -> tensor<20x200xf32>
  %r = linalg.matmul ins(%x, %w : tensor<20x400xf32>, tensor<400x200xf32>) outs(%f : tensor<20x200xf32>) -> tensor<20x200xf32>
  return %r : tensor<20x200xf32>
}
