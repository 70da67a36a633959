// RUN: streamtensor-opt %s --streamtensor-generalize --split-input-file --verify-roundtrip | FileCheck %s

// CHECK: #[[$LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @matmul
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[$LHS]], {{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: outs(%[[FILL]] : tensor<4x6xf32>)
func.func @matmul(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// A slice that drops a dimension keeps it first.

// CHECK-LABEL: func.func @rank_reducing_slice
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[2, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<1x5xf32>
// CHECK: tensor.collapse_shape %[[SLICE]] {{\[\[}}0, 1]] : tensor<1x5xf32> into tensor<5xf32>
func.func @rank_reducing_slice(%a: tensor<4x5xf32>) -> tensor<5xf32> {
  %s = tensor.extract_slice %a[2, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<5xf32>
  return %s : tensor<5xf32>
}

// -----

// Every second element, from the second on: column 1 of pairs.

// CHECK-LABEL: func.func @strided_slice
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [4, 3, 2]
// CHECK: %[[COLUMN:.*]] = tensor.extract_slice %[[SPLIT]][0, 0, 1] [4, 3, 1] [1, 1, 1]
// CHECK: tensor.collapse_shape %[[COLUMN]] {{\[\[}}0], [1, 2]] : tensor<4x3x1xf32> into tensor<4x3xf32>
func.func @strided_slice(%a: tensor<4x6xf32>) -> tensor<4x3xf32> {
  %s = tensor.extract_slice %a[0, 1] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>
  return %s : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @insert_chain
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<2x5xf32>
// CHECK: %[[R:.*]] = tensor.concat dim(1) %[[A]], %[[B]]
// CHECK: return %[[R]]
func.func @insert_chain(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> tensor<2x8xf32> {
  %empty = tensor.empty() : tensor<2x8xf32>
  %0 = tensor.insert_slice %b into %empty[0, 3] [2, 5] [1, 1] : tensor<2x5xf32> into tensor<2x8xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// Element 2 keeps what the destination holds: not a concat.

// CHECK-LABEL: func.func @insert_with_gap
// CHECK-NOT: tensor.concat
// CHECK-COUNT-2: tensor.insert_slice
func.func @insert_with_gap(%a: tensor<2xf32>, %b: tensor<5xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %b into %c[3] [5] [1] : tensor<5xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %a into %0[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @whole_tensors
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @whole_tensors(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = arith.addf %a, %b : tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.divf
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
