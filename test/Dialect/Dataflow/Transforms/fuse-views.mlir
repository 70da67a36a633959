// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-fuse-kernels --verify-roundtrip | FileCheck %s

!rows = !itensor.itensor<16x16xf32, iter_space: [4] * [16], iter_map: (d0) -> (0, d0)>
!cut = !itensor.itensor<16x1x8xf32, iter_space: [8] * [1], iter_map: (d0) -> (0, d0, 0)>
// A token of 16 columns spans two heads of 8: it becomes a token of 2 x 8, which a
// converter takes apart for the reader of single heads.
// CHECK-LABEL: func.func @reshape_cuts
// CHECK: itensor.reassociate {{.*}} to <16x2x8xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0, 0)>
// CHECK: itensor.converter {{.*}} to <16x1x8xf32, iter_space: [8] * [1], iter_map: (d0) -> (0, d0, 0)>
func.func @reshape_cuts(%x: tensor<16x64xf32>) -> tensor<16x8x8xf32> {
  %p = dataflow.kernel "producer"(%x) : (tensor<16x64xf32>) -> tensor<16x64xf32> {
  ^bb0(%t: tensor<16x64xf32>):
    %s = itensor.from_tensor %t : tensor<16x64xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<16x64xf32>
    dataflow.yield %y : tensor<16x64xf32>
  }
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [16, 8, 8] : tensor<16x64xf32> into tensor<16x8x8xf32>
  %q = dataflow.kernel "consumer"(%h) : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32> {
  ^bb0(%t: tensor<16x8x8xf32>):
    %s = itensor.from_tensor %t : tensor<16x8x8xf32> -> !cut
    %y = itensor.to_tensor %s : !cut -> tensor<16x8x8xf32>
    dataflow.yield %y : tensor<16x8x8xf32>
  }
  return %q : tensor<16x8x8xf32>
}

// -----

!rows = !itensor.itensor<16x16xf32, iter_space: [3] * [16], iter_map: (d0) -> (0, d0)>
// The slice begins inside a token: a converter to the greatest common tile comes first.
// CHECK-LABEL: func.func @slice_cuts
// CHECK: %[[c:[a-z0-9_]+]] = itensor.converter {{.*}} to <16x8xf32, iter_space: [6] * [8], iter_map: (d0) -> (0, d0)>
// CHECK: %[[parts:[a-z0-9_]+]]:2 = itensor.chunk %[[c]] dim 1
// CHECK: itensor.to_tensor %[[parts]]#1
func.func @slice_cuts(%x: tensor<16x48xf32>) -> tensor<16x24xf32> {
  %p = dataflow.kernel "producer"(%x) : (tensor<16x48xf32>) -> tensor<16x48xf32> {
  ^bb0(%t: tensor<16x48xf32>):
    %s = itensor.from_tensor %t : tensor<16x48xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<16x48xf32>
    dataflow.yield %y : tensor<16x48xf32>
  }
  %h = tensor.extract_slice %p[0, 24] [16, 24] [1, 1] : tensor<16x48xf32> to tensor<16x24xf32>
  return %h : tensor<16x24xf32>
}

// -----

!rows = !itensor.itensor<16x16xf32, iter_space: [3] * [16], iter_map: (d0) -> (0, d0)>
!thin = !itensor.itensor<16x12xf32, iter_space: [2] * [12], iter_map: (d0) -> (0, d0)>
// Parts with tiles of 16 and 12 columns meet in tiles of 4.
// CHECK-LABEL: func.func @concat_tiles
// CHECK: %[[a:[a-z0-9_]+]] = itensor.converter {{.*}} to <16x4xf32, iter_space: [12] * [4], iter_map: (d0) -> (0, d0)>
// CHECK: %[[b:[a-z0-9_]+]] = itensor.converter {{.*}} to <16x4xf32, iter_space: [6] * [4], iter_map: (d0) -> (0, d0)>
// CHECK: itensor.concat %[[a]], %[[b]] dim 1 : {{.*}} -> <16x4xf32, iter_space: [18] * [4], iter_map: (d0) -> (0, d0)>
func.func @concat_tiles(%x: tensor<16x48xf32>, %y: tensor<16x24xf32>) -> tensor<16x72xf32> {
  %p = dataflow.kernel "producer"(%x) : (tensor<16x48xf32>) -> tensor<16x48xf32> {
  ^bb0(%t: tensor<16x48xf32>):
    %s = itensor.from_tensor %t : tensor<16x48xf32> -> !rows
    %r = itensor.to_tensor %s : !rows -> tensor<16x48xf32>
    dataflow.yield %r : tensor<16x48xf32>
  }
  %q = dataflow.kernel "producer2"(%y) : (tensor<16x24xf32>) -> tensor<16x24xf32> {
  ^bb0(%t: tensor<16x24xf32>):
    %s = itensor.from_tensor %t : tensor<16x24xf32> -> !thin
    %r = itensor.to_tensor %s : !thin -> tensor<16x24xf32>
    dataflow.yield %r : tensor<16x24xf32>
  }
  %h = tensor.concat dim(1) %p, %q : (tensor<16x48xf32>, tensor<16x24xf32>) -> tensor<16x72xf32>
  return %h : tensor<16x72xf32>
}

