// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels=max-bytes=3072 --verify-roundtrip | FileCheck %s --check-prefix=FITS
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels=max-bytes=3071 --verify-roundtrip | FileCheck %s --check-prefix=SPLIT
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=9999 group-bytes=3071" --verify-roundtrip | FileCheck %s --check-prefix=SPLIT
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=6144 converter-rule=paper" --verify-roundtrip | FileCheck %s --check-prefix=FITS
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=6143 converter-rule=paper" --verify-roundtrip | FileCheck %s --check-prefix=SPLIT

// The products read each row of tiles four times: a repeat buffer of 16x48 elements of 4 bytes fits in
// 3072 bytes, the paper's two blocks in 6144. One byte less, and each product opens a group of its own, which reads the intermediate tensor from memory in the order
// that it needs.

#id = affine_map<(i, j) -> (i, j)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// FITS-LABEL: func.func @split
// FITS: dataflow.kernel "accelerator"(
// FITS: itensor.converter
// FITS-NOT: dataflow.kernel
// FITS: return

// SPLIT-LABEL: func.func @split
// SPLIT-SAME: %[[X:[a-z0-9_]+]]: tensor<64x48xf32>, %[[W:[a-z0-9_]+]]: tensor<48x64xf32>, %[[V:[a-z0-9_]+]]: tensor<48x64xf32>
// SPLIT: %[[h:[a-z0-9_]+]] = dataflow.kernel "accelerator_0"(%[[X]])
// SPLIT-NOT: itensor.converter
// SPLIT: %[[a:[a-z0-9_]+]] = dataflow.kernel "accelerator_1"(%[[h]], %[[W]])
// SPLIT-NOT: itensor.converter
// SPLIT: %[[b:[a-z0-9_]+]] = dataflow.kernel "accelerator_2"(%[[h]], %[[V]])
// SPLIT-NOT: itensor.converter
// SPLIT: return %[[a]], %[[b]], %[[h]]
func.func @split(%x: tensor<64x48xf32>, %w: tensor<48x64xf32>, %v: tensor<48x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.exp %p : f32
    linalg.yield %n : f32
  } -> tensor<64x48xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<64x48xf32>, tensor<48x64xf32>) outs(%g : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %v : tensor<64x48xf32>, tensor<48x64xf32>) outs(%g : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %a, %b, %h : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x48xf32>
}


// No group depends on itself through another: what reads results of two groups joins
// the later one, what reads the first alone may still join the first. (With four rows only, the
// product repeats its input.)

// SPLIT-LABEL: func.func @order
// SPLIT-SAME: %[[X:[a-z0-9_]+]]: tensor<4x1024xf32>, %[[W:[a-z0-9_]+]]: tensor<1024x1024xf32>
// SPLIT: %[[first:[a-z0-9_]+]]:2 = dataflow.kernel "accelerator_0"(%[[X]])
// SPLIT: math.exp
// SPLIT: math.sqrt
// SPLIT: %[[second:[a-z0-9_]+]] = dataflow.kernel "accelerator_1"(%[[first]]#1, %[[W]], %[[first]]#1)
// SPLIT: arith.mulf
// SPLIT: arith.maximumf
// SPLIT: return %[[second]], %[[first]]#0
func.func @order(%x: tensor<4x1024xf32>, %w: tensor<1024x1024xf32>) -> (tensor<4x1024xf32>, tensor<4x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1024xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x1024xf32>) outs(%e : tensor<4x1024xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.exp %p : f32
    linalg.yield %n : f32
  } -> tensor<4x1024xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<4x1024xf32>, tensor<1024x1024xf32>) outs(%g : tensor<4x1024xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x1024xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%h, %a : tensor<4x1024xf32>, tensor<4x1024xf32>) outs(%e : tensor<4x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %n = arith.maximumf %p, %q : f32
    linalg.yield %n : f32
  } -> tensor<4x1024xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<4x1024xf32>) outs(%e : tensor<4x1024xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.sqrt %p : f32
    linalg.yield %n : f32
  } -> tensor<4x1024xf32>
  return %b, %c : tensor<4x1024xf32>, tensor<4x1024xf32>
}
