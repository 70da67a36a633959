// q = A p and s = A^T r take each element of A once. Both take its tiles down the columns, so one load feeds both: A
// moves once, 64 x 128 x 4 = 32,768 bytes, a tile of 256 elements in each of 32 iterations.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=optimise" --device=%devices/u55c.json | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=size" --device=%devices/u55c.json | streamtensor-sim --json | FileCheck %s --check-prefix=MOVED
// With 16 lanes in each task a token is a row of a tile.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=32 decision=rules stop-after=optimise" --device=%devices/u55c.json | FileCheck %s --check-prefix=NARROW
// The same results as before, at every level.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=size" --device=%devices/u55c.json --validate -o /dev/null

// CHECK: %[[A:.*]] = itensor.from_tensor %{{.*}} packed {dataflow.lanes = array<i64: 256>} : tensor<8x4x16x16xf32>
// CHECK: itensor.fork %[[A]] {dataflow.lanes = array<i64: 256, 256>}
// CHECK-NOT: from_tensor {{.*}} packed

// A on 16 masters, 2,048 bytes each, and as much of r, once for each of 8 columns of tiles.
// MOVED: "ports": [
// MOVED-COUNT-17: "bytes": 2048,
// MOVED-NOT: "bytes": 2048,
// MOVED: "resources"

// NARROW: %[[A:.*]] = itensor.from_tensor %{{.*}} packed {dataflow.lanes = array<i64: 16>} : tensor<8x4x16x16xf32>
// NARROW: itensor.fork %[[A]] {dataflow.lanes = array<i64: 16, 16>}
// NARROW-NOT: from_tensor {{.*}} packed
func.func @main(%a: tensor<64x128xf32> {streamtensor.name = "a"}, %p: tensor<128xf32> {streamtensor.name = "p"},
                %r: tensor<64xf32> {streamtensor.name = "r"}) -> (tensor<64xf32>, tensor<128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %q = linalg.matvec ins(%a, %p : tensor<64x128xf32>, tensor<128xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %g = tensor.empty() : tensor<128xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.vecmat ins(%r, %a : tensor<64xf32>, tensor<64x128xf32>) outs(%h : tensor<128xf32>) -> tensor<128xf32>
  return %q, %s : tensor<64xf32>, tensor<128xf32>
}
