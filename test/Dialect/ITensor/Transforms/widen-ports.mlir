// RUN: streamtensor-opt %s %u55c --streamtensor-widen --verify-roundtrip | FileCheck %s
// RUN: sed -e 's/"bits": 512/"bits": 256/' %devices/u55c.json > %t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-widen | FileCheck %s --check-prefix=NARROW

!odd = !itensor.itensor<4x15xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0, 0)>
!tiles = !itensor.itensor<4x10xf32, iter_space: [3, 2] * [4, 10], iter_map: (d0, d1) -> (d0, d1)>
!even = !itensor.itensor<4x16xf32, iter_space: [3] * [4], iter_map: (d0) -> (d0, 0)>
!part = !itensor.itensor<16xf32, iter_space: [2] * [16], iter_map: (d0) -> (d0)>
!wide = !itensor.itensor<1x20xf32, iter_space: [12] * [1], iter_map: (d0) -> (d0, 0)>

// Rows of 15 lie one after the other, so a row starts anywhere in a word: each gets a word of its own.
// CHECK-LABEL: func.func @rows
// CHECK: %[[p:[a-z0-9_]+]] = itensor.pack %{{.*}} strides [60, 15, 15, 1] offset 0 lanes 15 : tensor<12x15xf32> -> tensor<3x4x1x16xf32>
// CHECK: dataflow.kernel "k"(%[[p]])
// CHECK: itensor.from_tensor %{{.*}} packed lanes 15 {dataflow.lanes = array<i64: 15>} : tensor<3x4x1x16xf32>
// CHECK: itensor.to_tensor %{{.*}} packed lanes 15 : {{.*}} -> tensor<3x4x1x16xf32>
// CHECK: itensor.unpack %{{.*}} strides [60, 15, 15, 1] lanes 15 : tensor<3x4x1x16xf32> -> tensor<12x15xf32>
// A word of 256 bits holds 5 of them at most.
// NARROW-LABEL: func.func @rows
// NARROW: itensor.pack %{{.*}} strides [60, 15, 5, 1] offset 0 lanes 5 : tensor<12x15xf32> -> tensor<3x4x3x8xf32>
func.func @rows(%x: tensor<12x15xf32>) -> tensor<12x15xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<12x15xf32>) -> tensor<12x15xf32> {
  ^bb0(%t: tensor<12x15xf32>):
    %s = itensor.from_tensor %t {dataflow.lanes = array<i64: 15>} : tensor<12x15xf32> -> !odd
    %y = itensor.to_tensor %s : !odd -> tensor<12x15xf32>
    dataflow.yield %y : tensor<12x15xf32>
  }
  return %k : tensor<12x15xf32>
}

// What is packed already is packed once, in words.
// CHECK-LABEL: func.func @tiles
// CHECK-COUNT-1: itensor.pack %{{.*}} strides [80, 10, 20, 5, 1] offset 0 lanes 5 : tensor<12x20xf32> -> tensor<3x2x4x2x8xf32>
// CHECK-NOT: itensor.pack
// CHECK-COUNT-1: itensor.unpack %{{.*}} strides [80, 10, 20, 5, 1] lanes 5 : tensor<3x2x4x2x8xf32> -> tensor<12x20xf32>
// CHECK-NOT: itensor.unpack
// CHECK: return
func.func @tiles(%x: tensor<12x20xf32>) -> tensor<12x20xf32> {
  %p = itensor.pack %x strides [80, 10, 20, 1] offset 0 : tensor<12x20xf32> -> tensor<3x2x4x10xf32>
  %k = dataflow.kernel "k"(%p) : (tensor<3x2x4x10xf32>) -> tensor<3x2x4x10xf32> {
  ^bb0(%t: tensor<3x2x4x10xf32>):
    %s = itensor.from_tensor %t packed {dataflow.lanes = array<i64: 5>} : tensor<3x2x4x10xf32> -> !tiles
    %y = itensor.to_tensor %s packed : !tiles -> tensor<3x2x4x10xf32>
    dataflow.yield %y : tensor<3x2x4x10xf32>
  }
  %u = itensor.unpack %k strides [80, 10, 20, 1] : tensor<3x2x4x10xf32> -> tensor<12x20xf32>
  return %u : tensor<12x20xf32>
}

