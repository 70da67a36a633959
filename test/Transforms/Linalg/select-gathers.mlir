// RUN: streamtensor-opt %s --streamtensor-select-gathers --split-input-file --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-select-gathers --split-input-file --validate -o %t.mlir

// Elements along a row: the row's loop stays, the column is searched for. Positions are computed once
// for all columns; one outside is the nearest inside. Floats are found as their bits.

// CHECK-DAG: #[[$positions:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$table:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: tensor<4x3xi64>
// CHECK: %[[inside:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[I]] : tensor<4x3xi64>) outs(%{{.*}} : tensor<4x3xi32>)
// CHECK-NEXT: ^bb0(%[[in:.*]]: i64, %{{.*}}: i32)
// CHECK-NEXT: %[[position:.*]] = arith.index_cast %[[in]] : i64 to index
// CHECK: %[[last:.*]] = arith.constant 7 : index
// CHECK: %[[below:.*]] = arith.minsi %[[position]], %[[last]] : index
// CHECK-NEXT: %[[clamped:.*]] = arith.maxsi %[[below]], %{{.*}} : index
// CHECK-NEXT: arith.index_cast %[[clamped]] : index to i32
// CHECK: %[[seen:.*]] = linalg.generic {indexing_maps = [#[[$positions]], #[[$table]], #{{[a-z0-9]*}}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[inside]], %[[X]] : tensor<4x3xi32>, tensor<4x8xf32>)
// CHECK-NEXT: ^bb0(%[[wanted:.*]]: i32, %[[element:.*]]: f32, %{{.*}}: i32)
// CHECK-NEXT: %[[bits:.*]] = arith.bitcast %[[element]] : f32 to i32
// CHECK-NEXT: %[[loop:.*]] = linalg.index 2 : index
// CHECK-NEXT: %[[here:.*]] = arith.index_cast %[[loop]] : index to i32
// CHECK-NEXT: %[[match:.*]] = arith.cmpi eq, %[[wanted]], %[[here]] : i32
// CHECK: arith.select %[[match]], %[[bits]], %{{.*}} : i32
// CHECK: %[[found:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[seen]] : tensor<4x3x8xi32>)
// CHECK: arith.ori
// CHECK: linalg.generic {{.*}} ins(%[[I]], %[[found]] : tensor<4x3xi64>, tensor<4x3xi32>)
// CHECK: %[[number:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT: math.absf %[[number]]
// CHECK-NOT: tensor.extract
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4x3xi64>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = linalg.index 0 : index
    %column = arith.index_cast %in : i64 to index
    %v = tensor.extract %x[%row, %column] : tensor<4x8xf32>
    %a = math.absf %v : f32
    linalg.yield %a : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// Rows of an argument stay a lookup; rows of what the design computes are searched for, one position
// for all elements of a row. Booleans are their own bits.

// CHECK-LABEL: func.func @main
// CHECK: tensor.extract %{{.*}} : tensor<6x5xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%{{.*}} : tensor<3xi32>) outs(%{{.*}} : tensor<3xi32>)
// CHECK: arith.constant false
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.ori
// CHECK-NOT: arith.bitcast
// CHECK-NOT: tensor.extract
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<6x5xf32>, %i: tensor<3xi32>) -> (tensor<3x5xf32>, tensor<3x5xi1>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %rows = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: i32, %out: f32):
    %at = arith.index_cast %in : i32 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %x[%at, %column] : tensor<6x5xf32>
    linalg.yield %v : f32
  } -> tensor<3x5xf32>
  %m = tensor.empty() : tensor<6x5xi1>
  %mask = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x5xf32>) outs(%m : tensor<6x5xi1>) {
  ^bb0(%in: f32, %out: i1):
    %positive = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %positive : i1
  } -> tensor<6x5xi1>
  %b = tensor.empty() : tensor<3x5xi1>
  %signs = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3xi32>) outs(%b : tensor<3x5xi1>) {
  ^bb0(%in: i32, %out: i1):
    %at = arith.index_cast %in : i32 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %mask[%at, %column] : tensor<6x5xi1>
    linalg.yield %v : i1
  } -> tensor<3x5xi1>
  return %rows, %signs : tensor<3x5xf32>, tensor<3x5xi1>
}

// -----

// One element of a table that the program makes: joined into a single element.

// CHECK-DAG: #[[$row:map[0-9]*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$one:map[0-9]*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {indexing_maps = [#[[$row]], #[[$one]]], iterator_types = ["reduction"]}
// CHECK: arith.ori
// CHECK-NOT: tensor.extract
#row = affine_map<(d0) -> (d0)>
#none = affine_map<() -> ()>
func.func @main(%x: tensor<21xi32>, %position: tensor<i16>) -> tensor<i32> {
  %t = tensor.empty() : tensor<21xi32>
  %table = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<21xi32>) outs(%t : tensor<21xi32>) {
  ^bb0(%in: i32, %out: i32):
    %square = arith.muli %in, %in : i32
    linalg.yield %square : i32
  } -> tensor<21xi32>
  %e = tensor.empty() : tensor<i32>
  %r = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%position : tensor<i16>) outs(%e : tensor<i32>) {
  ^bb0(%in: i16, %out: i32):
    %index = arith.index_cast %in : i16 to index
    %v = tensor.extract %table[%index] : tensor<21xi32>
    linalg.yield %v : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// An element of a tensor of indices is the position itself.
// CHECK-LABEL: func.func @index_elements
// CHECK: linalg.generic {{.*}} ins(%{{[a-z0-9]*}} : tensor<4x3xindex>)
// CHECK: arith.minsi %in
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<4x3x8xi32>)
// CHECK-NOT: tensor.extract
func.func @index_elements(%x: tensor<4x8xf32>, %i: tensor<4x3xindex>) -> tensor<4x3xf32> {
  %table = math.exp %x : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<4x3xindex>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%k: index, %o: f32):
    %row = linalg.index 0 : index
    %v = tensor.extract %table[%row, %k] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
