// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=16 dump-dir=%t" -o /dev/null
// RUN: streamtensor-run %s %t/01-import.mlir %t/02-linalg.mlir %t/03-decide.mlir %t/04-tile.mlir %t/05-kernel.mlir %t/06-fuse.mlir %t/07-pack.mlir %t/08-materialise.mlir %t/09-optimise.mlir %t/10-stream.mlir %t/11-size.mlir | FileCheck %s
// RUN: sed -e 's/arith.addf %n, %n/arith.mulf %n, %n/' %s > %t/wrong.mlir
// RUN: not streamtensor-run %s %t/wrong.mlir | FileCheck %s --check-prefix=WRONG

// Every phase of one compilation on the same arguments: what a run prints of differences is
// also its exit code.

// CHECK: level linalg
// CHECK-COUNT-4: level linalg
// CHECK-COUNT-5: level itensor
// CHECK-COUNT-2: level stream
// CHECK-NOT: differs
// CHECK: result0 tensor<4x12xf32>
// WRONG: wrong.mlir
// WRONG-NEXT: differs from the module before beyond the tolerance: element [0, 0] of result 0 is
func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x12xf32>) -> tensor<4x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x12xf32>) -> tensor<4x12xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x12xf32>) outs(%e : tensor<4x12xf32>) {
  ^bb0(%x: f32, %out: f32):
    %n = math.tanh %x : f32
    %s = arith.addf %n, %n : f32
    linalg.yield %s : f32
  } -> tensor<4x12xf32>
  return %r : tensor<4x12xf32>
}
