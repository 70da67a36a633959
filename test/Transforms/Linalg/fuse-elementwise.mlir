// RUN: streamtensor-opt %s --streamtensor-fuse-elementwise --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// A diamond of elementwise operations becomes one.

// CHECK-LABEL: func.func @diamond
// CHECK-COUNT-1: linalg.generic
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @diamond(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %empty = tensor.empty() : tensor<4x6xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = arith.negf %in : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %z : tensor<4x6xf32>, tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// rsqrt per row stays apart from its broadcast, exp apart from the sum and from
// its second reader.

// CHECK-LABEL: func.func @no_repeated_work
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: math.rsqrt
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK-NOT: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK-NOT: math.exp
// CHECK: return
func.func @no_repeated_work(%x: tensor<4x6xf32>, %v: tensor<4xf32>, %init: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x6xf32>) {
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]} ins(%v : tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x6xf32>, tensor<4xf32>) outs(%e2 : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %r = math.exp %m : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %sum : tensor<4x6xf32>, tensor<4xf32>) outs(%e2 : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4x6xf32>
  return %sum, %q : tensor<4xf32>, tensor<4x6xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mask = affine_map<(d0, d1, d2) -> (d1, d2)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// A causal mask is a function of indices: it joins its reader, although that
// broadcasts it.

// CHECK-LABEL: func.func @causal_mask
// CHECK-COUNT-1: linalg.generic
// CHECK-DAG: %[[I:.*]] = linalg.index 1
// CHECK-DAG: %[[J:.*]] = linalg.index 2
// CHECK: arith.cmpi ule, %[[J]], %[[I]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @causal_mask(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %e0 = tensor.empty() : tensor<4x4xf32>
  %e1 = tensor.empty() : tensor<2x4x4xf32>
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %m = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e0 : tensor<4x4xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 1 : index
    %i = linalg.index 0 : index
    %c = arith.cmpi ule, %j, %i : index
    %s = arith.select %c, %zero, %inf : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<2x4x4xf32>, tensor<4x4xf32>) outs(%e1 : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4xf32>
  return %r : tensor<2x4x4xf32>
}

// A body that is the identity once its scalars are simplified is no operation.
// CHECK-LABEL: func.func @negated_twice
// CHECK-SAME: (%[[X:.*]]: tensor<3xi64>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[X]]
func.func @negated_twice(%x: tensor<3xi64>) -> tensor<3xi64> {
  %empty = tensor.empty() : tensor<3xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xi64>) outs(%empty : tensor<3xi64>) {
  ^bb0(%i: i64, %o: i64):
    %zero = arith.constant 0 : i64
    %negative = arith.subi %zero, %i : i64
    %positive = arith.subi %zero, %negative : i64
    linalg.yield %positive : i64
  } -> tensor<3xi64>
  return %y : tensor<3xi64>
}

// -----

#gmn = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#nmg = affine_map<(d0, d1, d2) -> (d2, d1, d0)>
#ng = affine_map<(d0, d1, d2) -> (d0, d2)>
#nm = affine_map<(d0, d1, d2) -> (d0, d1)>

// A conversion joins the sum that reads each element once.

