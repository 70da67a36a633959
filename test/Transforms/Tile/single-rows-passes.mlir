// RUN: streamtensor-opt %s %u55c --streamtensor-pipeline="start-after=import stop-after=linalg" -o %t.mlir
// RUN: streamtensor-opt %t.mlir --pass-pipeline="builtin.module(func.func(streamtensor-decide-tiling{unroll=128 single-rows=true}))" | FileCheck %s
// RUN: streamtensor-opt %t.mlir --pass-pipeline="builtin.module(func.func(streamtensor-decide-tiling{unroll=128}))" | FileCheck %s --check-prefix=PASS

// An engine takes 16 of the 128 tokens in a pass. The sum over a row and what scales the row by it take the tokens of a pass
// together, or, where that is asked for, one after the other: then one sum after the other is added up and not 16 side by side.
// What has one number for each row has one lane then.
// CHECK: #dataflow.tiling<tile = [1, 128], order = [0, 1]
// CHECK: #dataflow.tiling<tile = [1], order = [0], unroll = [1]>
// CHECK: #dataflow.tiling<tile = [1, 128], order = [0, 1]
// CHECK: #dataflow.tiling<tile = [16, 8, 2], order = [0, 2, 1], unroll = [8, 8, 2], engine = "engine">
// PASS: #dataflow.tiling<tile = [16, 16], order = [0, 1]
// PASS: #dataflow.tiling<tile = [16], order = [0], unroll = [2]>
// PASS: #dataflow.tiling<tile = [16, 16], order = [0, 1]
// PASS: #dataflow.tiling<tile = [16, 8, 2], order = [0, 2, 1], unroll = [8, 8, 2], engine = "engine">

#matrix = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#rows1 = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<128x128xf32>, %wk: tensor<128x128xf32>, %wo: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %es0 = tensor.empty() : tensor<128xf32>
  %fs0 = linalg.fill ins(%zero : f32) outs(%es0 : tensor<128xf32>) -> tensor<128xf32>
  %sum = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x128xf32>) outs(%fs0 : tensor<128xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %inverse = linalg.generic {indexing_maps = [#rows1, #rows1], iterator_types = ["parallel"]} ins(%sum : tensor<128xf32>) outs(%es0 : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.rsqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #rows, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %inverse : tensor<128x128xf32>, tensor<128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%a: f32, %n: f32, %b: f32):
    %r = arith.mulf %a, %n : f32
    linalg.yield %r : f32
  } -> tensor<128x128xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %k = linalg.matmul ins(%y, %wk : tensor<128x128xf32>, tensor<128x128xf32>) outs(%zk : tensor<128x128xf32>) -> tensor<128x128xf32>
  %es = tensor.empty() : tensor<128x128xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<128x128xf32>) -> tensor<128x128xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %k : tensor<128x128xf32>, tensor<128x128xf32>) outs(%zs : tensor<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<128x128xf32>
  %eo = tensor.empty() : tensor<128x256xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<128x256xf32>) -> tensor<128x256xf32>
  %o = linalg.matmul ins(%s, %wo : tensor<128x128xf32>, tensor<128x256xf32>) outs(%zo : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %o : tensor<128x256xf32>
}
