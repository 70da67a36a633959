// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=32" | FileCheck %s

// Beside an engine the slowest contraction of an attention sets the pace of the others as long as it can have more
// lanes. The sum over 4 groups has all of its tile, 32 by 4, and takes 4 * 8192 * 4 / 128 = 1,024 cycles; the scores of
// 64 rows, 512 cycles with 32 lanes, get more nonetheless.

#xk = affine_map<(m, n, k) -> (m, k)>
#wk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: engine = "engine">
// CHECK: unroll = [1, 32, 4]>
// CHECK: unroll = [1, 32, 8]>
func.func @main(%x: tensor<4x2048xi8> {streamtensor.extents = ["tokens", ""]}, %v: tensor<2048x2048xi4> {streamtensor.stacked, streamtensor.kind = "parameter"}, %w: tensor<2048x2048xi4> {streamtensor.stacked, streamtensor.kind = "parameter"}, %g: tensor<4x4xf32> {streamtensor.extents = ["tokens", ""]}, %s: tensor<8192x4xf32> {streamtensor.stacked, streamtensor.kind = "parameter"}, %q: tensor<4x64xf32> {streamtensor.extents = ["tokens", ""]}, %keys: tensor<64x64xf32> {streamtensor.stacked}) -> (tensor<4x2048xi32>, tensor<4x2048xi32>, tensor<4x8192xf32>, tensor<4x64xf32>) attributes {streamtensor.layers = 2 : i64} {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2048xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<4x2048xi32>) -> tensor<4x2048xi32>
  %products = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %v : tensor<4x2048xi8>, tensor<2048x2048xi4>) outs(%init : tensor<4x2048xi32>) {
  ^bb0(%a: i8, %b: i4, %acc: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i4 to i32
    %p = arith.muli %l, %r : i32
    %t = arith.addi %acc, %p : i32
    linalg.yield %t : i32
  } -> tensor<4x2048xi32>
  %others = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x2048xi8>, tensor<2048x2048xi4>) outs(%init : tensor<4x2048xi32>) {
  ^bb0(%a: i8, %b: i4, %acc: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i4 to i32
    %p = arith.muli %l, %r : i32
    %t = arith.addi %acc, %p : i32
    linalg.yield %t : i32
  } -> tensor<4x2048xi32>
  %es = tensor.empty() : tensor<4x8192xf32>
  %inits = linalg.fill ins(%none : f32) outs(%es : tensor<4x8192xf32>) -> tensor<4x8192xf32>
  %sums = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g, %s : tensor<4x4xf32>, tensor<8192x4xf32>) outs(%inits : tensor<4x8192xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x8192xf32>
  %er = tensor.empty() : tensor<4x64xf32>
  %initr = linalg.fill ins(%none : f32) outs(%er : tensor<4x64xf32>) -> tensor<4x64xf32>
  %scores = linalg.generic {indexing_maps = [#xk, #wk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %keys : tensor<4x64xf32>, tensor<64x64xf32>) outs(%initr : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x64xf32>
  return %products, %others, %sums, %scores : tensor<4x2048xi32>, tensor<4x2048xi32>, tensor<4x8192xf32>, tensor<4x64xf32>
}
