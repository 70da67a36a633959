// RUN: streamtensor-opt %s --streamtensor-hoist-slices --split-input-file --verify-roundtrip | FileCheck %s

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

// A fused projection becomes two, down through the bias.

// CHECK-LABEL: func.func @fused_projection
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<12x16xf32>, %[[B:.*]]: tensor<12xf32>
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0] [4, 16]
// CHECK: %[[M0:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W0]] : {{.*}}) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[W]][4, 0] [8, 16]
// CHECK: %[[M1:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W1]] : {{.*}}) outs(%{{.*}} : tensor<8x8xf32>)
// CHECK: %[[B0:.*]] = tensor.extract_slice %[[B]][0] [4]
// CHECK: linalg.generic {{.*}} ins(%[[M0]], %[[B0]] :
// CHECK: %[[B1:.*]] = tensor.extract_slice %[[B]][4] [8]
// CHECK: linalg.generic {{.*}} ins(%[[M1]], %[[B1]] :
// CHECK-NOT: tensor.extract_slice
func.func @fused_projection(%x: tensor<8x16xf32>, %w: tensor<12x16xf32>, %b: tensor<12xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %m = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x16xf32>, tensor<12x16xf32>) outs(%init : tensor<8x12xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x12xf32>
  %y = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %b : tensor<8x12xf32>, tensor<12xf32>) outs(%e : tensor<8x12xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<8x12xf32>
  %q = tensor.extract_slice %y[0, 0] [8, 4] [1, 1] : tensor<8x12xf32> to tensor<8x4xf32>
  %k = tensor.extract_slice %y[0, 4] [8, 8] [1, 1] : tensor<8x12xf32> to tensor<8x8xf32>
  return %q, %k : tensor<8x4xf32>, tensor<8x8xf32>
}

// -----

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// The halves of a rotary embedding: the whole is read too, so the stream is split.

// CHECK-LABEL: func.func @whole_is_read
// CHECK: %[[M:.*]] = linalg.generic
// CHECK: tensor.extract_slice %[[M]]
// CHECK: tensor.extract_slice %[[M]]
func.func @whole_is_read(%x: tensor<8x16xf32>, %w: tensor<12x16xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %m = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x16xf32>, tensor<12x16xf32>) outs(%init : tensor<8x12xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x12xf32>
  %lo = tensor.extract_slice %m[0, 0] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  %hi = tensor.extract_slice %m[0, 6] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  return %lo, %hi, %m : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x12xf32>
}

// -----

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// Slices of rows would slice the activations, computed elsewhere: they stay. So
// do slices that leave a gap.

// CHECK-LABEL: func.func @rows_and_gaps
// CHECK-COUNT-2: = linalg.generic
// CHECK-NOT: = linalg.generic
// CHECK: return
func.func @rows_and_gaps(%x: tensor<8x16xf32>, %w: tensor<12x16xf32>) -> (tensor<4x12xf32>, tensor<4x12xf32>, tensor<8x5xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %cat = tensor.concat dim(0) %x, %x : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %h = tensor.extract_slice %cat[4, 0] [8, 16] [1, 1] : tensor<16x16xf32> to tensor<8x16xf32>
  %m = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<8x16xf32>, tensor<12x16xf32>) outs(%init : tensor<8x12xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x12xf32>
  %n = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x16xf32>, tensor<12x16xf32>) outs(%init : tensor<8x12xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x12xf32>
  %lo = tensor.extract_slice %m[0, 0] [4, 12] [1, 1] : tensor<8x12xf32> to tensor<4x12xf32>
  %hi = tensor.extract_slice %m[4, 0] [4, 12] [1, 1] : tensor<8x12xf32> to tensor<4x12xf32>
  %a = tensor.extract_slice %n[0, 0] [8, 5] [1, 1] : tensor<8x12xf32> to tensor<8x5xf32>
  %b = tensor.extract_slice %n[0, 6] [8, 6] [1, 1] : tensor<8x12xf32> to tensor<8x6xf32>
  return %lo, %hi, %a, %b : tensor<4x12xf32>, tensor<4x12xf32>, tensor<8x5xf32>, tensor<8x6xf32>
}

// -----

// Slices move above reshapes while they stay one box, and into concats.

// CHECK-LABEL: func.func @reshapes_and_concats
// CHECK-SAME: %[[X:.*]]: tensor<8x24xf32>, %[[A:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<5x4xf32>
// CHECK-DAG: %[[S:.*]] = tensor.extract_slice %[[X]][0, 8] [8, 8]
// CHECK-DAG: tensor.expand_shape %[[S]] {{\[\[}}0], [1, 2, 3]] output_shape [8, 1, 2, 4]
// CHECK-DAG: tensor.extract_slice %[[B]][1, 0] [4, 4]
// CHECK-DAG: %[[R:.*]] = tensor.extract_slice %[[X]][2, 0] [4, 24]
// CHECK-DAG: tensor.collapse_shape %[[R]] {{\[\[}}0, 1]] : tensor<4x24xf32> into tensor<96xf32>
func.func @reshapes_and_concats(%x: tensor<8x24xf32>, %a: tensor<3x4xf32>, %b: tensor<5x4xf32>) -> (tensor<8x1x2x4xf32>, tensor<4x4xf32>, tensor<96xf32>) {
  %e = tensor.expand_shape %x [[0], [1, 2, 3]] output_shape [8, 3, 2, 4] : tensor<8x24xf32> into tensor<8x3x2x4xf32>
  %k = tensor.extract_slice %e[0, 1, 0, 0] [8, 1, 2, 4] [1, 1, 1, 1] : tensor<8x3x2x4xf32> to tensor<8x1x2x4xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  %s = tensor.extract_slice %c[4, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %f = tensor.collapse_shape %x [[0, 1]] : tensor<8x24xf32> into tensor<192xf32>
  %r = tensor.extract_slice %f[48] [96] [1] : tensor<192xf32> to tensor<96xf32>
  return %k, %s, %r : tensor<8x1x2x4xf32>, tensor<4x4xf32>, tensor<96xf32>
}
