// RUN: streamtensor-opt %s --streamtensor-absorb-copies --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// A transposed weight is read transposed.

// CHECK: #[[$RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @weight
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<6x8xf32>, %[[I:.*]]: tensor<4x6xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$RHS]], #{{.*}}]
// CHECK-SAME: ins(%[[X]], %[[W]] :
func.func @weight(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>, %init: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %empty = tensor.empty() : tensor<8x6xf32>
  %wt = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<6x8xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<8x6xf32>
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wt : tensor<4x8xf32>, tensor<8x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// A sum over a broadcast dimension: without the copy its extent is unknown.

// CHECK-LABEL: func.func @sum_over_broadcast
// CHECK-COUNT-2: linalg.generic
func.func @sum_over_broadcast(%x: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4x6xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%b : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
