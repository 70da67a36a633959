// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=16" --streamtensor-write-schedule="file=%t.json" -o %t.decided
// RUN: FileCheck %s < %t.decided
// RUN: streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.json" -o %t.read
// RUN: diff %t.decided %t.read

// A launch gives the number of rows. The fewest that a tile then has follow from its choices and are none of the program: the
// file is read back as it was written.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK: dataflow.least = array<i64: 1, 16, 16>
func.func @rows(%x: tensor<8x64xf32> {streamtensor.extents = ["tokens", ""]}, %w: tensor<64x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%f : tensor<8x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %a : tensor<8x32xf32>
}