// CHECK-LABEL: func.func @scaled_sums
// CHECK-NOT: linalg.generic
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<2x4x8xi32>, tensor<8x2xf32>) outs(%{{.+}} : tensor<8x4xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.sitofp %{{.+}} : i32 to f32
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @scaled_sums(%sums: tensor<2x4x8xi32>, %scales: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.generic {indexing_maps = [#gmn, #gmn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<2x4x8xi32>) outs(%e : tensor<2x4x8xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<2x4x8xf32>
  %g = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%g : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [#nmg, #ng, #nm], iterator_types = ["parallel", "parallel", "reduction"]} ins(%f, %scales : tensor<2x4x8xf32>, tensor<8x2xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

#ab = affine_map<(d0, d1) -> (d0, d1)>
#a = affine_map<(d0, d1) -> (d0)>
#b = affine_map<(d0, d1) -> (d1)>

// A product of a matrix and a vector, written as many products and their sum, is one operation.

// CHECK-LABEL: func.func @matrix_times_vector
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.+}}, %{{.+}} : tensor<4x8xf32>, tensor<8xf32>)
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @matrix_times_vector(%m: tensor<4x8xf32>, %v: tensor<8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.generic {indexing_maps = [#ab, #b, #ab], iterator_types = ["parallel", "parallel"]} ins(%m, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %n = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%n : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.addf %x, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#ab = affine_map<(d0, d1) -> (d0, d1)>
#a = affine_map<(d0, d1) -> (d0)>

// A sum of squares has no second tensor: it stays a sum, as wide as its row.

// CHECK-LABEL: func.func @sum_of_squares
// CHECK: arith.mulf
// CHECK-NEXT: linalg.yield
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
func.func @sum_of_squares(%m: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.generic {indexing_maps = [#ab, #ab], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.mulf %x, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %n = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%n : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.addf %x, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#gto = affine_map<(g, t, o) -> (g, t, o)>
#tg = affine_map<(g, t, o) -> (t, g)>
#sum = affine_map<(o, t, g) -> (g, t, o)>
#og = affine_map<(o, t, g) -> (o, g)>
#to = affine_map<(o, t, g) -> (t, o)>

// Sums of groups meet the scale of the token's group and that of the weight's in one operation.

// CHECK-LABEL: func.func @scales
// CHECK-COUNT-1: linalg.generic
// CHECK: %[[FLOAT:.*]] = arith.sitofp
// CHECK: %[[ONE:.*]] = arith.mulf %[[FLOAT]]
// CHECK: %[[BOTH:.*]] = arith.mulf %[[ONE]]
// CHECK: arith.addf %{{.*}}, %[[BOTH]]
// CHECK-NOT: linalg.generic
func.func @scales(%sums: tensor<8x4x32xi32>, %token: tensor<4x8xf32>, %weight: tensor<32x8xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4x32xf32>
  %p = linalg.generic {indexing_maps = [#gto, #tg, #gto], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums, %token : tensor<8x4x32xi32>, tensor<4x8xf32>) outs(%e : tensor<8x4x32xf32>) {
  ^bb0(%x: i32, %y: f32, %out: f32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.mulf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<8x4x32xf32>
  %n = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%n : tensor<4x32xf32>) -> tensor<4x32xf32>
  %r = linalg.generic {indexing_maps = [#sum, #og, #to], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %weight : tensor<8x4x32xf32>, tensor<32x8xf32>) outs(%init : tensor<4x32xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

#a = affine_map<(a, b) -> (a)>
#b = affine_map<(a, b) -> (b)>
#ab = affine_map<(a, b) -> (a, b)>

// Each element is compared with each other one: comparisons and their sum are one operation, which has
// lanes along both loops. Who is earlier follows from the indices and joins it.

// CHECK-LABEL: func.func @ranks
// CHECK-COUNT-1: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<8xf32>)
// CHECK-DAG: linalg.index 0
// CHECK-DAG: linalg.index 1
// CHECK-DAG: arith.cmpf olt
// CHECK: arith.addi
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @ranks(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x8xi1>
  %earlier = linalg.generic {indexing_maps = [#ab], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xi1>) {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.cmpi ult, %i, %j : index
    linalg.yield %0 : i1
  } -> tensor<4x8xi1>
  %before = linalg.generic {indexing_maps = [#a, #b, #ab, #ab], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %earlier : tensor<4xf32>, tensor<8xf32>, tensor<4x8xi1>) outs(%e : tensor<4x8xi1>) {
  ^bb0(%this: f32, %other: f32, %first: i1, %out: i1):
    %0 = arith.cmpf olt, %other, %this : f32
    %1 = arith.ori %0, %first : i1
    linalg.yield %1 : i1
  } -> tensor<4x8xi1>
  %n = tensor.empty() : tensor<4xi32>
  %init = linalg.fill ins(%zero : i32) outs(%n : tensor<4xi32>) -> tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%before : tensor<4x8xi1>) outs(%init : tensor<4xi32>) {
  ^bb0(%in: i1, %out: i32):
    %0 = arith.extui %in : i1 to i32
    %1 = arith.addi %out, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

#b = affine_map<(a, b) -> (b)>
#a = affine_map<(a, b) -> (a)>
#ab = affine_map<(a, b) -> (a, b)>

// What comes element by element sets the pace: its rows are reduced as they come.

// CHECK-LABEL: func.func @distances_to_one
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<4x8xf32>)
func.func @distances_to_one(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#ab, #b, #ab], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%this: f32, %other: f32, %out: f32):
    %0 = arith.subf %this, %other : f32
    %1 = math.absf %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %n = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%n : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
