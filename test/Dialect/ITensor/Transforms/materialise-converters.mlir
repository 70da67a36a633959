// RUN: streamtensor-opt %s --streamtensor-materialise --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-materialise=converter-rule=paper --verify-roundtrip | FileCheck %s --check-prefix=PAPER

!by_column = !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
!again = !itensor.itensor<4x2xf32, iter_space: [4, 2, 2] * [2, 1, 4], iter_map: (d0, d1, d2) -> (d2, d0)>
!by_row = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!halves = !itensor.itensor<2x4xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
!tall = !itensor.itensor<4x8xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
!thin_pairs = !itensor.itensor<2x8xf32, iter_space: [2, 2] * [4, 2], iter_map: (d0, d1) -> (d0 + d1, 0)>
!thin = !itensor.itensor<2x8xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0, 0)>

// Columns of two tiles are sent twice: a repeat buffer holds one column, and at equal speed of
// both sides no converter could hold less. The paper's rule holds two columns.
// CHECK-LABEL: func.func @shares_one_loop
// CHECK: itensor.converter {{.*}} through <repeat_buffer shared 1 box [8, 2] blocks 1 minimum 16 ahead 8>
// PAPER-LABEL: func.func @shares_one_loop
// PAPER: itensor.converter {{.*}} through <ping_pong shared 1 box [8, 2] blocks 2 minimum 16>
func.func @shares_one_loop(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !by_column
    %c = itensor.converter %s : !by_column to !again
    %y = itensor.to_tensor %s : !by_column -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}

// Nothing is shared: the whole tensor is held, once, as nothing comes after it.
// CHECK-LABEL: func.func @shares_nothing
// CHECK: itensor.converter {{.*}} through <single_buffer shared 0 box [8, 8] blocks 1 minimum 32>
// PAPER-LABEL: func.func @shares_nothing
// PAPER: ping_pong shared {{[0-9]+}} box [8, 8] blocks 2
func.func @shares_nothing(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !by_column
    %c = itensor.converter %s : !by_column to !by_row
    %y = itensor.to_tensor %c : !by_row -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}

// Tokens of 4 whole rows become tokens of 2 half rows: both nests are refined to share the loop
// over 4 rows, and a cast leads back to the type that the reader wants.
// CHECK-LABEL: func.func @refines
// CHECK: %[[c:[a-z0-9_]+]] = itensor.converter {{.*}} through <ping_pong shared 1 box [4, 8] blocks 2 minimum 32> : <4x8xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)> to <2x4xf32, iter_space: [2, 2, 2] * [4, 2, 4], iter_map: (d0, d1, d2) -> (d0 + d1, d2)>
// CHECK: %[[back:[a-z0-9_]+]] = itensor.cast %[[c]] : {{.*}} to <2x4xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d0, d1)>
// CHECK: itensor.to_tensor %[[back]]
func.func @refines(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !tall
    %c = itensor.converter %s : !tall to !halves
    %y = itensor.to_tensor %c : !halves -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}

// Tokens of 4 whole rows become tokens of 2: the elements come in the same order, so a FIFO will do.
// CHECK-LABEL: func.func @recuts
// CHECK: itensor.converter {{.*}} through <fifo shared 1 box [4, 8] blocks 0 minimum 32>
func.func @recuts(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !tall
    %c = itensor.converter %s : !tall to !thin
    %y = itensor.to_tensor %c : !thin -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}

// Another spelling of the same order needs no buffer.
// CHECK-LABEL: func.func @spelling
// CHECK-NOT: itensor.converter
// CHECK: return
func.func @spelling(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !thin
    %c = itensor.converter %s : !thin to !thin_pairs
    %y = itensor.to_tensor %c : !thin_pairs -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}
