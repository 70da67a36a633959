// RUN: streamtensor-opt %s --streamtensor-sink-reshapes --split-input-file --verify-roundtrip | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rep = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// Grouped heads: the contraction over 4 heads becomes one over 2 groups of 2, and
// so do the elementwise operation and the reduction after it.

// CHECK-LABEL: func.func @grouped_heads
// CHECK-SAME: %[[Q:.*]]: tensor<4x6xf32>, %[[K:.*]]: tensor<2x6xf32>
// CHECK: %[[KR:.*]] = linalg.generic {{.*}} ins(%[[K]] : tensor<2x6xf32>)
// CHECK: %[[QE:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0, 1], [2]] output_shape [2, 2, 6]
// CHECK: %[[S:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[QE]], %[[KR]] : tensor<2x2x6xf32>, tensor<2x2x6xf32>)
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<2x2xf32>)
// CHECK: math.exp
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[E]] {{\[\[}}0, 1]] : tensor<2x2xf32> into tensor<4xf32>
// CHECK: return %[[C]]
func.func @grouped_heads(%q: tensor<4x6xf32>, %k: tensor<2x6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %e0 = tensor.empty() : tensor<2x2x6xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %kr = linalg.generic {indexing_maps = [#rep, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k : tensor<2x6xf32>) outs(%e0 : tensor<2x2x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x6xf32>
  %kc = tensor.collapse_shape %kr [[0, 1], [2]] : tensor<2x2x6xf32> into tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%q, %kc : tensor<4x6xf32>, tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %m : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// Heads side by side feed a projection: its reduction stays one loop.

// CHECK-LABEL: func.func @projection_of_heads
// CHECK: %[[C:.*]] = tensor.collapse_shape
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[C]], %{{.*}} : tensor<8x12xf32>, tensor<5x12xf32>)
func.func @projection_of_heads(%x: tensor<8x3x4xf32>, %w: tensor<5x12xf32>, %init: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<8x3x4xf32> into tensor<8x12xf32>
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%c, %w : tensor<8x12xf32>, tensor<5x12xf32>) outs(%init : tensor<8x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %m : f32
    linalg.yield %t : f32
  } -> tensor<8x5xf32>
  return %r : tensor<8x5xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A bias, a split into heads, a scale: the split moves above the bias.

// CHECK-LABEL: func.func @split_between_elementwise
// CHECK-SAME: %[[X:.*]]: tensor<8x12xf32>, %[[B:.*]]: tensor<12xf32>
// CHECK-DAG: tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [8, 3, 4]
// CHECK-DAG: tensor.expand_shape %[[B]] {{\[\[}}0, 1]] output_shape [3, 4]
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[Y]] :
// CHECK-NOT: tensor.expand_shape
func.func @split_between_elementwise(%x: tensor<8x12xf32>, %b: tensor<12xf32>) -> tensor<8x3x4xf32> {
  %e0 = tensor.empty() : tensor<8x12xf32>
  %e1 = tensor.empty() : tensor<8x3x4xf32>
  %c = arith.constant 0.5 : f32
  %y = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<8x12xf32>, tensor<12xf32>) outs(%e0 : tensor<8x12xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<8x12xf32>
  %h = tensor.expand_shape %y [[0], [1, 2]] output_shape [8, 3, 4] : tensor<8x12xf32> into tensor<8x3x4xf32>
  %r = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<8x3x4xf32>) outs(%e1 : tensor<8x3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<8x3x4xf32>
  return %r : tensor<8x3x4xf32>
}

// -----

// The index of the collapsed loop is computed from those of the expanded ones.
// CHECK-LABEL: func.func @index_of_collapsed_loop
// CHECK: linalg.generic
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[START:.*]] = arith.muli %[[ROW]]
// CHECK: arith.addi %[[COLUMN]], %[[START]]
// CHECK-NOT: affine.apply
// CHECK: tensor.collapse_shape
func.func @index_of_collapsed_loop(%a: tensor<3x4xi32>) -> tensor<12xi32> {
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<3x4xi32> into tensor<12xi32>
  %empty = tensor.empty() : tensor<12xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%flat : tensor<12xi32>) outs(%empty : tensor<12xi32>) {
  ^bb0(%x: i32, %o: i32):
    %index = linalg.index 0 : index
    %number = arith.index_cast %index : index to i32
    %y = arith.addi %x, %number : i32
    linalg.yield %y : i32
  } -> tensor<12xi32>
  return %sum : tensor<12xi32>
}
