// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=0" 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling="unroll=-1" 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling="lane-share=0" 2>&1 | FileCheck %s
// RUN: sed 's/^func.*> {$/func.func @main(%%x: tensor<64x128xf32>, %%wk: tensor<128x128xf32>, %%wo: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {dataflow.odd = array<i64: 5, 1>} {/' %S/../../Pipelines/pass-engine.mlir > %t.mlir
// RUN: not streamtensor-opt %t.mlir %u55c --streamtensor-linalg-phase --streamtensor-decide-tiling="unroll=128" 2>&1 | FileCheck %s --check-prefix=ODD

// CHECK: decide-errors.mlir:[[#@LINE+1]]:1: error: tile-size and lane-share must be at least 1, and unroll too, or 0
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// ODD: error: [odd.engine] extents have an odd factor for lanes, which engines have not
