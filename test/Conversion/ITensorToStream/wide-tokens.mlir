// A token of 128 doubles has 8192 bits, twice what an element of a stream may have: its lanes travel
// through two FIFOs side by side, and every iteration moves both.

// Unroll factors of 128, which the compiler does not choose by itself.
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=128 unroll=4096 decision=rules stop-after=decide" -o %t.mlir
// RUN: sed -i 's/unroll = .1, 32./unroll = [1, 128]/' %t.mlir
// RUN: streamtensor-opt %t.mlir --streamtensor-pipeline="device=%devices/u55c.json start-after=decide stop-after=stream" --verify-roundtrip | FileCheck %s

// CHECK-LABEL: dataflow.design
// CHECK: %[[low:[a-z0-9_]+]] = dataflow.stream "op_1_fifo" : <vector<64xf64>>
// CHECK-NEXT: %[[high:[a-z0-9_]+]] = dataflow.stream "op_1_fifo_1" : <vector<64xf64>>
// CHECK: dataflow.leaf
// CHECK: %[[a:.*]] = vector.extract_strided_slice %[[token:.*]] {offsets = [0], sizes = [64], strides = [1]}
// CHECK: dataflow.stream_write %[[a]], %[[low]]
// CHECK: %[[b:.*]] = vector.extract_strided_slice %[[token]] {offsets = [64], sizes = [64], strides = [1]}
// CHECK: dataflow.stream_write %[[b]], %[[high]]
// CHECK: dataflow.leaf
// CHECK: %[[c:.*]] = dataflow.stream_read %[[low]]
// CHECK: %[[d:.*]] = vector.insert_strided_slice %[[c]], %{{.*}} {offsets = [0]
// CHECK: %[[e:.*]] = dataflow.stream_read %[[high]]
// CHECK: vector.insert_strided_slice %[[e]], %[[d]] {offsets = [64]
func.func @main(%x: tensor<8x128xf64>, %w: tensor<128x128xf64>) -> tensor<8x128xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<8x128xf64>
  %h = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x128xf64>) outs(%e : tensor<8x128xf64>) {
  ^bb0(%in: f64, %out: f64):
    %m = arith.maximumf %in, %zero : f64
    linalg.yield %m : f64
  } -> tensor<8x128xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<8x128xf64>) -> tensor<8x128xf64>
  %p = linalg.matmul ins(%h, %w : tensor<8x128xf64>, tensor<128x128xf64>) outs(%f : tensor<8x128xf64>) -> tensor<8x128xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x128xf64>) outs(%e : tensor<8x128xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = math.tanh %in : f64
    linalg.yield %t : f64
  } -> tensor<8x128xf64>
  return %y : tensor<8x128xf64>
}
