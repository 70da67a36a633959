// x w and x v take the 2,048 bytes of x for each of 4 tiles of columns, 16,384 bytes in all, for which one channel of 53.12
// bytes a cycle needs 308 cycles. With 128 lanes each product has 16 x 64 x 32 / 128 = 256 iterations. So x is read once,
// in two tiles of 16 columns, and each product holds it. With 64 lanes there is time for it.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=256 decision=rules stop-after=fuse" --device=%devices/u55c.json | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=128 decision=rules stop-after=fuse" --device=%devices/u55c.json | FileCheck %s --check-prefix=SLOW
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=256 decision=rules stop-after=size" --device=%devices/u55c.json | streamtensor-sim --json | FileCheck %s --check-prefix=MOVED
// The same results as before, at every level.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=256 decision=rules stop-after=size" --device=%devices/u55c.json --validate -o /dev/null

// CHECK: %[[X:.*]] = itensor.from_tensor %{{.*}} : tensor<16x32xf32> -> <16x16xf32, iter_space: [2] * [16], iter_map: (d0) -> (0, d0)>
// CHECK: itensor.converter %[[X]] : {{.*}} to <16x16xf32, iter_space: [4, 2] * [1, 16], iter_map: (d0, d1) -> (0, d1)>
// CHECK: itensor.converter %[[X]] : {{.*}} to <16x16xf32, iter_space: [4, 2] * [1, 16], iter_map: (d0, d1) -> (0, d1)>
// CHECK-NOT: from_tensor %{{.*}} : tensor<16x32xf32>

// SLOW-NOT: itensor.converter

// Each of the weights, x and each of the results, 8,192, 2,048 and 4,096 bytes.
// MOVED: "ports": [
// MOVED-COUNT-1: "bytes": 2048,
// MOVED-NOT: "bytes": 2048,
// MOVED: "resources"
func.func @main(%x: tensor<16x32xf32> {streamtensor.name = "x"}, %w: tensor<32x64xf32> {streamtensor.name = "w"},
                %v: tensor<32x64xf32> {streamtensor.name = "v"}) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = linalg.matmul ins(%x, %w : tensor<16x32xf32>, tensor<32x64xf32>) outs(%f : tensor<16x64xf32>) -> tensor<16x64xf32>
  %b = linalg.matmul ins(%x, %v : tensor<16x32xf32>, tensor<32x64xf32>) outs(%f : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %a, %b : tensor<16x64xf32>, tensor<16x64xf32>
}
