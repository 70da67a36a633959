// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=64" --split-input-file | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=64 unroll=2" --split-input-file | FileCheck %s --check-prefix=GIVEN
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=64 lane-share=6" --split-input-file | FileCheck %s --check-prefix=FEW
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 lane-share=1" --split-input-file | FileCheck %s --check-prefix=CHEAP

// A row of 1024 passes twice, to be summed up and to be scaled, in front of a product that takes 8192 cycles whatever
// they do. The three operations have one number of lanes. 32 lanes save 2 x 16 of the 2 x 32 cycles that 32 leave,
// less than filling a pipeline takes (48). A budget that the user gives is spent on products.

#row = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
#A = affine_map<(n, k) -> (k)>
#B = affine_map<(n, k) -> (n, k)>
#C = affine_map<(n, k) -> (n)>

// CHECK-LABEL: func.func @norm
// CHECK-COUNT-3: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [32]
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [64, 4]
// GIVEN-LABEL: func.func @norm
// GIVEN-COUNT-3: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1]
func.func @norm(%x: tensor<1024xf32>, %w: tensor<2048x1024xf32>) -> tensor<2048xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %n = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = arith.negf %l : f32
    linalg.yield %m : f32
  } -> tensor<1024xf32>
  %s = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["reduction"]} ins(%n : tensor<1024xf32>) outs(%f : tensor<f32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  %scaled = linalg.generic {indexing_maps = [#row, #all, #row], iterator_types = ["parallel"]} ins(%n, %sum : tensor<1024xf32>, tensor<f32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<1024xf32>
  %c = tensor.empty() : tensor<2048xf32>
  %g = linalg.fill ins(%zero : f32) outs(%c : tensor<2048xf32>) -> tensor<2048xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "reduction"]} ins(%scaled, %w : tensor<1024xf32>, tensor<2048x1024xf32>) outs(%g : tensor<2048xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s2 = arith.addf %acc, %p : f32
    linalg.yield %s2 : f32
  } -> tensor<2048xf32>
  return %r : tensor<2048xf32>
}

// -----

// This product takes the row once, as its other loop is one tile, so nothing stands between that could change the lanes.

#A = affine_map<(n, k) -> (k)>
#B = affine_map<(n, k) -> (n, k)>
#C = affine_map<(n, k) -> (n)>
#row = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @reader
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [[[LANES:[0-9]+]]]
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [{{[0-9]+}}, [[LANES]]]
func.func @reader(%x: tensor<1024xf32>, %w: tensor<64x1024xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %n = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = arith.negf %l : f32
    linalg.yield %m : f32
  } -> tensor<1024xf32>
  %c = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "reduction"]} ins(%n, %w : tensor<1024xf32>, tensor<64x1024xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// Of 310 DSPs for products the first takes 160, with 64 lanes it would take 320. The second takes 40; more lanes help
// nothing as long as what it reads comes as slowly. What is left goes to the row: 32 lanes of 5 DSPs, where the part of
// rows alone, 0.84 % of 6228 DSPs, gives 8.

#row = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
#A = affine_map<(n, k) -> (k)>
#B = affine_map<(n, k) -> (n, k)>
#C = affine_map<(n, k) -> (n)>

// FEW-LABEL: func.func @two_products
// FEW-COUNT-3: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [32]
// FEW: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [32, 1]
// FEW: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [8, 1]
func.func @two_products(%x: tensor<1024xf32>, %w: tensor<2048x1024xf32>, %v: tensor<256x2048xf32>) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %n = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = arith.negf %l : f32
    linalg.yield %m : f32
  } -> tensor<1024xf32>
  %s = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["reduction"]} ins(%n : tensor<1024xf32>) outs(%f : tensor<f32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<f32>
  %scaled = linalg.generic {indexing_maps = [#row, #all, #row], iterator_types = ["parallel"]} ins(%n, %sum : tensor<1024xf32>, tensor<f32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<1024xf32>
  %c = tensor.empty() : tensor<2048xf32>
  %g = linalg.fill ins(%zero : f32) outs(%c : tensor<2048xf32>) -> tensor<2048xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "reduction"]} ins(%scaled, %w : tensor<1024xf32>, tensor<2048x1024xf32>) outs(%g : tensor<2048xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s2 = arith.addf %acc, %p : f32
    linalg.yield %s2 : f32
  } -> tensor<2048xf32>
  %d = tensor.empty() : tensor<256xf32>
  %h = linalg.fill ins(%zero : f32) outs(%d : tensor<256xf32>) -> tensor<256xf32>
  %q = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "reduction"]} ins(%r, %v : tensor<2048xf32>, tensor<256x2048xf32>) outs(%h : tensor<256xf32>) {
  ^bb0(%l: f32, %r2: f32, %acc: f32):
    %p = arith.mulf %l, %r2 : f32
    %s2 = arith.addf %acc, %p : f32
    linalg.yield %s2 : f32
  } -> tensor<256xf32>
  return %q : tensor<256xf32>
}

