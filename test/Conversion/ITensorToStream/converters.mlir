// RUN: streamtensor-opt %s --streamtensor-materialise --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-materialise=converter-rule=paper --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s --check-prefix=PAPER

!rows = !itensor.itensor<2x4xf32, iter_space: [3, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!again = !itensor.itensor<2x4xf32, iter_space: [3, 5, 2] * [2, 1, 4], iter_map: (d0, d1, d2) -> (d0, d2)>
!all = !itensor.itensor<1x1x1x2x4xf32, iter_space: [3, 5, 2] * [1, 1, 1], iter_map: (d0, d1, d2) -> (d0, d1, d2, 0, 0)>
#token = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#cell = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

// A repeat buffer is one leaf: on the first visit of a token it reads its FIFO, on all five its
// memory, which holds one row of tiles. The shared loop over rows chooses no place in it.

// CHECK: #[[$FIRST:set[0-9]*]] = affine_set<(d0, d1, d2, d3) : (d1 == 0)>
// CHECK-LABEL: dataflow.design @repeat
// CHECK-NOT: dataflow.buffer
// CHECK: dataflow.leaf "t_repeat" convert_out [3, 5, 2, 2] {
// CHECK-NEXT: ^bb0({{.*}}%[[held:[a-z0-9_]+]]: !dataflow.private<2x8xf32>):
// CHECK-NEXT: %[[v:[a-z0-9_]+]] = dataflow.stream_read %{{.*}} when #[[$FIRST]]
// CHECK: dataflow.store %{{.*}}, %[[held]] affine_map<(d0, d1, d2, d3) -> (d3, d2 * 4)> when #[[$FIRST]]
// CHECK: dataflow.load %[[held]] affine_map<(d0, d1, d2, d3) -> (d3, d2 * 4)>
// CHECK: dataflow.stream_write

// PAPER-LABEL: dataflow.design @repeat
// PAPER: dataflow.buffer "t_reorder" blocks 2 : <2x8xf32>
// PAPER: dataflow.leaf "t_reorder_in" convert_in [3, 2, 2]
// PAPER: dataflow.leaf "t_reorder_out" convert_out [3, 5, 2, 2]
func.func @repeat_buffer(%x: tensor<6x8xf32>) -> tensor<3x5x2x2x4xf32> {
  %k = dataflow.kernel "repeat"(%x) : (tensor<6x8xf32>) -> tensor<3x5x2x2x4xf32> {
  ^bb0(%t: tensor<6x8xf32>):
    %s = itensor.from_tensor %t : tensor<6x8xf32> -> !rows
    %c = itensor.converter %s : !rows to !again
    %i = itensor.instance : !all
    %w = dataflow.task "keep" outs(%i : !all) -> !all {
    ^bb1(%o0: !all):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %l0 = scf.for %j0 = %c0 to %c3 step %c1 iter_args(%o1 = %o0) -> (!all) {
        %l1 = scf.for %j1 = %c0 to %c5 step %c1 iter_args(%o2 = %o1) -> (!all) {
          %l2 = scf.for %j2 = %c0 to %c2 step %c1 iter_args(%o3 = %o2) -> (!all) {
            %v = itensor.read %c[%j0, %j1, %j2] : !again -> tensor<2x4xf32>
            %e = tensor.empty() : tensor<1x1x1x2x4xf32>
            %g = linalg.generic {indexing_maps = [#token, #cell], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v : tensor<2x4xf32>) outs(%e : tensor<1x1x1x2x4xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [1, 1, 1, 2, 4], order = [0, 1, 2, 3, 4], unroll = [1, 1, 1, 1, 4]>} {
            ^bb2(%p: f32, %q: f32):
              linalg.yield %p : f32
            } -> tensor<1x1x1x2x4xf32>
            %u = itensor.write %g into %o3[%j0, %j1, %j2] : tensor<1x1x1x2x4xf32>, !all
            scf.yield %u : !all
          }
          scf.yield %l2 : !all
        }
        scf.yield %l1 : !all
      }
      dataflow.yield %l0 : !all
    }
    %y = itensor.to_tensor %w : !all -> tensor<3x5x2x2x4xf32>
    dataflow.yield %y : tensor<3x5x2x2x4xf32>
  }
  return %k : tensor<3x5x2x2x4xf32>
}

// -----

!rows = !itensor.itensor<2x4xf32, iter_space: [3, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!again = !itensor.itensor<2x4xf32, iter_space: [3, 5, 2] * [2, 1, 4], iter_map: (d0, d1, d2) -> (d0, d2)>
!all = !itensor.itensor<1x1x1x2x4xf32, iter_space: [3, 5, 2] * [1, 1, 1], iter_map: (d0, d1, d2) -> (d0, d1, d2, 0, 0)>
#token = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#cell = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

// The reader takes one lane, the writer sends four: a leaf in front cuts the vectors.

// CHECK: #[[$FIRST:set[0-9]*]] = affine_set<(d0, d1, d2, d3) : (d3 == 0)>
// CHECK-LABEL: dataflow.design @narrow
// CHECK: dataflow.leaf "t_regroup" convert_in [3, 2, 2, 4] {
// CHECK-NEXT: ^bb0({{.*}}%[[wide:[a-z0-9_]+]]: !dataflow.private<4xf32>):
// CHECK-NEXT: %[[v:[a-z0-9_]+]] = dataflow.stream_read %{{.*}} when #[[$FIRST]]{{.*}} -> vector<4xf32>
// CHECK-NEXT: dataflow.store %[[v]], %[[wide]] affine_map<(d0, d1, d2, d3) -> (0)> when #[[$FIRST]]
// CHECK-NEXT: %[[part:[a-z0-9_]+]] = dataflow.load %[[wide]] affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-NEXT: dataflow.stream_write %[[part]]
// CHECK: dataflow.leaf "t_repeat" convert_out [3, 5, 2, 2, 4]
func.func @narrow(%x: tensor<6x8xf32>) -> tensor<3x5x2x2x4xf32> {
  %k = dataflow.kernel "narrow"(%x) : (tensor<6x8xf32>) -> tensor<3x5x2x2x4xf32> {
  ^bb0(%t: tensor<6x8xf32>):
    %s = itensor.from_tensor %t : tensor<6x8xf32> -> !rows
    %c = itensor.converter %s : !rows to !again
    %i = itensor.instance : !all
    %w = dataflow.task "keep" outs(%i : !all) -> !all {
    ^bb1(%o0: !all):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %l0 = scf.for %j0 = %c0 to %c3 step %c1 iter_args(%o1 = %o0) -> (!all) {
        %l1 = scf.for %j1 = %c0 to %c5 step %c1 iter_args(%o2 = %o1) -> (!all) {
          %l2 = scf.for %j2 = %c0 to %c2 step %c1 iter_args(%o3 = %o2) -> (!all) {
            %v = itensor.read %c[%j0, %j1, %j2] : !again -> tensor<2x4xf32>
            %e = tensor.empty() : tensor<1x1x1x2x4xf32>
            %g = linalg.generic {indexing_maps = [#token, #cell], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v : tensor<2x4xf32>) outs(%e : tensor<1x1x1x2x4xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [1, 1, 1, 2, 4], order = [0, 1, 2, 3, 4], unroll = [1, 1, 1, 1, 1]>} {
            ^bb2(%p: f32, %q: f32):
              linalg.yield %p : f32
            } -> tensor<1x1x1x2x4xf32>
            %u = itensor.write %g into %o3[%j0, %j1, %j2] : tensor<1x1x1x2x4xf32>, !all
            scf.yield %u : !all
          }
          scf.yield %l2 : !all
        }
        scf.yield %l1 : !all
      }
      dataflow.yield %l0 : !all
    }
    %y = itensor.to_tensor %w : !all -> tensor<3x5x2x2x4xf32>
    dataflow.yield %y : tensor<3x5x2x2x4xf32>
  }
  return %k : tensor<3x5x2x2x4xf32>
}

// -----

!lines = !itensor.itensor<1x8xf32, iter_space: [8] * [1], iter_map: (d0) -> (d0, 0)>
!windows = !itensor.itensor<3x8xf32, iter_space: [6] * [1], iter_map: (d0) -> (d0, 0)>
!all = !itensor.itensor<1x3x8xf32, iter_space: [6] * [1], iter_map: (d0) -> (d0, 0, 0)>
#token = affine_map<(d0, d1, d2) -> (d1, d2)>
#cell = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Windows of three lines, one line on at a time: a ring of four lines. In each of nine stages one
// line comes in at the end of the stage; three stages later the window that it begins goes out.

// CHECK: #[[$IN:set[0-9]*]] = affine_set<(d0, d1) : (-d0 + 7 >= 0, d1 - 23 >= 0, -d1 + 23 >= 0)>
// CHECK: #[[$OUT:set[0-9]*]] = affine_set<(d0, d1) : (d0 - 3 >= 0, -d0 + 8 >= 0, -d1 + 23 >= 0)>
// CHECK-LABEL: dataflow.design @windows
// CHECK-NOT: dataflow.buffer
// CHECK: dataflow.leaf "t_lines" convert_out [9, 24] {
// CHECK-NEXT: ^bb0({{.*}}%[[ring:[a-z0-9_]+]]: !dataflow.private<4x8xf32>):
// CHECK-NEXT: dataflow.stream_read %{{.*}} when #[[$IN]]
// CHECK: dataflow.store %{{.*}}, %[[ring]] affine_map<(d0, d1) -> (d0 mod 4, 0)> when #[[$IN]]
// CHECK: dataflow.load %[[ring]] affine_map<(d0, d1) -> ((d0 + d1 floordiv 8 + 1) mod 4, d1 mod 8)> when #[[$OUT]]
// CHECK: dataflow.stream_write %{{.*}} when #[[$OUT]]

// PAPER-LABEL: dataflow.design @windows
// PAPER: dataflow.buffer "t_reorder" blocks 2 : <8x8xf32>
func.func @line_buffer_of_windows(%x: tensor<8x8xf32>) -> tensor<6x3x8xf32> {
  %k = dataflow.kernel "windows"(%x) : (tensor<8x8xf32>) -> tensor<6x3x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !lines
    %c = itensor.converter %s : !lines to !windows
    %i = itensor.instance : !all
    %w = dataflow.task "keep" outs(%i : !all) -> !all {
    ^bb1(%o0: !all):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %l0 = scf.for %j0 = %c0 to %c6 step %c1 iter_args(%o1 = %o0) -> (!all) {
        %v = itensor.read %c[%j0] : !windows -> tensor<3x8xf32>
        %e = tensor.empty() : tensor<1x3x8xf32>
        %g = linalg.generic {indexing_maps = [#token, #cell], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<3x8xf32>) outs(%e : tensor<1x3x8xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [1, 3, 8], order = [0, 1, 2], unroll = [1, 1, 1]>} {
        ^bb2(%p: f32, %q: f32):
          linalg.yield %p : f32
        } -> tensor<1x3x8xf32>
        %u = itensor.write %g into %o1[%j0] : tensor<1x3x8xf32>, !all
        scf.yield %u : !all
      }
      dataflow.yield %l0 : !all
    }
    %y = itensor.to_tensor %w : !all -> tensor<6x3x8xf32>
    dataflow.yield %y : tensor<6x3x8xf32>
  }
  return %k : tensor<6x3x8xf32>
}

// -----

!tall = !itensor.itensor<4x8xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
!thin = !itensor.itensor<2x8xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0, 0)>

// Whole rows come in the order in which they go: the loader writes the FIFO that the store reads.

// CHECK-LABEL: dataflow.design @recut
// CHECK: %[[fifo:[a-z0-9_]+]] = dataflow.stream
// CHECK: dataflow.leaf "{{.*}}_load"
// CHECK: dataflow.stream_write %{{.*}}, %[[fifo]]
// CHECK-NOT: dataflow.leaf "t_
// CHECK: dataflow.leaf "result0_store"
// CHECK: dataflow.stream_read %[[fifo]]
func.func @fifo(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "recut"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !tall
    %c = itensor.converter %s : !tall to !thin
    %y = itensor.to_tensor %c : !thin -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}
