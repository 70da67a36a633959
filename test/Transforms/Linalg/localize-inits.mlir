// RUN: streamtensor-opt %s --streamtensor-localize-inits --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// A fill that two reductions share, and an elementwise result written over it.

// CHECK-LABEL: func.func @shared_fill
// CHECK: %[[F0:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[F0]] : tensor<4xf32>)
// CHECK: %[[F1:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[F1]] : tensor<4xf32>)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] : tensor<4xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: arith.mulf %{{.*}}, %[[C]] : f32
func.func @shared_fill(%x: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %m = arith.mulf %in, %in : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]} ins(%b : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %two : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %a, %c : tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Accumulating into a tensor: the maximum starts from -inf, the tensor joins after.

// CHECK-LABEL: func.func @accumulate
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>, %[[T:.*]]: tensor<4xf32>
// CHECK: %[[NEUTRAL:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[F:.*]] = linalg.fill ins(%[[NEUTRAL]] : f32)
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%[[F]] : tensor<4xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[M]] : tensor<4xf32>, tensor<4xf32>)
// CHECK: arith.maximumf
// CHECK: return %[[R]]
func.func @accumulate(%x: tensor<4x6xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.maximumf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

// A fill read as data is a constant.

// CHECK-LABEL: func.func @fill_as_data
// CHECK: %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: tensor.concat dim(0) %{{.*}}, %[[C]]
func.func @fill_as_data(%x: tensor<4xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = tensor.concat dim(0) %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// The reduction takes its extent from the splat, which is therefore no splat any more.
// CHECK-LABEL: func.func @reduction_of_splat
// CHECK: %[[ONES:.*]] = arith.constant dense_resource<splat{{.*}}> : tensor<9x2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[ONES]] : tensor<9x2xf32>)
func.func @reduction_of_splat() -> tensor<2xf32> {
  %ones = arith.constant dense<1.0> : tensor<9x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%ones : tensor<9x2xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %sum : tensor<2xf32>
}
