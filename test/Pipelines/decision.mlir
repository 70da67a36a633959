// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=44 decision=rules" | streamtensor-sim --json | FileCheck %s --check-prefix=RULES
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=44" --write-schedule=%t.json --validate -o %t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=SIMULATED
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.json
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json" --schedule=%t.json --write-schedule=%t.again.json -o %t.read.mlir
// RUN: diff %t.mlir %t.read.mlir
// RUN: diff %t.json %t.again.json

// Of 44 lanes the rules of growth take 32: 128 x 256 x 64 products are 65536 iterations. With 132 rows for 128 they are
// 44, and 49152 iterations. The fastest of several ways is taken, and its schedule says the factor that rows were padded
// for.

// RULES: "cycles": 6{{[5-9][0-9][0-9][0-9]}},
// SIMULATED: "cycles": {{49[1-9]|50[0-9]}}{{[0-9][0-9]}},
// FILE: "odd": 11,
// FILE: "unroll": [11, 4, 1]

func.func @main(%x: tensor<128x256xf32>, %w: tensor<256x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x256xf32>, tensor<256x64xf32>) outs(%f : tensor<128x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  return %a : tensor<128x64xf32>
}
