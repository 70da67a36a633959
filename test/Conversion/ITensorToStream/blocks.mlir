// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=16" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=256" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file | FileCheck %s --check-prefix=WIDE

// Weights come from memory: a block of the whole matrix, filled once per row of tiles, keeps the pipeline
// full. The rows go straight from the FIFO into the product.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[w:[a-z0-9_]+]] = dataflow.buffer "op_in1_block" blocks 2 : <64x256xf32>
// CHECK: dataflow.leaf "op_in1_fill" fill [4, 16, 4, 16] writes(%[[w]] at 1
// CHECK: %[[r:[a-z0-9_]+]] = dataflow.buffer "op_result" blocks 2 : <16x16x16xf32>
// CHECK: dataflow.leaf "op" compute [4, 16, 4, 16, 16] reads(%[[w]] at 1 {{.*}}) writes(%[[r]] at 2

// With 16 x 16 lanes an accumulator rests for 16 iterations, longer than an addition takes: no banks, and
// the result leaves in the order of its FIFO, without a block.
// WIDE-LABEL: dataflow.design @accelerator
// WIDE: dataflow.leaf "op" compute [4, 16, 4, 16] reads(%{{[a-z0-9_]+}} at 1 : !dataflow.buffer<64x256xf32>) {
// WIDE: ^bb0({{.*}}!dataflow.private<16x16xf32>)
// WIDE: dataflow.stream_write {{.*}} when
// WIDE-NOT: dataflow.leaf "op_drain"
// WIDE: func.func @weights
func.func @weights(%x: tensor<64x64xf32>, %w: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<64x256xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x64xf32>, tensor<64x256xf32>) outs(%g : tensor<64x256xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// -----

// With one row of tiles the whole matrix would be a block that stands alone: the product would wait until all of it is
// there. A column of tiles at a time, the next one comes while one is read.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[w:[a-z0-9_]+]] = dataflow.buffer "op_in1_block" blocks 2 : <64x16xf32>
// CHECK: dataflow.leaf "op_in1_fill" fill [16, 4, 16] writes(%[[w]] at 1
// CHECK: dataflow.leaf "op" compute [16, 4, 16, 16] reads(%[[w]] at 1
func.func @one_row(%x: tensor<16x64xf32>, %w: tensor<64x256xf32>) -> tensor<16x256xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<16x256xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<16x256xf32>) -> tensor<16x256xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x64xf32>, tensor<64x256xf32>) outs(%g : tensor<16x256xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x256xf32>
  return %r : tensor<16x256xf32>
}

// -----

// The same product of two intermediate results: on-chip bytes are worth more here, so the block holds
// one column of tiles, and is swapped for each.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[w:[a-z0-9_]+]] = dataflow.buffer "op_2_{{[a-z0-9_]+}}_block" blocks 2 : <64x16xf32>
// CHECK: dataflow.leaf {{.*}} fill [16, 4, 4, 16] writes(%[[w]] at 2
// CHECK: dataflow.leaf "op_2" compute [16, 4, 4, 16, 16] reads(%[[w]] at 2
func.func @intermediates(%x: tensor<64x64xf32>, %w: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) {
  ^bb0(%l: f32, %out: f32):
    %n = math.absf %l : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  %f = tensor.empty() : tensor<64x256xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x256xf32>) outs(%f : tensor<64x256xf32>) {
  ^bb0(%l: f32, %out: f32):
    %n = math.absf %l : f32
    linalg.yield %n : f32
  } -> tensor<64x256xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x64xf32>, tensor<64x256xf32>) outs(%g : tensor<64x256xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}
