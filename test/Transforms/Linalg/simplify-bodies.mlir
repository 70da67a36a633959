// RUN: streamtensor-opt %s --streamtensor-simplify-bodies --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// An f64 scalar that f32 cannot represent is rounded once.

// CHECK-LABEL: func.func @truncated_scalar
// CHECK-NOT: f64
// CHECK: %[[C:.*]] = arith.constant 9.99999997E-7 : f32
// CHECK: arith.addf %{{.*}}, %[[C]] : f32
func.func @truncated_scalar(%x: tensor<4xf32>) -> tensor<4xf32> {
  %eps = arith.constant 9.9999999999999995E-7 : f64
  %empty = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.truncf %eps : f64 to f32
    %s = arith.addf %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// -inf is exact in f32; 0.1 is not, its comparison stays in f64.

// CHECK-LABEL: func.func @comparison
// CHECK: %[[WIDE:.*]] = arith.extf
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// CHECK: arith.cmpf olt, %[[WIDE]], %{{.*}} : f64
func.func @comparison(%x: tensor<4xf32>) -> tensor<4xi1> {
  %inf = arith.constant 0xFFF0000000000000 : f64
  %tenth = arith.constant 0.1 : f64
  %empty = tensor.empty() : tensor<4xi1>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xi1>) {
  ^bb0(%in: f32, %out: i1):
    %wide = arith.extf %in : f32 to f64
    %a = arith.cmpf oeq, %wide, %inf : f64
    %b = arith.cmpf olt, %wide, %tenth : f64
    %c = arith.ori %a, %b : i1
    linalg.yield %c : i1
  } -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @powers
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[X2:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK: %[[X3:.*]] = arith.mulf %[[X2]], %[[X]] : f32
// CHECK: %[[INV:.*]] = arith.divf %{{.*}}, %[[X3]] : f32
// CHECK: math.powf %[[INV]], %{{.*}} : f32
func.func @powers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %three = arith.constant 3 : i64
  %minus = arith.constant -1.0 : f32
  %seven = arith.constant 7 : i64
  %empty = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.fpowi %in, %three : f32, i64
    %b = math.powf %a, %minus : f32
    %c = math.fpowi %b, %seven : f32, i64
    linalg.yield %c : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// Splats, scalars of rank 0 and fills become constants of the body.

// CHECK-LABEL: func.func @splat_operands
// CHECK-SAME: %[[M:.*]]: tensor<4xi1>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[M]] : tensor<4xi1>)
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
func.func @splat_operands(%m: tensor<4xi1>) -> tensor<4xf32> {
  %inf = arith.constant dense<0xFF800000> : tensor<f32>
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #scalar, #id], iterator_types = ["parallel"]} ins(%m, %ones, %inf : tensor<4xi1>, tensor<4xf32>, tensor<f32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%c: i1, %a: f32, %b: f32, %out: f32):
    %s = arith.select %c, %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// A maximum whose index nobody asks for.

// CHECK-LABEL: func.func @unused_index
// CHECK: linalg.generic
// CHECK-NOT: i64
// CHECK: arith.maximumf
// CHECK-NOT: linalg.index
// CHECK: return
func.func @unused_index(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i64
  %inf = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xi64>
  %f0 = linalg.fill ins(%inf : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %f1 = linalg.fill ins(%zero : i64) outs(%e1 : tensor<4xi64>) -> tensor<4xi64>
  %r:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f0, %f1 : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %best: f32, %where: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %best : f32
    %gt = arith.cmpf ogt, %in, %best : f32
    %w = arith.select %gt, %k, %where : i64
    linalg.yield %m, %w : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// One over a power of two is exact, one over 576 is not. Differences with a constant are sums. 2^127 has an inverse that
// is not normal.

// CHECK-LABEL: func.func @exact_inverses
// CHECK-DAG: %[[SIXTEENTH:.*]] = arith.constant 6.250000e-02 : f32
// CHECK-DAG: %[[WIDTH:.*]] = arith.constant 5.760000e+02 : f32
// CHECK-DAG: %[[HUGE:.*]] = arith.constant 1.70141183E+38 : f32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -3.000000e+00 : f32
// CHECK: %[[A:.*]] = arith.mulf %{{.*}}, %[[SIXTEENTH]] : f32
// CHECK-NEXT: %[[B:.*]] = arith.divf %[[A]], %[[WIDTH]] : f32
// CHECK-NEXT: %[[C:.*]] = arith.divf %[[B]], %[[HUGE]] : f32
// CHECK-NEXT: arith.addf %[[C]], %[[MINUS]] : f32
func.func @exact_inverses(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sixteen = arith.constant 16.0 : f32
  %width = arith.constant 576.0 : f32
  %huge = arith.constant 0x7F000000 : f32
  %three = arith.constant 3.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.divf %in, %sixteen : f32
    %b = arith.divf %a, %width : f32
    %c = arith.divf %b, %huge : f32
    %d = arith.subf %c, %three : f32
    linalg.yield %d : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
