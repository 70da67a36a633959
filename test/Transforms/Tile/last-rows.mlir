// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=256" --split-input-file | FileCheck %s

// The product has 16 x 128 x 128 / 256 = 1,024 iterations. It gives 8 tiles of columns one after the other, and the
// elements of the last one, 256, pass when nothing else is at work any more: at most a 16th of the product's time, 64, with
// 4 lanes. As no more than what the product gives meanwhile, one lane would do: 16 x 128 elements in 1,024 iterations ask
// for 2.
// CHECK-LABEL: @last
// CHECK: tile = [16, 16, 16], order = [1, 2, 0], unroll = [1, 16, 16]
// CHECK: tile = [16, 16], order = [1, 0], unroll = [1, 4]
func.func @last(%x: tensor<16x128xf32>, %w: tensor<128x128xf32>, %y: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x128xf32>) -> tensor<16x128xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x128xf32>, tensor<128x128xf32>) outs(%f : tensor<16x128xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x128xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %y : tensor<16x128xf32>, tensor<16x128xf32>) outs(%e : tensor<16x128xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<16x128xf32>
  return %b : tensor<16x128xf32>
}

// -----

// Of 1,024 tiles the last one is little: 2 lanes give what the product gives meanwhile, 131,072 times two elements.
// CHECK-LABEL: @many
// CHECK: tile = [16, 16, 16], order = [{{.*}}], unroll = [1, 16, 16]
// CHECK: unroll = [1, 2]
func.func @many(%x: tensor<2048x128xf32>, %w: tensor<128x128xf32>, %y: tensor<2048x128xf32>) -> tensor<2048x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x128xf32>) -> tensor<2048x128xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x128xf32>, tensor<128x128xf32>) outs(%f : tensor<2048x128xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2048x128xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %y : tensor<2048x128xf32>, tensor<2048x128xf32>) outs(%e : tensor<2048x128xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<2048x128xf32>
  return %b : tensor<2048x128xf32>
}
