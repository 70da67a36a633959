// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=8 unroll=16" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-plan-sums -o %t.mlir
// RUN: streamtensor-opt %t.mlir %u55c --streamtensor-itensor-to-stream -o %t-stream.mlir
// RUN: FileCheck %s < %t-stream.mlir
// RUN: streamtensor-run %t.mlir %t-stream.mlir | FileCheck %s --check-prefix=SAME

// The reduction stands outside the tiles of a row of results: eight rows pass between two uses of
// an accumulator, the reduction is the outermost loop inside a tile, and there is one accumulator for
// each element of the row of tiles. The input is held in a block while the tiles of the row pass.
// Adding floats takes these eight cycles, so the results leave in the order of their FIFO on the last trip of
// the reduction, without a block or a drain. Doubles take longer: two partial sums, which a drain adds.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// SAME-NOT: differs
// SAME: result1

// CHECK: #[[$LAST:set[0-9]*]] = affine_set<(d0, d1, d2, d3) : (d0 - 7 == 0, d2 - 7 == 0)>
// CHECK: dataflow.leaf "op_1" compute [8, 2, 8, 8] reads({{.*}} at 0 : !dataflow.buffer<8x64xf32>, {{.*}} at 0 : !dataflow.buffer<64x16xf32>)
// CHECK-NEXT: ^bb0({{.*}}, %[[acc:[a-z0-9_]+]]: !dataflow.private<8x16xf32>)
// CHECK: %[[sums:[a-z0-9_]+]] = dataflow.load %[[acc]] affine_map<(d0, d1, d2, d3) -> (d3, d1 * 8)> {{.*}} -> vector<1x8xf32>
// CHECK: dataflow.store %{{.*}}, %[[acc]] affine_map<(d0, d1, d2, d3) -> (d3, d1 * 8)>
// CHECK: dataflow.stream_write %{{.*}} when #[[$LAST]] {dataflow.order = !itensor.itensor<8x8xf32, iter_space: [2] * [8], iter_map: (d0) -> (0, d0)>}

// CHECK: dataflow.leaf "op_3" compute [8, 2, 8, 8]
// CHECK-NEXT: ^bb0({{.*}}, %{{.*}}: !dataflow.private<2x8x16xf64>)
// CHECK: dataflow.leaf "op_3_drain" drain
func.func @main(%x: tensor<8x64xf32>, %w: tensor<64x16xf32>, %y: tensor<8x64xf64>, %v: tensor<64x16xf64>) -> (tensor<8x16xf32>, tensor<8x16xf64>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f64
  %e = tensor.empty() : tensor<8x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  %f = tensor.empty() : tensor<8x16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%g : tensor<8x16xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %e64 = tensor.empty() : tensor<8x64xf64>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x64xf64>) outs(%e64 : tensor<8x64xf64>) {
  ^bb0(%p: f64, %out: f64):
    %n = arith.negf %p : f64
    linalg.yield %n : f64
  } -> tensor<8x64xf64>
  %f64 = tensor.empty() : tensor<8x16xf64>
  %g64 = linalg.fill ins(%one : f64) outs(%f64 : tensor<8x16xf64>) -> tensor<8x16xf64>
  %s = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%b, %v : tensor<8x64xf64>, tensor<64x16xf64>) outs(%g64 : tensor<8x16xf64>) {
  ^bb0(%l: f64, %m: f64, %acc: f64):
    %p = arith.mulf %l, %m : f64
    %q = arith.addf %acc, %p : f64
    linalg.yield %q : f64
  } -> tensor<8x16xf64>
  return %r, %s : tensor<8x16xf32>, tensor<8x16xf64>
}
