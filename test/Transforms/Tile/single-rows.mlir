// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16" --verify-roundtrip | FileCheck %s

// A launch has up to 4 rows of 64. The sum over a row, what scales the row by it, and the sum with which the rows come
// have one row in a tile, the loop over rows outermost: 1 of them. The product takes tiles of all rows.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @norm
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [1, 64], order = [0, 1]
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [1, 64], order = [0, 1]
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [1, 64], order = [0, 1]
// CHECK: dataflow.least = array<i64: 1, 16, 16>, dataflow.tiling = #dataflow.tiling<tile = [4, 16, 16]
func.func @norm(%x: tensor<4x64xf32> {streamtensor.extents = ["tokens", ""]}, %y: tensor<4x64xf32> {streamtensor.extents = ["tokens", ""]}, %w: tensor<64x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %both = linalg.generic {indexing_maps = [#mk, #mk, #mk], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %a = arith.addf %l, %r : f32
    linalg.yield %a : f32
  } -> tensor<4x64xf32>
  %es = tensor.empty() : tensor<4xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]} ins(%both : tensor<4x64xf32>) outs(%fs : tensor<4xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %scaled = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]} ins(%both, %sum : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x64xf32>
  %er = tensor.empty() : tensor<4x32xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x32xf32>) -> tensor<4x32xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scaled, %w : tensor<4x64xf32>, tensor<64x32xf32>) outs(%fr : tensor<4x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// A product whose reduction is one tile gives 16 columns of all rows after the other: the sum over rows takes them as
// they come.

// CHECK-LABEL: func.func @fed
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [4, 16, 16]
// CHECK: dataflow.least = array<i64: 1, 16>, dataflow.tiling = #dataflow.tiling<tile = [4, 16]
func.func @fed(%x: tensor<4x16xf32> {streamtensor.extents = ["tokens", ""]}, %w: tensor<16x64xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<4x64xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x64xf32>) -> tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x16xf32>, tensor<16x64xf32>) outs(%fr : tensor<4x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x64xf32>
  %es = tensor.empty() : tensor<4xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]} ins(%r : tensor<4x64xf32>) outs(%fs : tensor<4xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// -----

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>

// The rows are those of two heads, each with up to 4 of them: as single rows they would be one loop of 8, of which a
// launch with fewer tokens has a part of each half.

// CHECK-LABEL: func.func @heads
// CHECK-NOT: tile = [1,
// CHECK: dataflow.least = array<i64: 1, 16>, dataflow.tiling = #dataflow.tiling<tile = [4, 16]
// CHECK: dataflow.least = array<i64: 1, 16>, dataflow.tiling = #dataflow.tiling<tile = [4, 16]
func.func @heads(%x: tensor<2x4x64xf32> {streamtensor.extents = ["", "tokens", ""]}) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x4x64xf32> into tensor<8x64xf32>
  %es = tensor.empty() : tensor<8xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#mk, #m], iterator_types = ["parallel", "reduction"]} ins(%rows : tensor<8x64xf32>) outs(%fs : tensor<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %scaled = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]} ins(%rows, %sum : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<8x64xf32>
  return %scaled : tensor<8x64xf32>
}
