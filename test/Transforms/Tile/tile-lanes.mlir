// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=44" | FileCheck %s --check-prefix=PLAIN
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=44 suit-tiles" | FileCheck %s --check-prefix=SUITED
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 lane-share=4 suit-tiles" | FileCheck %s --check-prefix=SUITED
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=8 unroll=44" | FileCheck %s --check-prefix=HALF
// RUN: streamtensor-opt %s %u55c --streamtensor-pad-extents="odd=11" --streamtensor-decide-tiling="tile-size=16 unroll=44 suit-tiles" | FileCheck %s --check-prefix=ODD
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=96" | FileCheck %s --check-prefix=GROWN
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=96 exact-shares" | FileCheck %s --check-prefix=EXACT

// Lanes divide tiles, so tiles of powers of two use 32 of 44 lanes. Along the reduction a tile of 80 elements has 5 lanes,
// beside 8 along rows of the result. So it is where the device decides, by a number: 41 are 4 % of its lanes of floats.

// PLAIN: dataflow.tiling = #dataflow.tiling<tile = [16, 16, 16], order = {{.*}}, unroll = [1, 16, 2]>
// SUITED: dataflow.tiling = #dataflow.tiling<tile = [16, 16, 80], order = {{.*}}, unroll = [1, 8, 5]>
// HALF: dataflow.tiling = #dataflow.tiling<tile = [8, 8, 8], order = {{.*}}, unroll = [1, 8, 4]>

// 96 rows become 99, with a tile of 11: 11 x 4 lanes.

// ODD: func.func @one
// ODD-SAME: attributes {dataflow.odd = array<i64: 11, 1>}
// ODD: dataflow.tiling = #dataflow.tiling<tile = [11, 16, {{[0-9]+}}], order = {{.*}}, unroll = [11, 4, 1]>

func.func @one(%x: tensor<96x240xf32>, %w: tensor<240x64xf32>) -> tensor<96x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x64xf32>) -> tensor<96x64xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<96x240xf32>, tensor<240x64xf32>) outs(%f : tensor<96x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<96x64xf32>
  return %a : tensor<96x64xf32>
}

// Two products of equal size and 96 lanes: one grows to 64 and leaves the other 32. 48 each take two thirds of the time.

// GROWN-LABEL: @two
// GROWN: tile = [12, 16, 16], order = {{.*}}, unroll = [1, 16, 4]>
// GROWN: tile = [12, 16, 16], order = {{.*}}, unroll = [1, 16, 2]>
// EXACT-LABEL: @two
// EXACT: tile = [12, 16, 16], order = {{.*}}, unroll = [3, 16, 1]>
// EXACT: tile = [12, 16, 16], order = {{.*}}, unroll = [3, 16, 1]>

func.func @two(%x: tensor<24x128xf32>, %w: tensor<128x64xf32>, %y: tensor<24x128xf32>, %v: tensor<128x64xf32>) -> (tensor<24x64xf32>, tensor<24x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x128xf32>, tensor<128x64xf32>) outs(%f : tensor<24x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x64xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %v : tensor<24x128xf32>, tensor<128x64xf32>) outs(%g : tensor<24x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x64xf32>
  return %a, %b : tensor<24x64xf32>, tensor<24x64xf32>
}
