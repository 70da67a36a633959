// DEFINE: %{lower} = --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-widen-stores
// RUN: streamtensor-opt %s %u55c %{lower} | FileCheck %s
// RUN: sed -e 's/"masters": 32/"masters": 4/' %devices/u55c.json > %t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json %{lower} | FileCheck %s --check-prefix=FEW

// Sums over the outermost loop: all 448 results leave behind 256 iterations, and 16 rows of 28 are more than a 32nd of
// these. Two rows would take 8, but end within a word of 16; four are 7 words.
// CHECK-LABEL: func.func @rows
// CHECK: dataflow.task {{.*}} {dataflow.lanes = array<i64: 112>}
// Of four masters one may be a store's, which moves a word.
// FEW-LABEL: func.func @rows
// FEW: dataflow.task {{.*}} {dataflow.lanes = array<i64: 28>}
func.func @rows(%a: tensor<16x256xf32>, %b: tensor<256x28xf32>) -> tensor<16x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x28xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x28xf32>) -> tensor<16x28xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x256xf32>, tensor<256x28xf32>) outs(%f : tensor<16x28xf32>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [16, 28, 64], order = [2, 0, 1], unroll = [4, 28, 4]>} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<16x28xf32>
  return %r : tensor<16x28xf32>
}

// 32 rows of a word take as long as 1,024 iterations let them, a 32nd: one at a time is enough.
// CHECK-LABEL: func.func @enough
// CHECK: dataflow.task {{.*}} {dataflow.lanes = array<i64: 16>}
func.func @enough(%a: tensor<32x256xf32>, %b: tensor<256x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x256xf32>, tensor<256x16xf32>) outs(%f : tensor<32x16xf32>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [32, 16, 64], order = [2, 0, 1], unroll = [4, 16, 2]>} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

// With twice the lanes 512 iterations are left, of which a 32nd is 16: two rows at a time.
// CHECK-LABEL: func.func @pairs
// CHECK: dataflow.task {{.*}} {dataflow.lanes = array<i64: 32>}
func.func @pairs(%a: tensor<32x256xf32>, %b: tensor<256x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x256xf32>, tensor<256x16xf32>) outs(%f : tensor<32x16xf32>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [32, 16, 64], order = [2, 0, 1], unroll = [4, 16, 4]>} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

// A vector that the tiling states stays.
// CHECK-LABEL: func.func @stated
// CHECK: dataflow.task {{.*}} {dataflow.lanes = array<i64: 16>}
func.func @stated(%a: tensor<32x256xf32>, %b: tensor<256x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x256xf32>, tensor<256x16xf32>) outs(%f : tensor<32x16xf32>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [32, 16, 64], order = [2, 0, 1], unroll = [4, 16, 4], vector = [16]>} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

// Tiles of rows are made one after the other, each while the next adds up: what is left at the end is one of them.
// CHECK-LABEL: func.func @tiles
// CHECK: dataflow.task {{.*}} {dataflow.lanes = array<i64: 16>}
func.func @tiles(%a: tensor<32x256xf32>, %b: tensor<256x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x256xf32>, tensor<256x16xf32>) outs(%f : tensor<32x16xf32>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 16, 64], order = [0, 2, 1], unroll = [4, 16, 4]>} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

// Rows of 28 halves end within a word of 32: eight of them are seven words, and more than the 4 that are made side by
// side.
// CHECK-LABEL: func.func @halves
// CHECK: dataflow.task {{.*}} {dataflow.lanes = array<i64: 224>}
func.func @halves(%a: tensor<16x256xf16>, %b: tensor<256x28xf16>) -> tensor<16x28xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x28xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16x28xf16>) -> tensor<16x28xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x256xf16>, tensor<256x28xf16>) outs(%f : tensor<16x28xf16>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [16, 28, 64], order = [2, 0, 1], unroll = [4, 28, 4]>} {
  ^bb0(%x: f16, %y: f16, %s: f16):
    %p = arith.mulf %x, %y : f16
    %t = arith.addf %s, %p : f16
    linalg.yield %t : f16
  } -> tensor<16x28xf16>
  return %r : tensor<16x28xf16>
}
