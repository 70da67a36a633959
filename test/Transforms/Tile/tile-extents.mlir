// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --verify-roundtrip | FileCheck %s

// Each loop of a contraction is cut into tiles of 16; the reduction is innermost and
// the results of one tile accumulate in the destination.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @contraction
// CHECK-SAME: %[[A:.*]]: tensor<32x64xf32>, %[[B:.*]]: tensor<64x48xf32>
// CHECK-DAG: %[[c0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[c16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[c48:.*]] = arith.constant 48 : index
// CHECK-DAG: %[[c64:.*]] = arith.constant 64 : index
// CHECK: %[[fill:.*]] = linalg.fill
// CHECK: scf.for %[[m:.*]] = %[[c0]] to %[[c32]] step %[[c16]] iter_args(%[[rows:.*]] = %[[fill]])
// CHECK: scf.for %[[n:.*]] = %[[c0]] to %[[c48]] step %[[c16]] iter_args(%[[columns:.*]] = %[[rows]])
// CHECK: scf.for %[[k:.*]] = %[[c0]] to %[[c64]] step %[[c16]] iter_args(%[[sum:.*]] = %[[columns]])
// CHECK: %[[a:.*]] = tensor.extract_slice %[[A]][%[[m]], %[[k]]] [16, 16] [1, 1]
// CHECK: %[[b:.*]] = tensor.extract_slice %[[B]][%[[k]], %[[n]]] [16, 16] [1, 1]
// CHECK: %[[c:.*]] = tensor.extract_slice %[[sum]][%[[m]], %[[n]]] [16, 16] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[a]], %[[b]] : {{.*}}) outs(%[[c]] : {{.*}}) attrs = {dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1, 1]>}
// CHECK: tensor.insert_slice %{{.*}} into %[[sum]][%[[m]], %[[n]]] [16, 16] [1, 1]
func.func @contraction(%a: tensor<32x64xf32>, %b: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x64xf32>, tensor<64x48xf32>) outs(%f : tensor<32x48xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}

// -----

// An extent that 16 does not divide takes its largest divisor below. Where that is small, it
// takes the next divisor above: 34 is cut into two tiles of 17, not 17 of 2, and a prime up to
// 32 times the tile size is one tile without a loop. A larger one can only be cut to 1.

#line = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @extents
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [17, 197] [1, 1] : tensor<34x197xf32> to tensor<17x197xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c521 step %c1
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [12, 10] [1, 1] : tensor<24x100xf32> to tensor<12x10xf32>
func.func @extents(%x: tensor<34x197xf32>, %z: tensor<521xf32>, %y: tensor<24x100xf32>) -> (tensor<34x197xf32>, tensor<521xf32>, tensor<24x100xf32>) {
  %e = tensor.empty() : tensor<34x197xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<34x197xf32>) outs(%e : tensor<34x197xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<34x197xf32>
  %g = tensor.empty() : tensor<521xf32>
  %t = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%z : tensor<521xf32>) outs(%g : tensor<521xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<521xf32>
  %f = tensor.empty() : tensor<24x100xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x100xf32>) outs(%f : tensor<24x100xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<24x100xf32>
  return %r, %t, %s : tensor<34x197xf32>, tensor<521xf32>, tensor<24x100xf32>
}

// -----

// An op that fits in one tile keeps its place and only gets its unroll factors.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @one_tile
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} attrs = {dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 8]>}
func.func @one_tile(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A dimension that all inputs of a contraction share (heads) is cut to 1.

#A = affine_map<(h, m, n, k) -> (h, m, k)>
#B = affine_map<(h, m, n, k) -> (h, n, k)>
#C = affine_map<(h, m, n, k) -> (h, m, n)>

// CHECK-LABEL: func.func @batch
// CHECK: tensor.extract_slice %{{.*}}[%[[h:.*]], %[[m:.*]], 0] [1, 16, 8] [1, 1, 1] : tensor<4x32x8xf32> to tensor<1x16x8xf32>
// CHECK: tensor.extract_slice %{{.*}}[%[[h]], %[[n:.*]], 0] [1, 16, 8] [1, 1, 1] : tensor<4x32x8xf32> to tensor<1x16x8xf32>
// CHECK: tensor.extract_slice %{{.*}}[%[[h]], %[[m]], %[[n]]] [1, 16, 16] [1, 1, 1] : tensor<4x32x32xf32> to tensor<1x16x16xf32>
func.func @batch(%q: tensor<4x32x8xf32>, %k: tensor<4x32x8xf32>) -> tensor<4x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<4x32x8xf32>, tensor<4x32x8xf32>) outs(%f : tensor<4x32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x32x32xf32>
  return %r : tensor<4x32x32xf32>
}

