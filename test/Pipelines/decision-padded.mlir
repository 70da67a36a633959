// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=44" --write-schedule=%t.json -o %t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=SIMULATED
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.json
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json" --schedule=%t.json --write-schedule=%t.again.json -o %t.read.mlir
// RUN: diff %t.mlir %t.read.mlir
// RUN: diff %t.json %t.again.json
// RUN: sed 's/"padded": .13, 128, 66./"padded": [13, 66]/' %t.json > %t.short.json
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json" --schedule=%t.short.json 2>&1 | FileCheck %s --check-prefix=SHORT

// 44 lanes are 11 x 4, and with 11 as factor of extents 61 columns become 66 and 127 terms 132. No lanes run along the 13
// rows, which were padded to 14 as if some would, and 4 of them divide 128 as well. So 13 x 66 x 128 / 44 = 2,496
// iterations are enough, where 14 x 66 x 132 / 44 = 2,772 were, and about 420 cycles fill and empty the design: weights of
// the first columns, 11 of 128 cycles, results of the last ones, and the latency of memory.

// SIMULATED: "cycles": 29{{[0-9][0-9]}},
// FILE-NOT: "odd"
// FILE: "padded": [13, 128, 66],
// FILE-NEXT: "operations"
// FILE: "unroll": [1, 11, 4]
// SHORT: error: [padded.extents] extents of 13, 127, 61 cannot be padded to 13, 66 with at most 12 % more each

func.func @main(%x: tensor<13x127xf32>, %w: tensor<127x61xf32>, %y: tensor<13x61xf32>) -> tensor<13x61xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x61xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<13x61xf32>) -> tensor<13x61xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<13x127xf32>, tensor<127x61xf32>) outs(%f : tensor<13x61xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<13x61xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %y : tensor<13x61xf32>, tensor<13x61xf32>) outs(%e : tensor<13x61xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<13x61xf32>
  return %b : tensor<13x61xf32>
}