// Powers of two fill words.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: pack
// CHECK: return
func.func @whole(%x: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<12x16xf32>) -> tensor<12x16xf32> {
  ^bb0(%t: tensor<12x16xf32>):
    %s = itensor.from_tensor %t {dataflow.lanes = array<i64: 16>} : tensor<12x16xf32> -> !even
    %y = itensor.to_tensor %s : !even -> tensor<12x16xf32>
    dataflow.yield %y : tensor<12x16xf32>
  }
  return %k : tensor<12x16xf32>
}

// A part that starts inside of a word is moved to the start of one.
// CHECK-LABEL: func.func @offset
// CHECK: itensor.pack %{{.*}} strides [16, 16, 1] offset 3 lanes 16 : tensor<48xf32> -> tensor<2x1x16xf32>
func.func @offset(%x: tensor<48xf32>) -> tensor<32xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<48xf32>) -> tensor<32xf32> {
  ^bb0(%t: tensor<48xf32>):
    %s = itensor.from_tensor %t offsets [3] {dataflow.lanes = array<i64: 16>} : tensor<48xf32> -> !part
    %y = itensor.to_tensor %s : !part -> tensor<32xf32>
    dataflow.yield %y : tensor<32xf32>
  }
  return %k : tensor<32xf32>
}

// Vectors of 20 floats exceed 512 bits: two words of 10 each.
// CHECK-LABEL: func.func @wide
// CHECK: itensor.pack %{{.*}} strides [20, 20, 10, 1] offset 0 lanes 10 : tensor<12x20xf32> -> tensor<12x1x2x16xf32>
func.func @wide(%x: tensor<12x20xf32>) -> tensor<12x20xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<12x20xf32>) -> tensor<12x20xf32> {
  ^bb0(%t: tensor<12x20xf32>):
    %s = itensor.from_tensor %t {dataflow.lanes = array<i64: 20>} : tensor<12x20xf32> -> !wide
    %y = itensor.to_tensor %s : !wide -> tensor<12x20xf32>
    dataflow.yield %y : tensor<12x20xf32>
  }
  return %k : tensor<12x20xf32>
}

// Between kernels the vectors are those that both have in common.
// CHECK-LABEL: func.func @between
// CHECK: itensor.to_tensor %{{.*}} packed lanes 5 : {{.*}} -> tensor<3x4x3x8xf32>
// CHECK-NOT: itensor.{{(un)?}}pack
// CHECK: itensor.from_tensor %{{.*}} packed lanes 5 {{.*}} : tensor<3x4x3x8xf32>
func.func @between(%x: tensor<12x15xf32>) -> tensor<12x15xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<12x15xf32>) -> tensor<12x15xf32> {
  ^bb0(%t: tensor<12x15xf32>):
    %s = itensor.from_tensor %t {dataflow.lanes = array<i64: 15>} : tensor<12x15xf32> -> !odd
    %y = itensor.to_tensor %s : !odd -> tensor<12x15xf32>
    dataflow.yield %y : tensor<12x15xf32>
  }
  %l = dataflow.kernel "l"(%k) : (tensor<12x15xf32>) -> tensor<12x15xf32> {
  ^bb0(%t: tensor<12x15xf32>):
    %s = itensor.from_tensor %t {dataflow.lanes = array<i64: 5>} : tensor<12x15xf32> -> !odd
    %y = itensor.to_tensor %s : !odd -> tensor<12x15xf32>
    dataflow.yield %y : tensor<12x15xf32>
  }
  return %l : tensor<12x15xf32>
}
