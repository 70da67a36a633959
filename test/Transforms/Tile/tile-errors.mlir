// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics --streamtensor-tile

// Applying chooses nothing, and takes no choice that the kind of operation does not allow.

#id = affine_map<(i, j) -> (i, j)>

func.func @undecided(%x: tensor<8x16xf32>, %e: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{[tiling.missing] has no #dataflow.tiling; run streamtensor-decide-tiling or streamtensor-read-schedule first}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @across_rows(%x: tensor<8x16xf32>, %e: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{[tiling.unroll] 'unroll' is 2 for loop 0, yet an operation that multiplies nothing up takes its rows as they come; it can be 1 there, and more for loop 1}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [2, 8]>} {
  ^bb0(%v: f32, %o: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// The rows of a reduction are those of its input.

#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

func.func @row_of_the_result(%x: tensor<8x16xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{[tiling.unroll] 'unroll' is 4 for loop 0, yet an operation that multiplies nothing up takes its rows as they come; it can be 1 there, and more for loop 1}}
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [4, 1]>} {
  ^bb0(%v: f32, %o: f32):
    %n = arith.addf %v, %o : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Of the loops of a window one has neighbours.

#window = affine_map<(o, c, k) -> (o + k, c)>
#kernel = affine_map<(o, c, k) -> (k, c)>
#out = affine_map<(o, c, k) -> (o, c)>

func.func @two_loops_of_a_window(%x: tensor<10x8xf32>, %w: tensor<3x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{[tiling.unroll] 'unroll' is 3 for loop 2, along which the elements of a vector are no neighbours; it can be 1 there, and more for loop 0, 1}}
  %r = linalg.generic {indexing_maps = [#window, #kernel, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<10x8xf32>, tensor<3x8xf32>) outs(%e : tensor<8x8xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [8, 8, 3], order = [0, 1, 2], unroll = [2, 1, 3]>} {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %p = arith.mulf %v, %m : f32
    %n = arith.addf %p, %o : f32
    linalg.yield %n : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
