// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=128 stop-after=decide" -o %t.decided.mlir
// RUN: FileCheck %s --check-prefix=DECIDE --input-file=%t.decided.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=1024 decision=rules stop-after=decide" | FileCheck %s --check-prefix=ARRAYS
// RUN: sed "s/8, 2\]/8, 8]/g" %t.decided.mlir | streamtensor-opt --streamtensor-pipeline="start-after=decide" -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SIZED --input-file=%t.mlir
// RUN: streamtensor-sim %t.mlir --json | FileCheck %s --check-prefix=CYCLES
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --compare=%t.d/result0.npy

// The scores want all keys, and what stands behind the scores all of these: the two products with
// parameters are never at work together. Arrays of their own would take (sqrt(2^20) + sqrt(2^20))^2 / 128 = 32768 cycles,
// an engine 2 x 2^20 / 128 = 16384 and, with 16 of the 64 tokens in a pass, a quarter of 36864 elements in front and
// behind, 4 a cycle: 2304. Its lanes are eight tokens, eight outputs and two inputs. With 1024 lanes arrays would take
// 4096 cycles, an engine 2048 and 2304.
// DECIDE: #dataflow.tiling<tile = [16, 8, 2], order = [0, 2, 1], unroll = [8, 8, 2], engine = "engine">
// DECIDE: #dataflow.tiling<tile = [16, 8, 2], order = [0, 2, 1], unroll = [8, 8, 2], engine = "engine">

// ARRAYS-NOT: engine

// Weights come anew for each of the four passes, one tensor after the other on the same masters, four words an iteration.
// SIZED: dataflow.leaf "arg1_load_and_1" load []
// SIZED-NEXT: dataflow.nest "arg1_load" [1, 4, 16, 16]
// SIZED: dataflow.nest "arg2_load" [1, 4, 8, 32]

// With eight inputs 512 products and 448 sums of them are 2432 DSPs, more than 60 % of the 1998 that can be placed in any die, and a quarter
// of them more than 30 %. So each of the eight tokens is that of a slice, which holds its sums of a pass, 2 x 128 or 2 x 256
// in one memory; weights go from slice to slice.
// SIZED: dataflow.leaf "engine_s0" compute [1]
// SIZED: dataflow.leaf "engine_s1" compute [1]
// SIZED-NEXT: ^bb0(%{{[^,]*}}: index, %{{[^,]*}}: !dataflow.private<64x8xf32>):
// SIZED: dataflow.nest "{{.*}}" [4, 16, 16, 2]
// SIZED: stream_read %engine_s0_passed{{.*}} -> vector<8xf32>
// SIZED: stream_read %engine_s0_passed{{.*}} -> vector<64xf32>
// SIZED: stream_write {{.*}}, %engine_s1_passed {{.*}} vector<64xf32>
// SIZED: arith.mulf {{.*}} : vector<1x8x8xf32>
// SIZED: dataflow.nest "{{.*}}" [4, 8, 32, 2]
// SIZED: dataflow.leaf "engine_s7" compute [1]
// SIZED-NOT: engine_s8

// A slice is at work for 4 x 16 x 16 x 2 and 4 x 8 x 32 x 2 iterations.
// CYCLES: "busy": 4096,
// CYCLES: "name": "engine_s0",

#matrix = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<64x128xf32>, %wk: tensor<128x128xf32>, %wo: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %k = linalg.matmul ins(%y, %wk : tensor<64x128xf32>, tensor<128x128xf32>) outs(%zk : tensor<64x128xf32>) -> tensor<64x128xf32>
  %es = tensor.empty() : tensor<64x64xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %k : tensor<64x128xf32>, tensor<64x128xf32>) outs(%zs : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %eo = tensor.empty() : tensor<64x256xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x256xf32>) -> tensor<64x256xf32>
  %o = linalg.matmul ins(%s, %wo : tensor<64x64xf32>, tensor<64x256xf32>) outs(%zo : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %o : tensor<64x256xf32>
}
