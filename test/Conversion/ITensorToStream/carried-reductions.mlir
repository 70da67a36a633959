// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=12 unroll=24" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-plan-sums -o %t.mlir
// RUN: streamtensor-opt %t.mlir %u55c --streamtensor-itensor-to-stream -o %t-stream.mlir
// RUN: FileCheck %s < %t-stream.mlir
// RUN: streamtensor-run %t.mlir %t-stream.mlir | FileCheck %s --check-prefix=SAME

// The reduction stands outside the tiles of a row of results: twelve rows pass between two uses of
// an accumulator, the reduction is the outermost loop inside a tile, and there is one accumulator for
// each element of the row of tiles. The input is held in a block while the tiles of the row pass, one tile of it, as
// the rest still comes when the task could begin; weights come in the order of use, a vector for twelve rows.
// Adding floats takes ten cycles with its slack, so the results leave in the order of their FIFO on the last trip of
// the reduction, without a block or a drain. Doubles take sixteen: as partial sums would multiply the accumulators,
// the reduction stays inside, and a drain adds them.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// SAME-NOT: differs
// SAME: result1

// CHECK: #[[$LAST:set[0-9]*]] = affine_set<(d0, d1, d2, d3) : (d0 - 3 == 0, d2 - 11 == 0)>
// CHECK: dataflow.leaf "op_1" compute [4, 2, 12, 12] reads({{.*}} at 1 : !dataflow.buffer<12x12xf32>)
// CHECK-NEXT: ^bb0({{.*}}, %[[acc:[a-z0-9_]+]]: !dataflow.private<12x24xf32>)
// CHECK: %[[sums:[a-z0-9_]+]] = dataflow.load %[[acc]] affine_map<(d0, d1, d2, d3) -> (d3, d1 * 12)> {{.*}} -> vector<1x12xf32>
// CHECK: dataflow.store %{{.*}}, %[[acc]] affine_map<(d0, d1, d2, d3) -> (d3, d1 * 12)>
// CHECK: dataflow.stream_write %{{.*}} when #[[$LAST]] {dataflow.order = !itensor.itensor<12x12xf32, iter_space: [2] * [12], iter_map: (d0) -> (0, d0)>}

// CHECK: dataflow.leaf "op_3" compute [2, 4, 12, 12]
// CHECK: dataflow.leaf "op_3_drain" drain
func.func @main(%x: tensor<12x48xf32>, %w: tensor<48x24xf32>, %y: tensor<12x48xf64>, %v: tensor<48x24xf64>) -> (tensor<12x24xf32>, tensor<12x24xf64>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f64
  %e = tensor.empty() : tensor<12x48xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<12x48xf32>) outs(%e : tensor<12x48xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<12x48xf32>
  %f = tensor.empty() : tensor<12x24xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<12x24xf32>) -> tensor<12x24xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<12x48xf32>, tensor<48x24xf32>) outs(%g : tensor<12x24xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x24xf32>
  %e64 = tensor.empty() : tensor<12x48xf64>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<12x48xf64>) outs(%e64 : tensor<12x48xf64>) {
  ^bb0(%p: f64, %out: f64):
    %n = arith.negf %p : f64
    linalg.yield %n : f64
  } -> tensor<12x48xf64>
  %f64 = tensor.empty() : tensor<12x24xf64>
  %g64 = linalg.fill ins(%one : f64) outs(%f64 : tensor<12x24xf64>) -> tensor<12x24xf64>
  %s = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%b, %v : tensor<12x48xf64>, tensor<48x24xf64>) outs(%g64 : tensor<12x24xf64>) {
  ^bb0(%l: f64, %m: f64, %acc: f64):
    %p = arith.mulf %l, %m : f64
    %q = arith.addf %acc, %p : f64
    linalg.yield %q : f64
  } -> tensor<12x24xf64>
  return %r, %s : tensor<12x24xf32>, tensor<12x24xf64>
}
