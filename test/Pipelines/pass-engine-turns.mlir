// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=128" -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: rm -rf %t.d && mkdir %t.d && streamtensor-run %s --output-dir=%t.d
// RUN: streamtensor-run %t.mlir --pipelined --input=%t.d/arg0.npy --input=%t.d/arg1.npy --input=%t.d/arg2.npy --input=%t.d/arg3.npy --compare=%t.d/result0.npy

// The scores take queries pass by pass, but hold all keys: these have their turn first, though the program has them second,
// and so have their weights. Then the first scores are there while other queries are projected.
// CHECK: dataflow.leaf "arg2_load" load
// CHECK: dataflow.leaf "arg1_load" load
// CHECK: dataflow.leaf "engine" compute [1]
// CHECK: dataflow.nest "op_2" [4, 64, 16, 2]
// CHECK: dataflow.nest "op_1_1" [4, 64, 16, 2]
// CHECK: dataflow.nest "op_4" [4, 32, 32, 2]

#matrix = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<64x128xf32>, %wq: tensor<128x128xf32>, %wk: tensor<128x128xf32>, %wo: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %q = linalg.matmul ins(%y, %wq : tensor<64x128xf32>, tensor<128x128xf32>) outs(%zk : tensor<64x128xf32>) -> tensor<64x128xf32>
  %k = linalg.matmul ins(%y, %wk : tensor<64x128xf32>, tensor<128x128xf32>) outs(%zk : tensor<64x128xf32>) -> tensor<64x128xf32>
  %es = tensor.empty() : tensor<64x64xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x128xf32>, tensor<64x128xf32>) outs(%zs : tensor<64x64xf32>) {
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
