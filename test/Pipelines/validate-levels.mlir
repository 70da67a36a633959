// A wrong pass is found at every level, to the bit: the difference here is one of sign only.

// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=8 stop-after=tile" -o %t/tile.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=8 stop-after=optimise" -o %t/optimise.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=8" -o %t/size.mlir
// RUN: not streamtensor-test-opt %t/tile.mlir --validate --validate-dir=%t/1 --validate-reduce-seconds=1 --pass-pipeline='builtin.module(test-turn-subtractions)' 2>&1 | FileCheck %s
// RUN: not streamtensor-test-opt %t/optimise.mlir --validate --validate-dir=%t/2 --validate-reduce-seconds=1 --pass-pipeline='builtin.module(test-turn-subtractions)' 2>&1 | FileCheck %s
// RUN: not streamtensor-test-opt %t/size.mlir --validate --validate-dir=%t/3 --validate-reduce-seconds=1 --pass-pipeline='builtin.module(test-turn-subtractions)' 2>&1 | FileCheck %s

// The pass's input is of its own level.
// RUN: FileCheck %s --check-prefix=TASK < %t/2/validate-test-turn-subtractions.mlir
// RUN: FileCheck %s --check-prefix=LEAF < %t/3/validate-test-turn-subtractions.mlir
// TASK: dataflow.task
// LEAF: dataflow.leaf

// CHECK: error: pass 'test-turn-subtractions' changes what the program computes: element [0, 0] of result 0 is {{-?}}0 instead of {{-?}}0

func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %d = math.absf %x : f32
    %zero = arith.constant 0.0 : f32
    %m = arith.minimumf %d, %zero : f32
    %big = arith.constant 1.0e-30 : f32
    %n = arith.mulf %m, %big : f32
    %s = arith.subf %n, %d : f32
    %t = arith.mulf %s, %n : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
