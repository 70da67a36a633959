// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=4 unroll=4" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow -o %t.mlir
// RUN: FileCheck %s --check-prefix=TYPES --input-file=%t.mlir
// RUN: streamtensor-opt %t.mlir %u55c --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-itensor-to-stream --verify-roundtrip | FileCheck %s

// A window is read in tiles that overlap: steps are the loops' steps times their factors,
// extents reach from the first element to the last. The read that leaves elements out states
// the shape of its data.

// TYPES-LABEL: func.func @strided
// TYPES: itensor.from_tensor %{{.*}} : tensor<17xf32> -> <9xf32, iter_space: [2] * [8], iter_map: (d0) -> (d0)>
// TYPES: itensor.from_tensor %{{.*}} : tensor<9xf32> -> <5xf32, iter_space: [] * [], iter_map: () -> (0), of: [9]>

// The points of the window are sums of point loops in the block, and lanes run along the loop
// that moves it by one element; the fill writes each tile where it lies, twice where two overlap.

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[block:.*]] = dataflow.buffer "op_in0_block" blocks 1 : <17xf32>
// CHECK: dataflow.leaf "op_in0_fill" fill [2] writes(%[[block]] at 0
// CHECK: dataflow.store %{{.*}}, %[[block]] affine_map<(d0) -> (d0 * 8)> : vector<9xf32>
// CHECK: dataflow.leaf "op" compute [2, 4] reads(%[[block]] at 0
// CHECK: dataflow.load %[[block]] affine_map<(d0, d1) -> (d1 * 2 + d0 * 8)> : !dataflow.buffer<17xf32> -> vector<3xf32>

#X = affine_map<(o, k) -> (o * 2 + k)>
#W = affine_map<(o, k) -> (k)>
#Y = affine_map<(o, k) -> (o)>
#S = affine_map<(o) -> (o * 2)>
#I = affine_map<(o) -> (o)>
func.func @strided(%x: tensor<17xf32>, %w: tensor<3xf32>, %z: tensor<9xf32>) -> (tensor<8xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<17xf32>, tensor<3xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %g = tensor.empty() : tensor<3xf32>
  %t = linalg.generic {indexing_maps = [#S, #I], iterator_types = ["parallel"]} ins(%z : tensor<9xf32>) outs(%g : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %v = math.absf %a : f32
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %r, %t : tensor<8xf32>, tensor<3xf32>
}
