// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=32" | FileCheck %s
// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=24" | FileCheck %s --check-prefix=UNEVEN

// y = A x and z = A^T y: with the rows of A outermost in both, z takes each part of y as it comes, and A in the order in
// which y does. For that z keeps its 32 sums (a row of tiles). Lanes lie along rows of A in both.

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// 24 lanes are 16 and 8, of which both have 8: the other would wait.
// UNEVEN-LABEL: func.func @along
// UNEVEN: tile = [16, 16], order = [0, 1], unroll = [1, 8]
// UNEVEN: tile = [16, 16], order = [1, 0], unroll = [8, 1]

// CHECK-LABEL: func.func @along
// CHECK: tile = [16, 16], order = [0, 1], unroll = [1, 16]
// CHECK: tile = [16, 16], order = [1, 0], unroll = [16, 1]
func.func @along(%a: tensor<64x32xf32>, %x: tensor<32xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<64x32xf32>, tensor<32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %g = tensor.empty() : tensor<32xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<32xf32>) -> tensor<32xf32>
  %z = linalg.generic {indexing_maps = [#columns, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %y : tensor<64x32xf32>, tensor<64xf32>) outs(%h : tensor<32xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  return %z : tensor<32xf32>
}

// -----

// y = A x and z = A y: in whatever order, z wants all of y before it takes more than a part of A, so A would have to be
// held. It is read twice, and both orders stay as they are.

#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @after
// CHECK: order = [0, 1]
// CHECK: order = [0, 1]
func.func @after(%a: tensor<64x64xf32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %z = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %y : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %z : tensor<64xf32>
}

// -----

// What is made at the end, of sums that come all at once, has so many lanes that it takes a 16th of the product's time:
// 64 elements behind 512 iterations of 16 lanes take 32.

#columns = affine_map<(i, j) -> (j, i)>
#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @last
// CHECK: order = [0, 1], unroll = [1, 16]
// CHECK: order = [1, 0], unroll = [16, 1]
// CHECK: tile = [16], order = [0], unroll = [2]
func.func @last(%a: tensor<128x64xf32>, %p: tensor<64xf32>, %r: tensor<128xf32>) -> (tensor<128xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %p : tensor<128x64xf32>, tensor<64xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%l: f32, %r0: f32, %out: f32):
    %m = arith.mulf %l, %r0 : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %g = tensor.empty() : tensor<64xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<64xf32>) -> tensor<64xf32>
  %z = linalg.generic {indexing_maps = [#columns, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %r : tensor<128x64xf32>, tensor<128xf32>) outs(%h : tensor<64xf32>) {
  ^bb0(%l: f32, %r0: f32, %out: f32):
    %m = arith.mulf %l, %r0 : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : tensor<64xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = arith.negf %l : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %y, %n : tensor<128xf32>, tensor<64xf32>
}
