// RUN: streamtensor-opt %s --streamtensor-fold-copies-into-writers --split-input-file --verify-roundtrip | FileCheck %s

#p = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#v = affine_map<(d0, d1, d2, d3) -> (d3, d0, d2)>
#o = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#t = affine_map<(d0, d1, d2) -> (d1, d0, d2)>

// Heads are written next to each other, so that they collapse to one row.

// CHECK: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: func.func @attention_value
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} -> tensor<8x2x4xf32>
// CHECK: %[[O:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[$OUT]]]
// CHECK-SAME: outs(%[[FILL]] : tensor<8x2x4xf32>)
// CHECK: tensor.collapse_shape %[[O]]
func.func @attention_value(%p: tensor<2x8x8xf32>, %v: tensor<8x2x4xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x8x4xf32>
  %e1 = tensor.empty() : tensor<8x2x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<2x8x8xf32>, tensor<8x2x4xf32>) outs(%init : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x4xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o : tensor<2x8x4xf32>) outs(%e1 : tensor<8x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x2x4xf32>
  %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<8x2x4xf32> into tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// Elementwise: the loops follow the result, indices are renumbered.

// CHECK: #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @elementwise
// CHECK-COUNT-1: linalg.generic {indexing_maps = [#[[$T]], #[[$ID]]]
// CHECK: linalg.index 1 : index
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @elementwise(%x: tensor<4x6xindex>) -> tensor<6x4xindex> {
  %e0 = tensor.empty() : tensor<4x6xindex>
  %e1 = tensor.empty() : tensor<6x4xindex>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xindex>) outs(%e0 : tensor<4x6xindex>) {
  ^bb0(%in: index, %out: index):
    %i = linalg.index 0 : index
    %s = arith.addi %in, %i : index
    linalg.yield %s : index
  } -> tensor<4x6xindex>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xindex>) outs(%e1 : tensor<6x4xindex>) {
  ^bb0(%in: index, %out: index):
    linalg.yield %in : index
  } -> tensor<6x4xindex>
  return %t : tensor<6x4xindex>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// Another reader wants the first order: the transpose stays.

// CHECK-LABEL: func.func @two_readers
// CHECK-COUNT-2: linalg.generic
func.func @two_readers(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  %e0 = tensor.empty() : tensor<4x6xf32>
  %e1 = tensor.empty() : tensor<6x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%e0 : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%e1 : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x4xf32>
  return %y, %t : tensor<4x6xf32>, tensor<6x4xf32>
}
