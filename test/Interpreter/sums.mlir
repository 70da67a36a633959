// RUN: streamtensor-run %s | FileCheck %s

// Where floats are rounded shows the order of a sum. With 2^24, adding 1 is lost, adding 2 is not.

#in = affine_map<(d0) -> (d0)>
#out = affine_map<(d0) -> ()>

func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) {
  %x = arith.constant dense<[1.6777216e+07, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<6xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %ten = arith.constant dense<10.0> : tensor<f32>

  // Point by point: every 1 is lost.
  // CHECK: result0 tensor<f32> [16777216]
  %r0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} ins(%x : tensor<6xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>

  // Six lanes at once: x0 + x3 (1 is lost), x1 + x4 and x2 + x5; then the first two of these three.
  // CHECK: result1 tensor<f32> [16777220]
  %r1 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} ins(%x : tensor<6xf32>) outs(%zero : tensor<f32>)
      attrs = {dataflow.sums = #dataflow.sums<loops = [], points = [0], lanes = [6], trees = [0], banks = [1]>} {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>

  // Two lanes at a time: 2^24 + 1 is 2^24, then 2 and 2.
  // CHECK: result2 tensor<f32> [16777220]
  %r2 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} ins(%x : tensor<6xf32>) outs(%zero : tensor<f32>)
      attrs = {dataflow.sums = #dataflow.sums<loops = [], points = [0], lanes = [2], trees = [0], banks = [1]>} {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>

  // Three partial sums: 2^24 + 1 (lost), 1 + 1, 1 + 1; a tree of three adds the first two first.
  // CHECK: result3 tensor<f32> [16777220]
  %r3 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} ins(%x : tensor<6xf32>) outs(%zero : tensor<f32>)
      attrs = {dataflow.sums = #dataflow.sums<loops = [], points = [0], lanes = [1], trees = [], banks = [3]>} {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>

  // Tiles of two, two partial sums in turn by the loop over the tiles: only the first starts from 10.
  // It has 10 + 2^24 + 1, rounded up to 2^24 + 12, and two more that are lost; the other has 2.
  // CHECK: result4 tensor<f32> [16777230]
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %r4 = scf.for %i = %c0 to %c6 step %c2 iter_args(%acc = %ten) -> (tensor<f32>) {
    %tile = tensor.extract_slice %x[%i] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %next = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} ins(%tile : tensor<2xf32>) outs(%acc : tensor<f32>)
        attrs = {dataflow.sums = #dataflow.sums<loops = [0], points = [0], lanes = [1], trees = [], banks = [2, 1]>} {
    ^bb0(%in: f32, %a: f32):
      %s = arith.addf %in, %a : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    scf.yield %next : tensor<f32>
  }

  // A body that is more than a sum is carried from point to point.
  // CHECK: result5 tensor<i32> [5]
  %none = arith.constant dense<0> : tensor<i32>
  %r5 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]} ins(%x : tensor<6xf32>) outs(%none : tensor<i32>)
      attrs = {dataflow.sums = #dataflow.sums<loops = [], points = [0], lanes = [1], trees = [], banks = [1]>} {
  ^bb0(%in: f32, %last: i32):
    %index = linalg.index 0 : index
    %here = arith.index_cast %index : index to i32
    %one = arith.constant 1.0 : f32
    %isOne = arith.cmpf oeq, %in, %one : f32
    %next = arith.select %isOne, %here, %last : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>
}
