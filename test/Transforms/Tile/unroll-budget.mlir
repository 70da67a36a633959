// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=2" --streamtensor-tile --verify-roundtrip | FileCheck %s --check-prefix=LEAST
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=20" --streamtensor-tile | FileCheck %s --check-prefix=SHARE
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=40" --streamtensor-tile | FileCheck %s --check-prefix=MORE
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1000000" --streamtensor-tile | FileCheck %s --check-prefix=MOST

// The first product has four times the work of the second. Lanes of 20: 16 and 4, so
// that both take 1024 cycles; of 40: 32 and 8. Lanes grow along the result's rows, then along
// the reduction, never beyond the tile. The element-wise op between them evaluates 256
// elements: it needs lanes only when the products take fewer cycles than that.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// LEAST: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1, 1]>
// LEAST: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1]>
// LEAST: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1, 1]>
// SHARE: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16, 1]>
// SHARE: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1]>
// SHARE: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 4, 1]>
// MORE: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16, 2]>
// MORE: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1]>
// MORE: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 8, 1]>
// MOST: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [16, 16, 16]>
// MOST: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16]>
// MOST: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [16, 16, 16]>
func.func @share(%x: tensor<16x64xf32>, %w: tensor<64x16xf32>, %v: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x64xf32>, tensor<64x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = math.tanh %l : f32
    linalg.yield %m : f32
  } -> tensor<16x16xf32>
  %b = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n, %v : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}
