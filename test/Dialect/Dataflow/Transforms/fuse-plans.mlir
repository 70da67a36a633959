// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=3072" --verify-roundtrip | FileCheck %s --check-prefixes=CHECK,GREEDY
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=3072 planner=optimal" --verify-roundtrip | FileCheck %s --check-prefixes=CHECK,OPTIMAL
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=99999 group-bytes=3072 planner=optimal" --verify-roundtrip | FileCheck %s --check-prefixes=CHECK,OPTIMAL

// The first product reads each row of tiles three times and holds 16x32 elements of 4 bytes for that, 2048; the second reads
// rows of 16x48 four times, 3072. Only one of them fits. The greedy plan takes the first and hands the roots over memory,
// 2 x 12288 bytes. The other cut, in front of the first product, moves the exponentials, 2 x 8192 bytes, and takes as many
// launches.

#id = affine_map<(i, j) -> (i, j)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<64x32xf32>, %[[W:[a-z0-9_]+]]: tensor<32x48xf32>, %[[V:[a-z0-9_]+]]: tensor<48x64xf32>

// GREEDY: %[[roots:[a-z0-9_]+]] = dataflow.kernel "accelerator_0"(%[[X]], %[[W]])
// GREEDY: itensor.converter
// GREEDY: math.sqrt
// GREEDY: %[[result:[a-z0-9_]+]] = dataflow.kernel "accelerator_1"(%[[roots]], %[[V]])
// GREEDY-NOT: dataflow.kernel
// GREEDY: return %[[result]]

// OPTIMAL: %[[exponentials:[a-z0-9_]+]] = dataflow.kernel "accelerator_0"(%[[X]]) : (tensor<64x32xf32>) -> tensor<64x32xf32>
// OPTIMAL: math.exp
// OPTIMAL: %[[result:[a-z0-9_]+]] = dataflow.kernel "accelerator_1"(%[[exponentials]], %[[W]], %[[V]])
// OPTIMAL: math.sqrt
// OPTIMAL: itensor.converter
// OPTIMAL-NOT: dataflow.kernel
// OPTIMAL: return %[[result]]
func.func @chain(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %v: tensor<48x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.exp %p : f32
    linalg.yield %n : f32
  } -> tensor<64x32xf32>
  %f = tensor.empty() : tensor<64x48xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%g : tensor<64x48xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x48xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x48xf32>) outs(%f : tensor<64x48xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.sqrt %p : f32
    linalg.yield %n : f32
  } -> tensor<64x48xf32>
  %t = tensor.empty() : tensor<64x64xf32>
  %u = linalg.fill ins(%zero : f32) outs(%t : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %v : tensor<64x48xf32>, tensor<48x64xf32>) outs(%u : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %b : tensor<64x64xf32>
}
