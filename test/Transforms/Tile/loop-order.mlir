// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --verify-roundtrip | FileCheck %s

// The reader of a transpose walks its tiles in the order in which they come (rows of the
// producer outside), not in the order of its own result, so that no converter is needed.

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @transpose
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[c48:.*]] = arith.constant 48 : index
// CHECK: %[[x:.*]] = scf.for %{{.*}} to %[[c32]]
// CHECK: scf.for %{{.*}} to %[[c48]]
// CHECK: arith.negf
// CHECK: scf.for %[[i:.*]] = %{{.*}} to %[[c32]]
// CHECK: scf.for %[[j:.*]] = %{{.*}} to %[[c48]]
// CHECK: tensor.extract_slice %[[x]][%[[i]], %[[j]]]
// CHECK: math.absf
// CHECK: tensor.insert_slice %{{.*}}[%[[j]], %[[i]]]
func.func @transpose(%x: tensor<32x48xf32>) -> tensor<48x32xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<32x48xf32>
  %f = tensor.empty() : tensor<48x32xf32>
  %s = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<32x48xf32>) outs(%f : tensor<48x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<48x32xf32>
  return %s : tensor<48x32xf32>
}

// -----

// What is read from external memory may come in any order: the result's order stays.

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @argument
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[c48:.*]] = arith.constant 48 : index
// CHECK: scf.for %{{.*}} to %[[c48]]
// CHECK: scf.for %{{.*}} to %[[c32]]
func.func @argument(%x: tensor<32x48xf32>) -> tensor<48x32xf32> {
  %f = tensor.empty() : tensor<48x32xf32>
  %s = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x48xf32>) outs(%f : tensor<48x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<48x32xf32>
  return %s : tensor<48x32xf32>
}

// -----

// A product whose result is transposed (n outside m) still puts the rows of the intermediate
// tensor outside: the converter then holds one row of tiles instead of the whole tensor.

#A = affine_map<(n, m, k) -> (m, k)>
#B = affine_map<(n, m, k) -> (k, n)>
#C = affine_map<(n, m, k) -> (n, m)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @rows_outside
// CHECK-DAG: %[[c128:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[c64:.*]] = arith.constant 64 : index
// CHECK: %[[h:.*]] = scf.for
// CHECK: arith.negf
// CHECK: scf.for %[[m:.*]] = %{{.*}} to %[[c64]]
// CHECK: scf.for %[[n:.*]] = %{{.*}} to %[[c128]]
// CHECK: scf.for %[[k:.*]] = %{{.*}} to %[[c64]]
// CHECK: tensor.extract_slice %[[h]][%[[m]], %[[k]]]
// CHECK: tensor.insert_slice %{{.*}}[%[[n]], %[[m]]]
func.func @rows_outside(%x: tensor<64x64xf32>, %w: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<128x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<64x64xf32>, tensor<64x128xf32>) outs(%g : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// -----

// A projection down from a long row: sixteen rows' accumulators (16x32) are less than what a
// converter would hold to repeat the row for each tile of the result (16x128), so the reduction
// goes outside and takes each tile as it comes.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @down
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[c64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[c128:.*]] = arith.constant 128 : index
// CHECK: %[[h:.*]] = scf.for
// CHECK: arith.negf
// CHECK: scf.for %[[m:.*]] = %{{.*}} to %[[c64]]
// CHECK: scf.for %[[k:.*]] = %{{.*}} to %[[c128]]
// CHECK: scf.for %[[n:.*]] = %{{.*}} to %[[c32]]
// CHECK: tensor.extract_slice %[[h]][%[[m]], %[[k]]]
// CHECK: tensor.insert_slice %{{.*}}[%[[m]], %[[n]]]
func.func @down(%x: tensor<64x128xf32>, %w: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<64x32xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<64x128xf32>, tensor<128x32xf32>) outs(%g : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// -----

// With four rows in a tile, a sum comes around before the adder has finished: partial sums would
// multiply the accumulators, so the reduction stays inside.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @few_rows
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[c128:.*]] = arith.constant 128 : index
// CHECK: arith.negf
// CHECK: scf.for %[[n:.*]] = %{{.*}} to %[[c32]]
// CHECK: scf.for %[[k:.*]] = %{{.*}} to %[[c128]]
// CHECK: tensor.insert_slice %{{.*}}[0, %[[n]]]
func.func @few_rows(%x: tensor<4x128xf32>, %w: tensor<128x32xf32>) -> tensor<4x32xf32> {
  %e = tensor.empty() : tensor<4x128xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x128xf32>) outs(%e : tensor<4x128xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<4x128xf32>
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<4x32xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<4x32xf32>) -> tensor<4x32xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<4x128xf32>, tensor<128x32xf32>) outs(%g : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

// Orders follow a reshape: heads are read inside the rows that they are part of.

#id2 = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(h, i, j) -> (i, h, j)>
#id3 = affine_map<(h, i, j) -> (h, i, j)>

// CHECK-LABEL: func.func @heads
// CHECK-DAG: %[[c4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK: arith.negf
// CHECK: %[[heads:.*]] = tensor.expand_shape
// CHECK: scf.for %[[row:.*]] = %{{.*}} to %[[c32]]
// CHECK: scf.for %[[head:.*]] = %{{.*}} to %[[c4]]
// CHECK: tensor.extract_slice %[[heads]][%[[row]], %[[head]], 0] [16, 1, 16]
func.func @heads(%x: tensor<32x64xf32>) -> tensor<4x32x16xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<32x64xf32>
  %h = tensor.expand_shape %r [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf32> into tensor<32x4x16xf32>
  %f = tensor.empty() : tensor<4x32x16xf32>
  %s = linalg.generic {indexing_maps = [#swap, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<32x4x16xf32>) outs(%f : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<4x32x16xf32>
  return %s : tensor<4x32x16xf32>
}

// -----

// A kernel written by hand takes columns of tiles first: what makes them does so too.

!columns = !itensor.itensor<16x16xf32, iter_space: [4, 2] * [16, 16], iter_map: (d0, d1) -> (d1, d0)>
#id = affine_map<(i, j) -> (i, j)>
dataflow.extern @copy source "copy.h" nest [128] ii 1 delay 1
    takes ["x" : !columns as !dataflow.stream<vector<16xf32>>]
    gives ["y" : !columns as !dataflow.stream<vector<16xf32>>] {
^bb0(%x: tensor<32x64xf32>):
  dataflow.yield %x : tensor<32x64xf32>
}

// CHECK-LABEL: func.func @before_hand_written
// CHECK-DAG: %[[c32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[c64:.*]] = arith.constant 64 : index
// CHECK: scf.for %[[j:.*]] = %{{.*}} to %[[c64]]
// CHECK: scf.for %[[i:.*]] = %{{.*}} to %[[c32]]
// CHECK: math.exp
// CHECK: dataflow.extern_task @copy
func.func @before_hand_written(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<32x64xf32>
  %y = dataflow.extern_task @copy(%a) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