// -----

// What a sum over a row of memory gives, one number a token, is no row itself: that a map takes the numbers of all tokens,
// of which a launch may have one, leaves the sum its lanes.

#row = affine_map<(t, i) -> (t, i)>
#sum = affine_map<(t, i) -> (t)>
#id = affine_map<(t) -> (t)>
#A = affine_map<(t, n, k) -> (t, k)>
#B = affine_map<(t, n, k) -> (n, k)>
#C = affine_map<(t, n, k) -> (t, n)>

// CHECK-LABEL: func.func @sum_of_memory
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, {{[2-9]|[0-9][0-9]+}}]
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1]
func.func @sum_of_memory(%x: tensor<4x1024xf32> {streamtensor.extents = ["tokens", ""]}, %w: tensor<2048x1024xf32>) -> tensor<4x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1024xf32>
  %s = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x1024xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<4xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%l: f32, %out: f32):
    %m = arith.negf %l : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %n = linalg.generic {indexing_maps = [#row, #sum, #row], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<4x1024xf32>, tensor<4xf32>) outs(%e : tensor<4x1024xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<4x1024xf32>
  %c = tensor.empty() : tensor<4x2048xf32>
  %g = linalg.fill ins(%zero : f32) outs(%c : tensor<4x2048xf32>) -> tensor<4x2048xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%n, %w : tensor<4x1024xf32>, tensor<2048x1024xf32>) outs(%g : tensor<4x2048xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s2 = arith.addf %acc, %p : f32
    linalg.yield %s2 : f32
  } -> tensor<4x2048xf32>
  return %r : tensor<4x2048xf32>
}

// -----

// A sum of one lane has 16 partial sums, which 15 adders of 2 DSPs add up when a row ends; of two lanes it has 8 and needs 7
// adders, of four 4, as many as it has lanes. Two sums of the same row take 60, 28, 16, and 32 with eight lanes. There are 20
// DSPs, the part of rows and what the product leaves: too few for one lane, but four take less. What scales the row, which
// comes from memory again, has nothing left for a second lane.

#matrix = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>

// CHEAP-LABEL: func.func @sums
// CHEAP-COUNT-2: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 4]
// CHEAP: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1]
func.func @sums(%x: tensor<64x128xf32>, %w: tensor<128x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<64xf32>
  %other = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %a = arith.addf %acc, %l : f32
    linalg.yield %a : f32
  } -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x128xf32>
  %scaled = linalg.generic {indexing_maps = [#matrix, #rows, #rows, #matrix], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %other : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32, %out: f32):
    %a = arith.addf %r, %o : f32
    %p = arith.mulf %l, %a : f32
    linalg.yield %p : f32
  } -> tensor<64x128xf32>
  %c = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scaled, %w : tensor<64x128xf32>, tensor<128x64xf32>) outs(%g : tensor<64x64xf32>) {
  ^bb0(%l: f32, %v: f32, %acc: f32):
    %p = arith.mulf %l, %v : f32
    %a = arith.addf %acc, %p : f32
    linalg.yield %a : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
