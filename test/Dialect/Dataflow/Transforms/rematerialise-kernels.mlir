// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-rematerialise-kernels --verify-roundtrip | FileCheck %s

// The queries (rows of h times w) are streamed by the product with the keys, which is read whole
// for each row: h is computed once more for the queries.

#id = affine_map<(i, j) -> (i, j)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#T = affine_map<(m, n, k) -> (n, k)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[x:[a-z0-9_]+]]: tensor<64x32xf32>, %[[wq:[a-z0-9_]+]]: tensor<32x32xf32>, %[[wk:[a-z0-9_]+]]: tensor<32x32xf32>
// CHECK: %[[h:[a-z0-9_]+]] = dataflow.kernel "{{.*}}"(%[[x]])
// CHECK: %[[again:[a-z0-9_]+]] = dataflow.kernel "{{.*}}"(%[[x]])
// CHECK: %[[q:[a-z0-9_]+]] = dataflow.kernel "{{.*}}"(%[[again]], %[[wq]])
// CHECK: %[[k:[a-z0-9_]+]] = dataflow.kernel "{{.*}}"(%[[h]], %[[wk]])
// CHECK: dataflow.kernel "{{.*}}"(%[[q]], %[[k]])
func.func @attention(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32>, %wk: tensor<32x32xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  } -> tensor<64x32xf32>
  %q = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %wq : tensor<64x32xf32>, tensor<32x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %k = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %wk : tensor<64x32xf32>, tensor<32x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#A, #T, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<64x32xf32>, tensor<64x32xf32>) outs(%g : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Both products are streamed to the same sum: nothing waits, nothing is computed twice.

#id = affine_map<(i, j) -> (i, j)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @gate
// CHECK: math.exp
// CHECK-NOT: math.exp
func.func @gate(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32>, %wk: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  } -> tensor<64x32xf32>
  %q = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %wq : tensor<64x32xf32>, tensor<32x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %k = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %wk : tensor<64x32xf32>, tensor<32x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %k : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
