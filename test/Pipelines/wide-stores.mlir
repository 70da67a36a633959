// A product that adds up in its outermost loop has all of its 1,024 results on the last trip of that: 64 in an iteration,
// within 16. A row of a tile at a time, 64 rows leave long after it; four rows go to four masters as they are made.
// RUN: streamtensor-opt %s --streamtensor-pipeline="start-after=decide stop-after=optimise" --device=%devices/u55c.json | FileCheck %s --check-prefix=LANES
// RUN: streamtensor-opt %s --streamtensor-pipeline="start-after=decide stop-after=size" --device=%devices/u55c.json -o %t
// RUN: FileCheck %s <%t
// RUN: streamtensor-run %s --output-dir=%t.values
// RUN: streamtensor-run --pipelined %t --input=%t.values/arg0.npy --input=%t.values/arg1.npy --compare=%t.values/result0.npy
// With 1,024 terms for 64 a sum takes 4,096 iterations, and 64 more for the rows are less than a 32nd of that.
// RUN: sed 's/tensor<32x64xf32>/tensor<32x1024xf32>/g; s/tensor<64x32xf32>/tensor<1024x32xf32>/g' %s >%t.long.mlir
// RUN: streamtensor-opt %t.long.mlir --streamtensor-pipeline="start-after=decide stop-after=optimise" --device=%devices/u55c.json | FileCheck %s --check-prefix=ROW

// A vector that is stated stays.
// RUN: sed 's/unroll = \[4, 16, 4\]/unroll = [4, 16, 4], vector = [16]/' %s >%t.stated.mlir
// RUN: streamtensor-opt %t.stated.mlir --streamtensor-pipeline="start-after=decide stop-after=optimise" --device=%devices/u55c.json | FileCheck %s --check-prefix=ROW

// LANES: dataflow.task "op" {{.*}} {dataflow.lanes = array<i64: 64>}
// LANES: itensor.to_tensor %{{.*}} packed {{.*}} -> tensor<2x32x16xf32>

// ROW: dataflow.task "op" {{.*}} {dataflow.lanes = array<i64: 16>}

// CHECK-COUNT-4: dataflow.interface "gmem_result0_s{{[0-3]}}"
// CHECK: dataflow.leaf "result0_store" store [2, 8] {{.*}}ii = 1
func.func @product(%x: tensor<32x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xf32>, tensor<64x32xf32>) outs(%init : tensor<32x32xf32>)
      attrs = {dataflow.tiling = #dataflow.tiling<tile = [32, 16, 4], order = [2, 1, 0], unroll = [4, 16, 4]>} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
