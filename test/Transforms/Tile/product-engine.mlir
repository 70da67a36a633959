// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="all-products unroll=64" | FileCheck %s

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// Two products take turns with an engine. What compares all elements of a row with each other has lanes along all loops as
// well, but multiplies nothing: it stands beside the engine.
// CHECK-LABEL: func.func @ranked
// CHECK: engine = "engine"
// CHECK: engine = "engine"
// CHECK: dataflow.tiling = #dataflow.tiling<tile = {{[^>]*}}unroll = [{{[0-9, ]*}}]>
func.func @ranked(%x: tensor<64x32xf32>, %w: tensor<32x32xf32>, %v: tensor<32x32xf32>) -> tensor<64x32xi32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x32xf32>, tensor<32x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %v : tensor<64x32xf32>, tensor<32x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %er = tensor.empty() : tensor<64x32xi32>
  %zr = linalg.fill ins(%none : i32) outs(%er : tensor<64x32xi32>) -> tensor<64x32xi32>
  %ranks = linalg.generic {indexing_maps = [#C, #A, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %y : tensor<64x32xf32>, tensor<64x32xf32>) outs(%zr : tensor<64x32xi32>) {
  ^bb0(%l: f32, %r: f32, %c: i32):
    %is_larger = arith.cmpf ogt, %r, %l : f32
    %one = arith.extui %is_larger : i1 to i32
    %s = arith.addi %c, %one : i32
    linalg.yield %s : i32
  } -> tensor<64x32xi32>
  return %ranks : tensor<64x32xi32>
}
