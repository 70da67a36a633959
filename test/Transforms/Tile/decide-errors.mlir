// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=0" 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling="unroll=-1" 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling="lane-share=0" 2>&1 | FileCheck %s

// CHECK: decide-errors.mlir:[[#@LINE+1]]:1: error: tile-size and lane-share must be at least 1, and unroll too, or 0
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