// -----

// 96 = 4 x 24: the outer part of a reshaped dimension is cut to 1, the inner part
// shares its tile (12, not 16) with the dimension that it is part of.

#id2 = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j, k) -> (j, i, k)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>

// CHECK-LABEL: func.func @reshape
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [16, 12] [1, 1] : tensor<32x96xf32> to tensor<16x12xf32>
// CHECK: tensor.expand_shape
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] [16, 1, 12] [1, 1, 1] : tensor<32x4x24xf32> to tensor<16x1x12xf32>
func.func @reshape(%x: tensor<32x96xf32>) -> tensor<4x32x24xf32> {
  %e = tensor.empty() : tensor<32x96xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x96xf32>) outs(%e : tensor<32x96xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<32x96xf32>
  %h = tensor.expand_shape %r [[0], [1, 2]] output_shape [32, 4, 24] : tensor<32x96xf32> into tensor<32x4x24xf32>
  %f = tensor.empty() : tensor<4x32x24xf32>
  %s = linalg.generic {indexing_maps = [#swap, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<32x4x24xf32>) outs(%f : tensor<4x32x24xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<4x32x24xf32>
  return %s : tensor<4x32x24xf32>
}

// -----

// Slices, pads and concats cut dimensions: the tile divides every position of a cut.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @slice
// CHECK: tensor.extract_slice %{{.*}}[0, 16] [32, 24] [1, 1]
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [16, 8] [1, 1] : tensor<32x24xf32> to tensor<16x8xf32>
func.func @slice(%x: tensor<32x40xf32>) -> tensor<32x24xf32> {
  %s = tensor.extract_slice %x[0, 16] [32, 24] [1, 1] : tensor<32x40xf32> to tensor<32x24xf32>
  %e = tensor.empty() : tensor<32x24xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<32x24xf32>) outs(%e : tensor<32x24xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<32x24xf32>
  return %r : tensor<32x24xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [16, 2] [1, 1] : tensor<32x24xf32> to tensor<16x2xf32>
func.func @pad(%x: tensor<32x24xf32>) -> tensor<32x26xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x24xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x24xf32>) outs(%e : tensor<32x24xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<32x24xf32>
  %p = tensor.pad %r low[0, 2] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<32x24xf32> to tensor<32x26xf32>
  return %p : tensor<32x26xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] [16, 12] [1, 1] : tensor<32x48xf32> to tensor<16x12xf32>
func.func @concat(%x: tensor<32x36xf32>, %y: tensor<32x12xf32>) -> tensor<32x48xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<32x36xf32>, tensor<32x12xf32>) -> tensor<32x48xf32>
  %e = tensor.empty() : tensor<32x48xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}

// -----

// A tile has at most 16 x 16 elements: outer dimensions are cut to 1 until it does.

#id = affine_map<(i, j, k) -> (i, j, k)>

// CHECK-LABEL: func.func @elements
// CHECK: tensor.extract_slice %{{.*}} [1, 16, 16] [1, 1, 1] : tensor<16x32x64xf32> to tensor<1x16x16xf32>
func.func @elements(%x: tensor<16x32x64xf32>) -> tensor<16x32x64xf32> {
  %e = tensor.empty() : tensor<16x32x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<16x32x64xf32>) outs(%e : tensor<16x32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<16x32x64xf32>
  return %r : tensor<16x32x64xf32>
}

// -----

// All results of an op are tiled by the same loops.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @two_results
// CHECK: %[[outer:.*]]:2 = scf.for
// CHECK: %[[tiles:.*]]:2 = linalg.generic
// CHECK: tensor.insert_slice %[[tiles]]#0
// CHECK: tensor.insert_slice %[[tiles]]#1
// CHECK: return %[[outer]]#0, %[[outer]]#1
func.func @two_results(%x: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<32x16xf32>) {
  %e = tensor.empty() : tensor<32x16xf32>
  %f = tensor.empty() : tensor<32x16xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x16xf32>) outs(%e, %f : tensor<32x16xf32>, tensor<32x16xf32>) {
  ^bb0(%a: f32, %out: f32, %out2: f32):
    %n = arith.negf %a : f32
    %s = arith.mulf %a, %a : f32
    linalg.yield %n, %s : f32, f32
  } -> (tensor<32x16xf32>, tensor<32x16xf32>)
  return %r#0, %r#1 : tensor<32x16xf32>, tensor<32x16xf32>
}
