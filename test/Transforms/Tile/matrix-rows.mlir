// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="unroll=1024" | FileCheck %s
// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="unroll=256" | FileCheck %s --check-prefix=FEW
// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling | FileCheck %s --check-prefix=DIE
// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-pad-extents | FileCheck %s --check-prefix=PAD

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// Of 32 masters the vector and the result leave 30 for the matrix: 390 rows are 13 times 30. With 256 lanes 16 rows
// could be multiplied; 15 is the next divisor. So it is with the lanes of a die,
// which are fewer than 26 times 16.
// CHECK-LABEL: func.func @one
// CHECK: tile = [30, 16], order = [0, 1], unroll = [30, 16]
// DIE-LABEL: func.func @one
// DIE: tile = [15, 16], order = [0, 1], unroll = [15, 16]
// FEW-LABEL: func.func @one
// FEW: tile = [15, 16], order = [0, 1], unroll = [15, 16]
func.func @one(%a: tensor<390x416xf32>, %x: tensor<416xf32>) -> tensor<390xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<390xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<390xf32>) -> tensor<390xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<390x416xf32>, tensor<416xf32>) outs(%f : tensor<390xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<390xf32>
  return %y : tensor<390xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// Two matrices that are needed at the same time, the vector for each of them, and two results: 14 rows of each. 250 rows
// are 18 times 14 with two more, and not 256, of which 8 would come at once.
// CHECK-LABEL: func.func @beside
// CHECK: tile = [10, 16]
// CHECK: tile = [10, 16]
// PAD-LABEL: func.func @beside
// PAD: linalg.generic {{.*}} ins({{.*}} : tensor<252x256xf32>
// PAD: linalg.generic {{.*}} ins({{.*}} : tensor<252x256xf32>
func.func @beside(%a: tensor<250x256xf32>, %b: tensor<250x256xf32>, %x: tensor<256xf32>) -> (tensor<250xf32>, tensor<250xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<250xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<250xf32>) -> tensor<250xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<250x256xf32>, tensor<256xf32>) outs(%f : tensor<250xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<250xf32>
  %z = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%b, %x : tensor<250x256xf32>, tensor<256xf32>) outs(%f : tensor<250xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<250xf32>
  return %y, %z : tensor<250xf32>, tensor<250xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// The second matrix is needed when the first has passed: it may have all masters but two. What rows of the first give
// lies along rows of the second, in words.
// CHECK-LABEL: func.func @chain
// CHECK: tile = [16, 16]
// CHECK: tile = [30, 16]
func.func @chain(%a: tensor<240x64xf32>, %b: tensor<60x240xf32>, %x: tensor<64xf32>) -> tensor<60xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<240xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<240xf32>) -> tensor<240xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<240x64xf32>, tensor<64xf32>) outs(%f : tensor<240xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<240xf32>
  %g = tensor.empty() : tensor<60xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<60xf32>) -> tensor<60xf32>
  %z = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%b, %y : tensor<60x240xf32>, tensor<240xf32>) outs(%h : tensor<60xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<60xf32>
  return %z : tensor<60xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// A p and A^T r with one read of A, 25 rows at once. 25 elements of r are two words: with the rows outermost they come
// once, with the columns once for each of these. (Sums of the second product would be 9 elements fewer.)
// CHECK-LABEL: func.func @shared
// CHECK: tile = [25, 16], order = [0, 1]
// CHECK: tile = [16, 25], order = [1, 0]
func.func @shared(%a: tensor<400x400xf32>, %p: tensor<400xf32>, %r: tensor<400xf32>) -> (tensor<400xf32>, tensor<400xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<400xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<400xf32>) -> tensor<400xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %p : tensor<400x400xf32>, tensor<400xf32>) outs(%f : tensor<400xf32>) {
  ^bb0(%l: f32, %s: f32, %out: f32):
    %m = arith.mulf %l, %s : f32
    %t = arith.addf %m, %out : f32
    linalg.yield %t : f32
  } -> tensor<400xf32>
  %z = linalg.generic {indexing_maps = [#columns, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %r : tensor<400x400xf32>, tensor<400xf32>) outs(%f : tensor<400xf32>) {
  ^bb0(%l: f32, %s: f32, %out: f32):
    %m = arith.mulf %l, %s : f32
    %t = arith.addf %m, %out : f32
    linalg.yield %t : f32
  } -> tensor<400xf32>
  return %y, %z : tensor<400xf32>, tensor<400xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// 256 lanes multiply 16 rows, which 16 channels bring in 1.2 cycles. 15 rows come in one, in halves of words over 30.
// FEW-LABEL: func.func @halves
// FEW: tile = [15, 16], order = [0, 1], unroll = [15, 16]
func.func @halves(%a: tensor<480x416xf32>, %x: tensor<416xf32>) -> tensor<480xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<480xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<480xf32>) -> tensor<480xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<480x416xf32>, tensor<416xf32>) outs(%f : tensor<480xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<480xf32>
  return %y : tensor<480xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// 10 is the largest number of at most 15 that divides 400, and fewer rows than 16 channels bring.
// FEW-LABEL: func.func @whole
// FEW: tile = [16, 16], order = [0, 1], unroll = [16, 16]
func.func @whole(%a: tensor<400x416xf32>, %x: tensor<416xf32>) -> tensor<400xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<400xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<400xf32>) -> tensor<400xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<400x416xf32>, tensor<416xf32>) outs(%f : tensor<400xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<400xf32>
  return %y : tensor<400xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// What ranks the results (how many are larger) compares and multiplies nothing: the matrix comes as if it stood alone.
// CHECK-LABEL: func.func @ranked
// CHECK: tile = [30, 16], order = [0, 1], unroll = [30, 16]
func.func @ranked(%a: tensor<390x416xf32>, %x: tensor<416xf32>) -> tensor<390xi32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %e = tensor.empty() : tensor<390xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<390xf32>) -> tensor<390xf32>
  %y = linalg.generic {indexing_maps = [#rows, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<390x416xf32>, tensor<416xf32>) outs(%f : tensor<390xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %m, %out : f32
    linalg.yield %s : f32
  } -> tensor<390xf32>
  %er = tensor.empty() : tensor<390xi32>
  %fr = linalg.fill ins(%none : i32) outs(%er : tensor<390xi32>) -> tensor<390xi32>
  %ranks = linalg.generic {indexing_maps = [#i, #j, #i], iterator_types = ["parallel", "reduction"]} ins(%y, %y : tensor<390xf32>, tensor<390xf32>) outs(%fr : tensor<390xi32>) {
  ^bb0(%l: f32, %r: f32, %out: i32):
    %is_larger = arith.cmpf ogt, %r, %l : f32
    %one = arith.extui %is_larger : i1 to i32
    %s = arith.addi %out, %one : i32
    linalg.yield %s : i32
  } -> tensor<390xi32>
  return %ranks : tensor<390xi32>
}