// -----

!rows = !itensor.itensor<16x16xf32, iter_space: [3] * [16], iter_map: (d0) -> (0, d0)>
!row2 = !itensor.itensor<16x16xf32, iter_space: [1, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
// The same order under another type is a cast, which costs nothing.
// CHECK-LABEL: func.func @cast
// CHECK-NOT: itensor.converter
// CHECK: itensor.cast
func.func @cast(%x: tensor<16x48xf32>) -> tensor<16x48xf32> {
  %p = dataflow.kernel "producer"(%x) : (tensor<16x48xf32>) -> tensor<16x48xf32> {
  ^bb0(%t: tensor<16x48xf32>):
    %s = itensor.from_tensor %t : tensor<16x48xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<16x48xf32>
    dataflow.yield %y : tensor<16x48xf32>
  }
  %q = dataflow.kernel "c"(%p) : (tensor<16x48xf32>) -> tensor<16x48xf32> {
  ^bb0(%t: tensor<16x48xf32>):
    %s = itensor.from_tensor %t : tensor<16x48xf32> -> !row2
    %y = itensor.to_tensor %s : !row2 -> tensor<16x48xf32>
    dataflow.yield %y : tensor<16x48xf32>
  }
  return %q : tensor<16x48xf32>
}

// -----

!row = !itensor.itensor<1x16xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0, 0)>
!one = !itensor.itensor<16xf32, iter_space: [] * [], iter_map: () -> (0)>
// Slices that drop a dimension: of a stream by a chunk, of memory by an offset.
// CHECK-LABEL: func.func @drops_dims
// CHECK: %[[x:[a-z0-9_]+]] = itensor.from_tensor
// CHECK: %[[m:[a-z0-9_]+]] = itensor.from_tensor %{{.*}} offsets [2, 0] : tensor<4x16xf32> -> <1x16xf32, iter_space: [] * [], iter_map: () -> (0, 0)>
// CHECK: %[[row:[a-z0-9_]+]] = itensor.reassociate %[[m]] {{\[\[}}0, 1]]
// CHECK: %[[parts:[a-z0-9_]+]]:3 = itensor.chunk %[[x]] dim 0
// CHECK: %[[part:[a-z0-9_]+]] = itensor.reassociate %[[parts]]#1 {{\[\[}}0, 1]]
// CHECK: itensor.concat %[[part]], %[[row]] dim 0
func.func @drops_dims(%x: tensor<4x16xf32>) -> tensor<16xf32> {
  %p = dataflow.kernel "producer"(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%t: tensor<4x16xf32>):
    %s = itensor.from_tensor %t : tensor<4x16xf32> -> !row
    %y = itensor.to_tensor %s : !row -> tensor<4x16xf32>
    dataflow.yield %y : tensor<4x16xf32>
  }
  %h = tensor.extract_slice %p[1, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %k = tensor.extract_slice %x[2, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %q = dataflow.kernel "c"(%k) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%t: tensor<16xf32>):
    %s = itensor.from_tensor %t : tensor<16xf32> -> !one
    %y = itensor.to_tensor %s : !one -> tensor<16xf32>
    dataflow.yield %y : tensor<16xf32>
  }
  %j = tensor.concat dim(0) %h, %q : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %z = tensor.extract_slice %j[8] [16] [1] : tensor<32xf32> to tensor<16xf32>
  return %z : tensor<16xf32>
}
