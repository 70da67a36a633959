// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=256 stop-after=decide" | FileCheck %s --check-prefix=DECIDE
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=256" -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SIZED --input-file=%t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=CYCLES
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --compare=%t.d/result0.npy

// The scores want all keys, and what stands behind the scores all of these: the two products with
// parameters are never at work together. Arrays of their own would take (sqrt(65536) + sqrt(65536))^2 / 256 = 1024
// cycles, an engine 2 x 65536 / 256 = 512 and 6400 elements in front and behind, 16 a cycle: 400. Its lanes are eight
// tokens, eight outputs and four inputs.
// DECIDE: #dataflow.tiling<tile = [16, 8, 4], order = [2, 1, 0], unroll = [8, 8, 4], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [16, 8, 4], order = [2, 1, 0], unroll = [8, 8, 4], engine = "engine">

// 256 products of floats with their sums are 1280 DSPs, more than 60 % of those of a die. So two of the eight tokens
// are those of one slice, which holds their sums; weights go from slice to slice.
// SIZED: dataflow.leaf "engine_s0" compute [1]
// SIZED: dataflow.leaf "engine_s1" compute [1]
// SIZED-NEXT: !dataflow.private<4x64xf32>, {{.*}}: !dataflow.private<4x256xf32>
// SIZED: stream_read %engine_s0_passed
// SIZED: stream_write {{.*}}, %engine_s1_passed
// SIZED: dataflow.leaf "engine_s3" compute [1]

// A slice is at work for 16 x 8 x 2 and 4 x 32 x 2 iterations.
// CYCLES: "busy": 512,
// CYCLES-NOT: "busy"
// CYCLES: "name": "engine_s0"

#matrix = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<16x64xf32>, %wk: tensor<64x64xf32>, %wo: tensor<16x256xf32>) -> tensor<16x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<16x64xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %k = linalg.matmul ins(%y, %wk : tensor<16x64xf32>, tensor<64x64xf32>) outs(%zk : tensor<16x64xf32>) -> tensor<16x64xf32>
  %es = tensor.empty() : tensor<16x16xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %k : tensor<16x64xf32>, tensor<16x64xf32>) outs(%zs : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %eo = tensor.empty() : tensor<16x256xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<16x256xf32>) -> tensor<16x256xf32>
  %o = linalg.matmul ins(%s, %wo : tensor<16x16xf32>, tensor<16x256xf32>) outs(%zo : tensor<16x256xf32>) -> tensor<16x256xf32>
  return %o : tensor<16x256xf32>
}
