// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=64 stop-after=decide" -o %t.decided.mlir
// RUN: FileCheck %s --check-prefix=DECIDE --input-file=%t.decided.mlir
// RUN: streamtensor-opt %t.decided.mlir --streamtensor-pipeline="start-after=decide" -o %t.mlir 2>&1 | count 0
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=CYCLES
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --compare=%t.d/result0.npy

// Channels, then tokens are mixed: the second product sums over the tokens of the first and has its channels for rows.
// Both are an engine's, each with all 64 lanes.
// DECIDE-COUNT-2: engine = "engine"

// 2 x 64 x 64 x 64 / 64 iterations, and what stands in front and behind.
// CYCLES: "cycles": 8715,
// CYCLES: "busy": 8192,
// CYCLES: "name": "engine",

#A = affine_map<(m, n, k) -> (m, k)>
#turned = affine_map<(m, n, k) -> (k, m)>
#B = affine_map<(m, n, k) -> (n, k)>
#C = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<64x64xf32>, %wc: tensor<64x64xf32>, %wt: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %wc : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %s, %p : f32
    linalg.yield %a : f32
  } -> tensor<64x64xf32>
  %t = linalg.generic {indexing_maps = [#turned, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%c, %wt : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %s, %p : f32
    linalg.yield %a : f32
  } -> tensor<64x64xf32>
  return %t : tensor<64x64xf32>
}
