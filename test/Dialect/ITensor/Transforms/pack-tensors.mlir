// RUN: streamtensor-opt %s --streamtensor-pack --verify-roundtrip | FileCheck %s

!tiles = !itensor.itensor<16x16xf32, iter_space: [2, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
!rows = !itensor.itensor<16x48xf32, iter_space: [2] * [16], iter_map: (d0) -> (d0, 0)>
!tile = !itensor.itensor<16x16xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

// Tiles of 16x16 lie one after the other once packed; the kernel sees the packed tensor alone.
// CHECK-LABEL: func.func @tiles
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<32x48xf32>
// CHECK: %[[p:[a-z0-9_]+]] = itensor.pack %[[X]] strides [768, 16, 48, 1] offset 0 : tensor<32x48xf32> -> tensor<2x3x16x16xf32>
// CHECK: dataflow.kernel "k"(%[[p]]) : (tensor<2x3x16x16xf32>) -> tensor<32x48xf32>
// CHECK: itensor.from_tensor %{{.*}} packed : tensor<2x3x16x16xf32>
func.func @tiles(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %k : tensor<32x48xf32>
}

// Whole rows are contiguous already.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: itensor.pack
// CHECK: return
func.func @rows(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %k : tensor<32x48xf32>
}

// A slice is packed from its offset on: row 16, column 32 of rows of 48.
// CHECK-LABEL: func.func @slice
// CHECK: itensor.pack %{{.*}} strides [48, 1] offset 800 : tensor<32x48xf32> -> tensor<16x16xf32>
func.func @slice(%x: tensor<32x48xf32>) -> tensor<16x16xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<16x16xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t offsets [16, 32] : tensor<32x48xf32> -> !tile
    %y = itensor.to_tensor %s : !tile -> tensor<16x16xf32>
    dataflow.yield %y : tensor<16x16xf32>
  }
  return %k : tensor<16x16xf32>
}

// What another kernel wrote is read as it lies.
// CHECK-LABEL: func.func @between
// CHECK: itensor.pack
// CHECK: %[[first:[a-z0-9_]+]] = dataflow.kernel "k"
// CHECK-NOT: itensor.pack
// CHECK: dataflow.kernel "l"(%[[first]])
func.func @between(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  %l = dataflow.kernel "l"(%k) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %l : tensor<32x48xf32>
}
