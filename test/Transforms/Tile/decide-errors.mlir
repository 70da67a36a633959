// RUN: not streamtensor-opt %s --streamtensor-decide-tiling="tile-size=0" 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s --streamtensor-decide-tiling="unroll=0" 2>&1 | FileCheck %s

// CHECK: decide-errors.mlir:[[#@LINE+1]]:1: error: tile-size and unroll must be at least 1
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
