// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=64" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-plan-sums -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: streamtensor-opt %t.mlir %u55c --streamtensor-itensor-to-stream -o %t-stream.mlir
// RUN: streamtensor-run %t.mlir %t-stream.mlir | FileCheck %s --check-prefix=SAME

// The tree, the lanes and the partial sums of the core leaf are written down before it exists, and the
// leaf gives the same bits. What adds nothing gets no attribute.

// SAME-NOT: differs
// SAME: result0

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2x48xf32>, %w: tensor<48x8xf32>) -> (tensor<2x8xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %v = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %g = linalg.fill ins(%one : f32) outs(%v : tensor<2xf32>) -> tensor<2xf32>
  // Eight points of the reduction are added by a tree. A sum comes around every iteration: the two trips
  // of the point loop take two partial sums, and so do the three tiles in turn.
  // CHECK: linalg.generic
  // CHECK-SAME: dataflow.sums = #dataflow.sums<loops = [0], points = [0, 2, 1], lanes = [1, 8, 8], trees = [2], banks = [3, 2]>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x48xf32>, tensor<48x8xf32>) outs(%f : tensor<2x8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x8xf32>
  // CHECK: linalg.generic
  // CHECK-NOT: dataflow.sums
  // CHECK: math.exp
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.exp %l : f32
    linalg.yield %s : f32
  } -> tensor<2x8xf32>
  // CHECK: linalg.generic
  // CHECK-SAME: dataflow.sums = #dataflow.sums<loops = [0], points = [0, 1], lanes = [1, 8], trees = [1], banks = [3, 2]>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x48xf32>) outs(%g : tensor<2xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %l, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %n, %t : tensor<2x8xf32>, tensor<2xf32>
}
