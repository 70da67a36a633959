// RUN: streamtensor-opt %s --streamtensor-fold-unit-extents --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last0 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// The signature stays; a constant-0 result goes with its dimension.

// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @batch_of_one
// CHECK-SAME: %{{.*}}: tensor<1x8x32xf32>, %{{.*}}: tensor<1x8x1xf32>) -> tensor<1x8x32xf32>
// CHECK-DAG: tensor.collapse_shape %{{.*}} : tensor<1x8x32xf32> into tensor<8x32xf32>
// CHECK-DAG: tensor.collapse_shape %{{.*}} : tensor<1x8x1xf32> into tensor<8xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]]
// CHECK: tensor.expand_shape
func.func @batch_of_one(%x: tensor<1x8x32xf32>, %s: tensor<1x8x1xf32>) -> tensor<1x8x32xf32> {
  %empty = tensor.empty() : tensor<1x8x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #last0, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<1x8x32xf32>, tensor<1x8x1xf32>) outs(%empty : tensor<1x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x8x32xf32>
  return %r : tensor<1x8x32xf32>
}

// -----

// CHECK-LABEL: func.func @structure
// CHECK: tensor.extract_slice %{{.*}}[0, 4] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
// CHECK: tensor.concat dim(1) %{{.*}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
// CHECK: tensor.pad %{{.*}} low[0, 1] high[2, 0]
func.func @structure(%x: tensor<1x8x1x8xf32>) -> tensor<1x10x1x9xf32> {
  %c = arith.constant 1.5 : f32
  %s = tensor.extract_slice %x[0, 0, 0, 4] [1, 8, 1, 4] [1, 1, 1, 1] : tensor<1x8x1x8xf32> to tensor<1x8x1x4xf32>
  %r = tensor.concat dim(3) %s, %s : (tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32>) -> tensor<1x8x1x8xf32>
  %p = tensor.pad %r low[0, 0, 0, 1] high[0, 2, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c : f32
  } : tensor<1x8x1x8xf32> to tensor<1x10x1x9xf32>
  return %p : tensor<1x10x1x9xf32>
}

// -----

// A tensor of one element becomes one of rank 0; concatenating along a dimension
// of extent one keeps it.

// CHECK-LABEL: func.func @corner_cases
// CHECK-SAME: %[[A:.*]]: tensor<1x1xf32>, %[[B:.*]]: tensor<1x4xf32>
// CHECK: tensor.concat dim(0) %[[B]], %[[B]] : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = []}
// CHECK-SAME: ins(%{{.*}} : tensor<f32>)
func.func @corner_cases(%a: tensor<1x1xf32>, %b: tensor<1x4xf32>) -> (tensor<1x1xf32>, tensor<2x4xf32>) {
  %c = tensor.concat dim(0) %b, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %empty = tensor.empty() : tensor<1x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x1xf32>) outs(%empty : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<1x1xf32>
  return %r, %c : tensor<1x1xf32>, tensor<2x4xf32>
}

// -----

// A window with one place along its rows leaves a row over: the image is cut to the rows reached.

// CHECK-LABEL: func.func @one_place
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [3, 7] [1, 1] : tensor<4x7xf32> to tensor<3x7xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<3x7xf32>, tensor<3x3xf32>)
func.func @one_place(%a: tensor<4x7xf32>, %k: tensor<3x3xf32>, %init: tensor<1x5xf32>) -> tensor<1x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(y, x, i, j) -> (y * 2 + i, x + j)>, affine_map<(y, x, i, j) -> (i, j)>, affine_map<(y, x, i, j) -> (y, x)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %k : tensor<4x7xf32>, tensor<3x3xf32>) outs(%init : tensor<1x5xf32>) {
  ^bb0(%v: f32, %w: f32, %out: f32):
    %p = arith.mulf %v, %w : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x5xf32>
  return %r : tensor<1x5xf32>
}
