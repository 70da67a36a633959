// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json dump-dir=%t" -o %t/sized.mlir
// RUN: FileCheck %s --check-prefix=TILE < %t/04-tile.mlir
// RUN: FileCheck %s --check-prefix=FUSE < %t/06-fuse.mlir
// RUN: FileCheck %s --check-prefix=STREAM < %t/10-stream.mlir
// RUN: FileCheck %s --check-prefix=SIZE < %t/11-size.mlir
// RUN: streamtensor-run %t/01-import.mlir %t/04-tile.mlir %t/06-fuse.mlir %t/09-optimise.mlir %t/10-stream.mlir %t/11-size.mlir | FileCheck %s --check-prefix=AGREE
// RUN: streamtensor-run %t/01-import.mlir --jit | FileCheck %s --check-prefix=JIT
// RUN: streamtensor-sim %t/sized.mlir --json | FileCheck %s --check-prefix=SIM
// RUN: streamtensor-translate %t/sized.mlir --output-dir=%t/out
// RUN: FileCheck %s --check-prefix=HLS < %t/out/hls/accelerator.cpp
// RUN: FileCheck %s --check-prefix=NATIVE < %t/out/hls/accelerator_native.cpp
// RUN: diff %S/Inputs/scale_rows.h %t/out/hls/scale_rows.h

// A kernel written by hand between an elementwise operation and a product: untouched up to the tiles, then
// fused, with converters where its order is not that of its neighbours.

// TILE: dataflow.extern_task @scale_rows(%{{.*}}, %{{.*}}) : (tensor<32x64xf32>, tensor<32xf32>) -> tensor<32x64xf32>

// FUSE: dataflow.kernel "accelerator"
// FUSE: %[[exp:.*]] = dataflow.task
// FUSE: %[[rows:.*]] = itensor.converter %[[exp]] : {{.*}} to <1x64xf32, iter_space: [32] * [1]
// FUSE: %[[x:.*]] = dataflow.itensor_to_stream %[[rows]] {{.*}} to <vector<8xf32>>
// FUSE: %[[y:.*]] = dataflow.extern_task @scale_rows(%[[x]], %{{.*}})
// FUSE: dataflow.stream_to_itensor %[[y]] : <vector<8xf32>> to <1x64xf32

// Its leaf task is its declaration.

// STREAM: dataflow.leaf "scale_rows" extern [32, 8]
// STREAM: %[[x:.*]] = dataflow.stream_read
// STREAM: %[[gain:.*]] = dataflow.stream_read %{{.*}} when
// STREAM: %[[y:.*]] = dataflow.extern_step @scale_rows(%[[x]], %[[gain]]) : (vector<8xf32>, f32) -> vector<8xf32>
// STREAM: dataflow.stream_write %[[y]]

// SIZE: dataflow.leaf "scale_rows" extern [32, 8] attributes {depth = 8 : i64, die = "SLR0", ii = 1 : i64}
// SIZE: dataflow.stream_write {{.*}}#dataflow.timing<at 7 for 0>

// AGREE-COUNT-6: digest
// AGREE-NOT: differs

// JIT: result0 tensor<32x48xf32>

// SIM: "name": "scale_rows"

// HLS: // Written by hand.
// HLS-NEXT: #include "scale_rows.h"
// HLS-NOT: void scale_rows(
// HLS: ::scale_rows(t_reordered_fifo, arg1_fifo, scale_rows_y_fifo);

// A native run watches that each of its ports moves tokens where it declares them: those of the gains where the second
// loop begins.

// NATIVE: const st::KernelWatch [[WATCH:.*]]("scale_rows", {32, 8}, {{[{][{]}}"t_reordered_fifo", false, {0, 0}, {32, 8}}, {"arg1_fifo", false, {0, 0}, {32, 1}}, {"scale_rows_y_fifo", true, {0, 0}, {32, 8}}});

!rows = !itensor.itensor<1x64xf32, iter_space: [32] * [1], iter_map: (d0) -> (d0, 0)>
!gains = !itensor.itensor<1xf32, iter_space: [32] * [1], iter_map: (d0) -> (d0)>
#first = affine_set<(d0, d1) : (d1 == 0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

dataflow.extern @scale_rows source "Inputs/scale_rows.h" nest [32, 8] ii 1 delay 6
    resources {dsp = 24, lut = 1200, ff = 2000}
    takes ["x" : !rows as !dataflow.stream<vector<8xf32>>,
           "gain" when #first : !gains as !dataflow.stream<f32>]
    gives ["y" : !rows as !dataflow.stream<vector<8xf32>>] {
^bb0(%x: tensor<32x64xf32>, %gain: tensor<32xf32>):
  %empty = tensor.empty() : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%x, %gain : tensor<32x64xf32>, tensor<32xf32>) outs(%empty : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<32x64xf32>
  dataflow.yield %y : tensor<32x64xf32>
}

func.func @main(%x: tensor<32x64xf32>, %gain: tensor<32xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x64xf32>
  %e = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x64xf32>) outs(%empty : tensor<32x64xf32>) {
  ^bb0(%a: f32, %c: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  } -> tensor<32x64xf32>
  %y = dataflow.extern_task @scale_rows(%e, %gain) : (tensor<32x64xf32>, tensor<32xf32>) -> tensor<32x64xf32>
  %out = tensor.empty() : tensor<32x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = linalg.matmul ins(%y, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%init : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}
