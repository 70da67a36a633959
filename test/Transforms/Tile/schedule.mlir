// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=20" --streamtensor-write-schedule="file=%t.json" -o %t.decided
// RUN: FileCheck %s --check-prefix=FILE --strict-whitespace < %t.json
// RUN: streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.json" -o %t.read
// RUN: diff %t.decided %t.read
// RUN: sed -e 's/"order": .1, 2, 0./"order": [2, 1, 0]/' -e 's/"vector": null/"vector": [8]/' %t.json > %t.edited.json
// RUN: streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.edited.json" --streamtensor-tile -o %t.tiled
// RUN: FileCheck %s < %t.tiled
// RUN: streamtensor-run %s %t.tiled | FileCheck %s --check-prefix=SAME

// What is written is read back as it was; an edited file is obeyed, and gives the same results.

// FILE:      {{^}}{
// FILE-NEXT:   "version": 1,
// FILE-NEXT:   "device": "u55c",
// FILE-NEXT:   "program": "{{[0-9a-f]+}}",
// FILE-NEXT:   "operations": [
// FILE-NEXT:     {
// FILE-NEXT:       "operation": "block.up",
// FILE-NEXT:       "number": 0,
// FILE-NEXT:       "kind": "contraction",
// FILE-NEXT:       "loops": ["parallel 16", "parallel 32", "reduction 64"],
// FILE-NEXT:       "computes": "arith.mulf arith.addf",
// FILE-NEXT:       "lane_loops": [0, 1, 2],
// FILE-NEXT:       "tile": [16, 16, 16],
// FILE-NEXT:       "order": [1, 2, 0],
// FILE-NEXT:       "unroll": [1, 16, 1],
// FILE-NEXT:       "vector": null,
// FILE-NEXT:       "engine": null
// FILE-NEXT:     },
// FILE:            "operation": "block.up",
// FILE-NEXT:       "number": 1,
// FILE-NEXT:       "kind": "map",
// FILE:            "operation": "op",
// FILE-NEXT:       "number": 0,
// FILE-NEXT:       "kind": "reduction",
// FILE-NEXT:       "loops": ["parallel 16", "reduction 32"],
// FILE-NEXT:       "computes": "arith.addf",

// CHECK: scf.for %{{.*}} to %c64
// CHECK-NEXT: scf.for %{{.*}} to %c32
// CHECK: dataflow.tiling = #dataflow.tiling<tile = [16, 16, 16], order = [2, 1, 0], unroll = [1, 16, 1], vector = [8]>
// SAME-NOT: differs
// SAME: result0

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @main(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x64xf32>, tensor<64x32xf32>) outs(%f : tensor<16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x32xf32> loc("block.up")
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = math.tanh %l : f32
    linalg.yield %m : f32
  } -> tensor<16x32xf32> loc("block.up")
  %v = tensor.empty() : tensor<16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%v : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%n : tensor<16x32xf32>) outs(%g : tensor<16xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %l, %acc : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %t : tensor<16xf32>
}
