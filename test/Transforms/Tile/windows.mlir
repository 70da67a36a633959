// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=512" --streamtensor-tile --canonicalize --cse | FileCheck %s

// The tile of a convolution is a part of one row of its result with all channels, and the kernel
// is one tile, whatever the tile size. Lanes run along a loop that moves the window by one
// element, along channels in and out, but never along two loops of one window.

#X = affine_map<(f, oh, ow, c, kh, kw) -> (c, oh + kh, ow + kw)>
#W = affine_map<(f, oh, ow, c, kh, kw) -> (f, c, kh, kw)>
#Y = affine_map<(f, oh, ow, c, kh, kw) -> (f, oh, ow)>

// CHECK-LABEL: func.func @convolution
// CHECK: scf.for %[[oh:.*]] = %c0 to %c32 step %c1
// CHECK: scf.for %[[ow:.*]] = %c0 to %c32 step %c16
// CHECK-NOT: scf.for
// CHECK: %[[rows:.*]] = tensor.extract_slice %{{.*}}[0, %[[oh]], %[[ow]]] [32, 3, 18] [1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[rows]], %{{.*}} : tensor<32x3x18xf32>, tensor<32x32x3x3xf32>)
// CHECK-SAME: attrs = {dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1, 16, 32, 1, 1]>}
func.func @convolution(%x: tensor<32x34x34xf32>, %w: tensor<32x32x3x3xf32>) -> tensor<32x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32x32xf32>) -> tensor<32x32x32xf32>
  %r = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<32x34x34xf32>, tensor<32x32x3x3xf32>) outs(%f : tensor<32x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x32x32xf32>
  return %r : tensor<32x32x32xf32>
}

// -----

// With a stride of two, the columns of the kernel are the lanes' only neighbours. An operand
// that only gives the window's extent is no data: this is no contraction.

#X = affine_map<(c, oh, ow, kh, kw) -> (c, oh * 2 + kh, ow * 2 + kw)>
#W = affine_map<(c, oh, ow, kh, kw) -> (kh, kw)>
#Y = affine_map<(c, oh, ow, kh, kw) -> (c, oh, ow)>

// CHECK-LABEL: func.func @pooling
// CHECK: scf.for %[[oh:.*]] = %c0 to %c8 step %c1
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}, 0] [4, 3, 17] [1, 1, 1]
// CHECK: attrs = {dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1, 1, 1, 1]>}
func.func @pooling(%x: tensor<4x17x17xf32>) -> tensor<4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %size = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<4x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %r = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %size : tensor<4x17x17xf32>, tensor<3x3xf32>) outs(%f : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %q = arith.addf %s, %a : f32
    linalg.yield %q : f32
  } -> tensor<4x8x8xf32>
  return %r : tensor<4x8x8xf32>
}

// -----

// Padding that only windows read does not cut the tiles of what is padded, neither in the
// dimension that it pads nor, by the size of the padded tensor's tiles, in others.

// CHECK-LABEL: func.func @padded
// CHECK: %[[tile:.*]] = tensor.extract_slice %{{.*}} [16, 14] [1, 1] : tensor<32x56xf32> to tensor<16x14xf32>
// CHECK: linalg.generic {{.*}} ins(%[[tile]]
// CHECK: math.absf
// CHECK: tensor.pad
#I = affine_map<(c, d) -> (c, d)>
#X = affine_map<(f, o, c, k) -> (c, o + k)>
#K = affine_map<(f, o, c, k) -> (f, c, k)>
#Y = affine_map<(f, o, c, k) -> (f, o)>
func.func @padded(%x: tensor<32x56xf32>, %w: tensor<8x32x3xf32>) -> tensor<8x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x56xf32>
  %a = linalg.generic {indexing_maps = [#I, #I], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x56xf32>) outs(%e : tensor<32x56xf32>) {
  ^bb0(%in: f32, %o: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<32x56xf32>
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<32x56xf32> to tensor<32x58xf32>
  %g = tensor.empty() : tensor<8x56xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<8x56xf32>) -> tensor<8x56xf32>
  %r = linalg.generic {indexing_maps = [#X, #K, #Y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p, %w : tensor<32x58xf32>, tensor<8x32x3xf32>) outs(%f : tensor<8x56xf32>) {
  ^bb0(%in: f32, %b: f32, %s: f32):
    %m = arith.mulf %in, %b : f32
    %q = arith.addf %s, %m : f32
    linalg.yield %q : f32
  } -> tensor<8x56xf32>
  return %r : tensor<8x56xf32>
}

// -----

// A kernel of 2^20 elements is too large to be held: the result's channels are cut so that 2^18
// are. The images of a batch follow each other.

#X = affine_map<(n, f, o, c, k) -> (n, c, o + k)>
#W = affine_map<(n, f, o, c, k) -> (f, c, k)>
#Y = affine_map<(n, f, o, c, k) -> (n, f, o)>

// CHECK-LABEL: func.func @large
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: scf.for %[[f:.*]] = %c0 to %c512 step %c128
// CHECK: tensor.extract_slice %{{.*}}[%[[f]], 0, 0] [128, 512, 4] [1, 1, 1]
func.func @large(%x: tensor<2x512x19xf32>, %w: tensor<512x512x4xf32>) -> tensor<2x512x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x512x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x512x16xf32>) -> tensor<2x512x16xf32>
  %r = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x512x19xf32>, tensor<512x512x4xf32>) outs(%f : tensor<2x512x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x512x16xf32>
  return %r : tensor<2x512x16xf32>
}
