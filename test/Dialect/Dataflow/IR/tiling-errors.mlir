// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics

// Choices of the tiling space that break a law, each named, with what is possible instead.

// expected-error @below {{[tiling.order] 'order' has 2 numbers, one per loop makes 3}}
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 1], unroll = [1, 1, 1]>

// -----

// expected-error @below {{[tiling.unroll] 'unroll' has 1 numbers, one per loop makes 3}}
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 1, 2], unroll = [1]>

// -----

// expected-error @below {{[tiling.tile] 'tile' is 0 for loop 1; a tile has at least 1 element}}
#choice = #dataflow.tiling<tile = [4, 0, 8], order = [0, 1, 2], unroll = [1, 1, 1]>

// -----

// expected-error @below {{[tiling.order] 'order' is [0, 2, 2], which is no order of the loops; it names each of 0 to 2 once}}
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 2, 2], unroll = [1, 1, 1]>

// -----

// expected-error @below {{[tiling.unroll] 'unroll' is 3 for loop 1, which does not divide the tile 8; it can be 1, 2, 4, 8}}
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 1, 2], unroll = [1, 3, 1]>

// -----

// expected-error @below {{[tiling.vector] 'vector' is 0; a FIFO has at least 1 lane}}
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 1, 2], unroll = [1, 1, 1], vector = [0]>

// -----

// expected-error @below {{[sums.points] 'points' orders the loops}}
#choice = #dataflow.sums<loops = [], points = [0, 1], lanes = [1, 1, 1], trees = [], banks = [1]>

// -----

// expected-error @below {{[sums.loops] 'loops' counts tile loops}}
#choice = #dataflow.sums<loops = [-1], points = [0, 1, 2], lanes = [1, 1, 1], trees = [], banks = [1, 1]>

// -----

// expected-error @below {{[sums.count] 'lanes' and 'banks' are at least 1}}
#choice = #dataflow.sums<loops = [], points = [0, 1, 2], lanes = [1, 1, 1], trees = [], banks = [0]>

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [1, 1]>
func.func @tiles(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[tiling.tile] 'tile' has 2 numbers, one per loop makes 3}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.tiling = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.tiling<tile = [4, 7, 8], order = [0, 1, 2], unroll = [1, 1, 1]>
func.func @divides(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[tiling.tile] 'tile' is 7 for loop 1, which does not divide the extent 16; it can be 1, 2, 4, 8, 16}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.tiling = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.tiling<tile = [4, 32, 8], order = [0, 1, 2], unroll = [1, 1, 1]>
func.func @exceeds(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[tiling.tile] 'tile' is 32 for loop 1, which does not divide the extent 16}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.tiling = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 1, 2], unroll = [1, 1, 1], vector = [4, 4]>
func.func @vectors(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[tiling.vector] 'vector' has 2 numbers, one per result makes 1}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.tiling = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.tiling<tile = [4, 8, 8], order = [0, 1, 2], unroll = [1, 1, 1], vector = [16]>
func.func @row(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[tiling.vector] 'vector' is 16 for result 0, whose tile has rows of 8; it can be 1, 2, 4, 8}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.tiling = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.sums<loops = [], points = [0, 1], lanes = [1, 1], trees = [], banks = [1]>
func.func @sum_loops(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[sums.points] 'points' and 'lanes' have a number per loop: 3}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.sums = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.sums<loops = [], points = [0, 1, 2], lanes = [1, 3, 1], trees = [], banks = [1]>
func.func @sum_lanes(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[sums.lanes] 3 lanes do not divide 16 points}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.sums = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.sums<loops = [], points = [0, 1, 2], lanes = [1, 1, 1], trees = [1], banks = [1]>
func.func @sum_trees(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[sums.trees] loop 1 is no reduction: no tree adds its lanes}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.sums = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
#choice = #dataflow.sums<loops = [0], points = [0, 1, 2], lanes = [1, 1, 1], trees = [], banks = [1]>
func.func @sum_banks(%x: tensor<4x24xf32>, %w: tensor<24x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{[sums.banks] 'banks' has a number for each tile loop and each point loop over the reduction}}
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x24xf32>, tensor<24x16xf32>) outs(%f : tensor<4x16xf32>) attrs = {dataflow.sums = #choice} {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @place() {
  // expected-error @below {{[tiling.place] 'dataflow.tiling' is a #dataflow.tiling<...> of a linalg.generic}}
  %c = arith.constant {dataflow.tiling = #dataflow.tiling<tile = [], order = [], unroll = []>} 0 : index
  return
}

// -----

func.func @sums_place() {
  // expected-error @below {{[sums.place] 'dataflow.sums' is a #dataflow.sums<...> of a linalg.generic that reduces}}
  %c = arith.constant {dataflow.sums = 4 : i64} 0 : index
  return
}

// -----

func.func @lanes_count() {
  // expected-error @below {{[lanes.count] 'dataflow.lanes' has a number for each itensor that the operation gives: 0}}
  %c = arith.constant {dataflow.lanes = array<i64: 4>} 0 : index
  return
}

// -----

func.func @least_place() {
  // expected-error @below {{[least.place] 'dataflow.least' has a number for each loop of a linalg.generic}}
  %c = arith.constant {dataflow.least = array<i64: 4>} 0 : index
  return
}

// -----

#id = affine_map<(i) -> (i)>

func.func @least_count(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{[least.count] is 9 for loop 0; it can be 1 to 8}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) attrs = {dataflow.least = array<i64: 9>} {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// expected-error @below {{[token.inputs] 'dataflow.token_inputs' is a positive number, on a function}}
func.func @none() attributes {dataflow.token_inputs = 0 : i64} {
  return
}

// -----

// expected-error @below {{[odd.factor] 'dataflow.odd' is two odd numbers, on a function: for rows of tensors in memory the second}}
func.func @even() attributes {dataflow.odd = array<i64: 12, 1>} {
  return
}

// -----

// expected-error @below {{[padded.extents] 'dataflow.padded' is a list of extents, on a function}}
func.func @none() attributes {dataflow.padded = array<i64: 16, 0>} {
  return
}
