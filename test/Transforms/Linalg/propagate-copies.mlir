// RUN: streamtensor-opt %s --streamtensor-propagate-copies --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#t = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#table = affine_map<(d0, d1, d2) -> (d1, d2)>

// A rotary embedding of transposed heads stays in the projection's order; only
// its result is transposed.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-LABEL: func.func @rotary
// CHECK-SAME: %[[Q:.*]]: tensor<8x4x6xf32>
// CHECK-DAG: %[[HI:.*]] = tensor.extract_slice %[[Q]][0, 0, 3] [8, 4, 3]
// CHECK-DAG: %[[LO:.*]] = tensor.extract_slice %[[Q]][0, 0, 0] [8, 4, 3]
// CHECK: %[[NEG:.*]] = linalg.generic {{.*}} ins(%[[HI]] : tensor<8x4x3xf32>)
// CHECK: %[[CAT:.*]] = tensor.concat dim(2) %[[NEG]], %[[LO]]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[CAT]], %{{.*}} : tensor<8x4x6xf32>, tensor<8x4x6xf32>, tensor<8x6xf32>) outs(%{{.*}} : tensor<8x4x6xf32>)
// CHECK: %[[OUT:.*]] = linalg.generic {indexing_maps = [#[[$T]], #[[$ID]]]{{.*}} ins(%[[R]] : tensor<8x4x6xf32>)
// CHECK: return %[[OUT]]
func.func @rotary(%q: tensor<8x4x6xf32>, %cos: tensor<8x6xf32>) -> tensor<4x8x6xf32> {
  %e = tensor.empty() : tensor<4x8x6xf32>
  %eh = tensor.empty() : tensor<4x8x3xf32>
  %qt = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<8x4x6xf32>) outs(%e : tensor<4x8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8x6xf32>
  %lo = tensor.extract_slice %qt[0, 0, 0] [4, 8, 3] [1, 1, 1] : tensor<4x8x6xf32> to tensor<4x8x3xf32>
  %hi = tensor.extract_slice %qt[0, 0, 3] [4, 8, 3] [1, 1, 1] : tensor<4x8x6xf32> to tensor<4x8x3xf32>
  %neg = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%hi : tensor<4x8x3xf32>) outs(%eh : tensor<4x8x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<4x8x3xf32>
  %cat = tensor.concat dim(2) %neg, %lo : (tensor<4x8x3xf32>, tensor<4x8x3xf32>) -> tensor<4x8x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #table, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%qt, %cat, %cos : tensor<4x8x6xf32>, tensor<4x8x6xf32>, tensor<8x6xf32>) outs(%e : tensor<4x8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %m = arith.mulf %a, %c : f32
    %s = arith.addf %m, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8x6xf32>
  return %r : tensor<4x8x6xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rep = affine_map<(d0, d1, d2) -> (d0, d2)>

// What is repeated is computed once.

// CHECK-LABEL: func.func @compute_before_broadcast
// CHECK: %[[E:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[E]] : tensor<2x4xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.yield
func.func @compute_before_broadcast(%k: tensor<2x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %b = linalg.generic {indexing_maps = [#rep, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k : tensor<2x4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#t = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// Reshapes and pads come before a transpose. Dimensions 0 and 1 of the result are
// adjacent in the source, so they collapse there.

// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: %[[X:.*]]: tensor<6x2x4xf32>
// CHECK-DAG: tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2], [3]] output_shape [3, 2, 2, 4]
// CHECK-DAG: tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<6x2x4xf32> into tensor<6x8xf32>
// CHECK-DAG: tensor.pad %[[X]] low[3, 1, 2] high[0, 0, 0]
func.func @reshapes(%x: tensor<6x2x4xf32>) -> (tensor<2x4x3x2xf32>, tensor<8x6xf32>, tensor<3x6x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x6xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<6x2x4xf32>) outs(%e : tensor<2x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x6xf32>
  %a = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [2, 4, 3, 2] : tensor<2x4x6xf32> into tensor<2x4x3x2xf32>
  %b = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x4x6xf32> into tensor<8x6xf32>
  %c = tensor.pad %t low[1, 2, 3] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x4x6xf32> to tensor<3x6x9xf32>
  return %a, %b, %c : tensor<2x4x3x2xf32>, tensor<8x6xf32>, tensor<3x6x9xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#t = affine_map<(d0, d1, d2) -> (d1, d0, d2)>

// Dimensions 0 and 2 of the source are not adjacent: nothing to collapse there.

// CHECK-LABEL: func.func @collapse_of_apart
// CHECK: %[[T:.*]] = linalg.generic
// CHECK: tensor.collapse_shape %[[T]]
func.func @collapse_of_apart(%x: tensor<6x2x4xf32>) -> tensor<2x24xf32> {
  %e = tensor.empty() : tensor<2x6x4xf32>
  %e2 = tensor.empty() : tensor<2x4x6xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<6x2x4xf32>) outs(%e2 : tensor<2x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x6xf32>
  %b = tensor.collapse_shape %t [[0], [1, 2]] : tensor<2x4x6xf32> into tensor<2x24xf32>
  return %b : tensor<2x24xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#repeat = affine_map<(d0, d1) -> (0, d1)>

// A slice along a dimension that repeats one element is no slice of the source.

// CHECK-LABEL: func.func @slice_of_repeated
// CHECK: %[[REPEATED:.*]] = linalg.generic
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[REPEATED]][1, 0] [2, 4] [1, 1]
// CHECK: return %[[SLICE]]
func.func @slice_of_repeated(%x: tensor<1x8xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.generic {indexing_maps = [#repeat, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %s = tensor.extract_slice %c[1, 0] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
  return %s : tensor<2x4xf32>
}
