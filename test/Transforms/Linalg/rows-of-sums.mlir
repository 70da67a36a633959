// RUN: streamtensor-opt %s --streamtensor-fold-copies-into-writers=rows-of-sums --split-input-file --verify-roundtrip | FileCheck %s

#x = affine_map<(n, t, k) -> (t, k)>
#w = affine_map<(n, t, k) -> (n, k)>
#y = affine_map<(n, t, k) -> (n, t)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// The product was spelt with its outputs as a batch. It writes rows of outputs, which the map behind it then takes as
// they come.

// CHECK: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: func.func @linear
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} -> tensor<4x64xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[$ROWS]]]
// CHECK-SAME: outs(%[[FILL]] : tensor<4x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : tensor<4x64xf32>)
func.func @linear(%x: tensor<4x32xf32>, %w: tensor<64x32xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x4xf32>
  %e1 = tensor.empty() : tensor<4x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x4xf32>) -> tensor<64x4xf32>
  %s = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x32xf32>, tensor<64x32xf32>) outs(%init : tensor<64x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x4xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x4xf32>) outs(%e1 : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x64xf32>) outs(%e1 : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

#x = affine_map<(n, t, k) -> (t, k)>
#w = affine_map<(n, t, k) -> (n, k)>
#y = affine_map<(n, t, k) -> (n, t)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Two linears that became one: the map reads a slice of what each would have given.

// CHECK: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-LABEL: func.func @joined
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[$ROWS]]]
// CHECK-DAG: %[[GATE:.*]] = tensor.extract_slice %[[SUMS]][0, 0] [4, 32]
// CHECK-DAG: %[[UP:.*]] = tensor.extract_slice %[[SUMS]][0, 32] [4, 32]
// CHECK: linalg.generic {{.*}} ins(%[[GATE]], %[[UP]] : tensor<4x32xf32>, tensor<4x32xf32>)
func.func @joined(%x: tensor<4x32xf32>, %w: tensor<64x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x4xf32>
  %e1 = tensor.empty() : tensor<4x64xf32>
  %e2 = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x4xf32>) -> tensor<64x4xf32>
  %s = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x32xf32>, tensor<64x32xf32>) outs(%init : tensor<64x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x4xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x4xf32>) outs(%e1 : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x64xf32>
  %gate = tensor.extract_slice %t[0, 0] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
  %up = tensor.extract_slice %t[0, 32] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%gate, %up : tensor<4x32xf32>, tensor<4x32xf32>) outs(%e2 : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

#x = affine_map<(n, t, k) -> (t, k)>
#w = affine_map<(n, t, k) -> (n, k)>
#y = affine_map<(n, t, k) -> (n, t)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Another product takes its operands by any map: it will read through the transpose.

// CHECK: #[[$ACROSS:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @product
// CHECK: -> tensor<64x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ACROSS]]
func.func @product(%x: tensor<4x32xf32>, %w: tensor<64x32xf32>, %v: tensor<8x64xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x4xf32>
  %e1 = tensor.empty() : tensor<4x64xf32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x4xf32>) -> tensor<64x4xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %s = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x32xf32>, tensor<64x32xf32>) outs(%init : tensor<64x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x4xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x4xf32>) outs(%e1 : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t, %v : tensor<4x64xf32>, tensor<8x64xf32>) outs(%init2 : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// A copy of one number moves no rows.

// CHECK-LABEL: func.func @number
func.func @number(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %t = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%s : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<f32>
  return %t : tensor<f32>
}
