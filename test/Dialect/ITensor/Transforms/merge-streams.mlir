// RUN: streamtensor-opt %s --streamtensor-merge-streams --split-input-file --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-merge-streams --streamtensor-materialise --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file | FileCheck %s --check-prefix=STREAM

!rows = !itensor.itensor<4x4xf32, iter_space: [2, 2] * [4, 4], iter_map: (d0, d1) -> (d0, d1)>
!spelled = !itensor.itensor<4x4xf32, iter_space: [2, 1, 2] * [4, 1, 4], iter_map: (d0, d1, d2) -> (d0, d2)>
!columns = !itensor.itensor<4x4xf32, iter_space: [2, 2] * [4, 4], iter_map: (d0, d1) -> (d1, d0)>
!respelled = !itensor.itensor<4x4xf32, iter_space: [2, 2, 1] * [4, 4, 1], iter_map: (d0, d1, d2) -> (d1, d0)>

// Converters behind the branches of a fork, one of them behind a cast, become one in front of it. A
// converter to another order stays, and so does a second read of external memory.

// CHECK-LABEL: func.func @converters
// CHECK: %[[x:.*]] = itensor.from_tensor
// CHECK: %[[y:.*]] = itensor.from_tensor
// CHECK-NOT: fork
// CHECK: %[[c:.*]] = itensor.converter %[[x]]
// CHECK-NOT: itensor.converter
// CHECK: %[[again:.*]] = itensor.cast %[[c]]
// CHECK: itensor.to_tensor %[[c]]
// CHECK: itensor.to_tensor %[[again]]
// CHECK: %[[d:.*]] = itensor.converter %[[y]]
// CHECK: itensor.to_tensor %[[d]]
// STREAM-LABEL: dataflow.design @twice
// STREAM: = dataflow.buffer "t_reorder"
// STREAM: dataflow.leaf "t_fork" fork
// STREAM: = dataflow.buffer "t_reorder_1"
// STREAM-NOT: = dataflow.buffer
func.func @converters(%m: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %k:3 = dataflow.kernel "twice"(%m) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%t: tensor<8x8xf32>):
    %x = itensor.from_tensor %t : tensor<8x8xf32> -> !rows
    %y = itensor.from_tensor %t : tensor<8x8xf32> -> !rows
    %f:3 = itensor.fork %x : !rows -> !rows, !rows, !rows
    %a = itensor.converter %f#0 : !rows to !columns
    %s = itensor.cast %f#1 : !rows to !spelled
    %b = itensor.converter %s : !spelled to !respelled
    %p = itensor.to_tensor %a : !columns -> tensor<8x8xf32>
    %q = itensor.to_tensor %b : !respelled -> tensor<8x8xf32>
    %c = itensor.converter %y : !rows to !columns
    %r = itensor.to_tensor %c : !columns -> tensor<8x8xf32>
    dataflow.yield %p, %q, %r : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

!whole = !itensor.itensor<2x4xf32, iter_space: [2, 6] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!one = !itensor.itensor<2x4xf32, iter_space: [2] * [2], iter_map: (d0) -> (d0, 0)>
!two = !itensor.itensor<2x4xf32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!three = !itensor.itensor<2x4xf32, iter_space: [2, 3] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!four = !itensor.itensor<2x4xf32, iter_space: [2, 4] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!swapped = !itensor.itensor<2x4xf32, iter_space: [2, 2] * [4, 2], iter_map: (d0, d1) -> (d1, d0)>

// Slices that do not overlap are results of one chunk, with what lies between them; what is behind
// equal parts merges too. No block holds a token: a chunk is a leaf with guards.

// CHECK-LABEL: func.func @slices
// CHECK: %[[c:.*]]:4 = itensor.chunk %{{.*}} dim 1 : {{.*}} -> !itensor.itensor<2x4xf32, iter_space: [2, 2]{{.*}}, !itensor.itensor<2x4xf32, iter_space: [2] {{.*}}, !itensor.itensor<2x4xf32, iter_space: [2, 2]{{.*}}, !itensor.itensor<2x4xf32, iter_space: [2] {{.*}}
// CHECK-NOT: itensor.chunk
// CHECK: %[[v:.*]] = itensor.converter %[[c]]#2
// CHECK-NOT: itensor.converter
// CHECK-DAG: itensor.to_tensor %[[c]]#0
// CHECK-DAG: itensor.to_tensor %[[c]]#3
// CHECK-DAG: itensor.to_tensor %[[v]]
// STREAM-LABEL: dataflow.design @qkv
// STREAM: dataflow.leaf "t_chunk" chunk [2, 6, 2]
// STREAM-COUNT-3: dataflow.stream_write
// STREAM-NOT: dataflow.leaf "{{.*}}" chunk
func.func @slices(%m: tensor<4x24xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>) {
  %k:4 = dataflow.kernel "qkv"(%m) : (tensor<4x24xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>) {
  ^bb0(%t: tensor<4x24xf32>):
    %x = itensor.from_tensor %t : tensor<4x24xf32> -> !whole
    %q, %q0 = itensor.chunk %x dim 1 : !whole -> !two, !four
    %v0, %v, %v1 = itensor.chunk %x dim 1 : !whole -> !three, !two, !one
    %w0, %w, %w1 = itensor.chunk %x dim 1 : !whole -> !three, !two, !one
    %z0, %z1, %z = itensor.chunk %x dim 1 : !whole -> !four, !one, !one
    %vc = itensor.converter %v : !two to !swapped
    %wc = itensor.converter %w : !two to !swapped
    %a = itensor.to_tensor %q : !two -> tensor<4x8xf32>
    %b = itensor.to_tensor %vc : !swapped -> tensor<4x8xf32>
    %c = itensor.to_tensor %wc : !swapped -> tensor<4x8xf32>
    %d = itensor.to_tensor %z : !one -> tensor<4x4xf32>
    dataflow.yield %a, %b, %c, %d : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>
  }
  return %k#0, %k#1, %k#2, %k#3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x4xf32>
}

// -----

!whole = !itensor.itensor<2x4xf32, iter_space: [2, 3] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!one = !itensor.itensor<2x4xf32, iter_space: [2] * [2], iter_map: (d0) -> (d0, 0)>
!two = !itensor.itensor<2x4xf32, iter_space: [2, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>

// Slices that overlap are cut out one by one, and what nobody reads goes away.

// CHECK-LABEL: func.func @overlap
// CHECK-COUNT-2: itensor.chunk
// CHECK-NOT: itensor.pad
// CHECK: dataflow.yield
// STREAM-LABEL: dataflow.design @overlap
// STREAM: dataflow.leaf "t_fork" fork
func.func @overlap(%m: tensor<4x12xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %k:2 = dataflow.kernel "overlap"(%m) : (tensor<4x12xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%t: tensor<4x12xf32>):
    %x = itensor.from_tensor %t : tensor<4x12xf32> -> !whole
    %a, %a0 = itensor.chunk %x dim 1 : !whole -> !two, !one
    %b0, %b = itensor.chunk %x dim 1 : !whole -> !one, !two
    %dead = itensor.pad %b low [0, 4] high [0, 0] value 0.0 : f32 : !two to !whole
    %p = itensor.to_tensor %a : !two -> tensor<4x8xf32>
    %q = itensor.to_tensor %b : !two -> tensor<4x8xf32>
    dataflow.yield %p, %q : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %k#0, %k#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
