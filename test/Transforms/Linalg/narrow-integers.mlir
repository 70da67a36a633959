// RUN: streamtensor-opt %s --streamtensor-narrow-integers --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// Differences of int8 take 9 bits, int4 weights stay int4, a sum in 64 bits becomes one in 32.

// CHECK-LABEL: func.func @quantised_matmul
// CHECK: %[[DIFF:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<4x64xi8>, tensor<4xi8>) outs(%{{.+}} : tensor<4x64xi9>)
// CHECK-NEXT: ^bb0(%[[Q:.+]]: i8, %[[Z:.+]]: i8, %{{.+}}: i9)
// CHECK-DAG: %[[Q9:.+]] = arith.extsi %[[Q]] : i8 to i9
// CHECK-DAG: %[[Z9:.+]] = arith.extsi %[[Z]] : i8 to i9
// CHECK: arith.subi %[[Q9]], %[[Z9]] : i9
// CHECK: linalg.generic {{.*}} ins(%{{.+}} : tensor<8x64xi4>) outs(%{{.+}} : tensor<8x64xi4>)
// CHECK-NEXT: ^bb0(%[[COPIED:.+]]: i4, %{{.+}}: i4)
// CHECK-NEXT: linalg.yield %[[COPIED]] : i4
// CHECK: linalg.generic {{.*}} ins(%[[DIFF]], %{{.+}} : tensor<4x64xi9>, tensor<8x64xi4>) outs(%{{.+}} : tensor<4x8xi32>)
// CHECK: arith.muli %{{.+}}, %{{.+}} : i32
// CHECK: arith.addi %{{.+}}, %{{.+}} : i32
// CHECK: linalg.generic {{.*}} ins(%{{.+}} : tensor<4x8xi32>) outs(%{{.+}} : tensor<4x8xf32>)
func.func @quantised_matmul(%q: tensor<4x64xi8>, %z: tensor<4xi8>, %w: tensor<8x64xi4>) -> tensor<4x8xf32> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4x64xi32>
  %diff = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %z : tensor<4x64xi8>, tensor<4xi8>) outs(%e : tensor<4x64xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %zp : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<4x64xi32>
  %f = tensor.empty() : tensor<8x64xi32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x64xi4>) outs(%f : tensor<8x64xi32>) {
  ^bb0(%in: i4, %out: i32):
    %0 = arith.extsi %in : i4 to i32
    linalg.yield %0 : i32
  } -> tensor<8x64xi32>
  %g = tensor.empty() : tensor<4x8xi64>
  %init = linalg.fill ins(%zero : i64) outs(%g : tensor<4x8xi64>) -> tensor<4x8xi64>
  %sum = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%diff, %wide : tensor<4x64xi32>, tensor<8x64xi32>) outs(%init : tensor<4x8xi64>) {
  ^bb0(%x: i32, %y: i32, %out: i64):
    %0 = arith.extsi %x : i32 to i64
    %1 = arith.extsi %y : i32 to i64
    %2 = arith.muli %0, %1 : i64
    %3 = arith.addi %out, %2 : i64
    linalg.yield %3 : i64
  } -> tensor<4x8xi64>
  %h = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x8xi64>) outs(%h : tensor<4x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.sitofp %in : i64 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// What is never negative is extended by zeros; through a reshape, too.

// CHECK-LABEL: func.func @columns
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<4x12xi4>)
// CHECK: tensor.collapse_shape %{{.+}} : tensor<4x12xi4> into tensor<48xi4>
// CHECK: linalg.generic {{.*}} ins(%{{.+}} : tensor<48xi4>) outs(%{{.+}} : tensor<48xi64>)
// CHECK: arith.extui %{{.+}} : i4 to i64
func.func @columns() -> tensor<48xi64> {
  %e = tensor.empty() : tensor<4x12xi64>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x12xi64>) {
  ^bb0(%out: i64):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  } -> tensor<4x12xi64>
  %flat = tensor.collapse_shape %r [[0, 1]] : tensor<4x12xi64> into tensor<48xi64>
  %f = tensor.empty() : tensor<48xi64>
  %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%flat : tensor<48xi64>) outs(%f : tensor<48xi64>) {
  ^bb0(%in: i64, %out: i64):
    %0 = arith.muli %in, %in : i64
    linalg.yield %0 : i64
  } -> tensor<48xi64>
  return %n : tensor<48xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A sum that may need all bits of its type keeps it, as does what a result of the function is.

// CHECK-LABEL: func.func @kept
// CHECK: outs(%{{.+}} : tensor<4xi64>)
// CHECK: return %{{.+}} : tensor<4x8xi32>, tensor<4xi32>
func.func @kept(%x: tensor<4x8xi64>, %y: tensor<4x8xi8>) -> (tensor<4x8xi32>, tensor<4xi32>) {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4x8xi32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x8xi8>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x8xi32>
  %g = tensor.empty() : tensor<4xi64>
  %init = linalg.fill ins(%zero : i64) outs(%g : tensor<4xi64>) -> tensor<4xi64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xi64>) outs(%init : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %0 = arith.addi %out, %in : i64
    linalg.yield %0 : i64
  } -> tensor<4xi64>
  %h = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<4xi64>) outs(%h : tensor<4xi32>) {
  ^bb0(%in: i64, %out: i32):
    %0 = arith.shrsi %in, %in : i64
    %1 = arith.trunci %0 : i64 to i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  return %wide, %r : tensor<4x8xi32>, tensor<4xi32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

// A sum of 8 numbers of 32 bits without a sign needs 35 bits, and one for the sign with which its readers extend it.

// CHECK-LABEL: func.func @no_sign
// CHECK: arith.extui %{{.*}} : i32 to i36
// CHECK: arith.addi %{{.*}} : i36
// CHECK: arith.extsi %{{.*}} : i36 to i64
func.func @no_sign(%x: tensor<8xi32>) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<i64>
  %init = linalg.fill ins(%zero : i64) outs(%e : tensor<i64>) -> tensor<i64>
  %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%x : tensor<8xi32>) outs(%init : tensor<i64>) {
  ^bb0(%in: i32, %out: i64):
    %0 = arith.extui %in : i32 to i64
    %1 = arith.addi %out, %0 : i64
    linalg.yield %1 : i64
  } -> tensor<i64>
  %f = tensor.empty() : tensor<i64>
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%sum : tensor<i64>) outs(%f : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %0 = arith.muli %in, %in : i64
    linalg.yield %0 : i64
  } -> tensor<i64>
  return %r : tensor<i64>
}
