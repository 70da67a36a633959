// RUN: streamtensor-opt %s --split-input-file --streamtensor-linalg-to-dataflow --verify-roundtrip | FileCheck %s

// Types are read off the loops: an operand that does not use the inner loop holds its
// token (no loop in the type, read outside), one that does not use the outer loop is sent
// again on each of its trips (step 1).

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @scale
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<32x48xf32>, %[[S:[a-z0-9_]+]]: tensor<32xf32>, %[[B:[a-z0-9_]+]]: tensor<48xf32>
// CHECK-NOT: scf.for
// CHECK: %[[kernel:[a-z0-9_]+]] = dataflow.kernel "mlp_scale"(%[[X]], %[[S]], %[[B]])
// CHECK: ^bb0(%[[xt:[a-z0-9_]+]]: tensor<32x48xf32>, %[[st:[a-z0-9_]+]]: tensor<32xf32>, %[[bt:[a-z0-9_]+]]: tensor<48xf32>):
// CHECK: %[[x:[a-z0-9_]+]] = itensor.from_tensor %[[xt]] : tensor<32x48xf32> -> <16x16xf32, iter_space: [2, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
// CHECK: %[[s:[a-z0-9_]+]] = itensor.from_tensor %[[st]] : tensor<32xf32> -> <16xf32, iter_space: [2] * [16], iter_map: (d0) -> (d0)>
// CHECK: %[[b:[a-z0-9_]+]] = itensor.from_tensor %[[bt]] : tensor<48xf32> -> <16xf32, iter_space: [2, 3] * [1, 16], iter_map: (d0, d1) -> (d1)>
// CHECK: %[[d:[a-z0-9_]+]] = itensor.instance : <16x16xf32, iter_space: [2, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
// CHECK: %[[task:[a-z0-9_]+]] = dataflow.task "mlp_scale" outs(%[[d]]
// CHECK: scf.for %[[i:[a-z0-9_]+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[rows:[a-z0-9_]+]] =
// CHECK-NEXT: %[[stok:[a-z0-9_]+]] = itensor.read %[[s]][%[[i]]]
// CHECK: scf.for %[[j:[a-z0-9_]+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[all:[a-z0-9_]+]] = %[[rows]])
// CHECK-NEXT: %[[xtok:[a-z0-9_]+]] = itensor.read %[[x]][%[[i]], %[[j]]]
// CHECK-NEXT: %[[btok:[a-z0-9_]+]] = itensor.read %[[b]][%[[i]], %[[j]]]
// CHECK-NEXT: %[[e:[a-z0-9_]+]] = tensor.empty() : tensor<16x16xf32>
// CHECK-NEXT: %[[tile:[a-z0-9_]+]] = linalg.generic {{.*}} ins(%[[xtok]], %[[stok]], %[[btok]] : {{.*}}) outs(%[[e]] : {{.*}}) attrs = {dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 4]>}
// CHECK: itensor.write %[[tile]] into %[[all]][%[[i]], %[[j]]]
// CHECK: %[[y:[a-z0-9_]+]] = itensor.to_tensor %[[task]]
// CHECK: dataflow.yield %[[y]] : tensor<32x48xf32>
// CHECK: return %[[kernel]]
func.func @scale(%x: tensor<32x48xf32>, %s: tensor<32xf32>, %b: tensor<48xf32>) -> tensor<32x48xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %e = tensor.empty() : tensor<32x48xf32>
  %r = scf.for %i = %c0 to %c32 step %c16 iter_args(%o = %e) -> (tensor<32x48xf32>) {
    %q = scf.for %j = %c0 to %c48 step %c16 iter_args(%p = %o) -> (tensor<32x48xf32>) {
      %xt = tensor.extract_slice %x[%i, %j] [16, 16] [1, 1] : tensor<32x48xf32> to tensor<16x16xf32>
      %st = tensor.extract_slice %s[%i] [16] [1] : tensor<32xf32> to tensor<16xf32>
      %bt = tensor.extract_slice %b[%j] [16] [1] : tensor<48xf32> to tensor<16xf32>
      %ot = tensor.extract_slice %p[%i, %j] [16, 16] [1, 1] : tensor<32x48xf32> to tensor<16x16xf32>
      %g = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%xt, %st, %bt : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%ot : tensor<16x16xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [16, 16], order = [0, 1], unroll = [1, 4]>} {
      ^bb0(%a: f32, %f: f32, %c: f32, %out: f32):
        %m = arith.mulf %a, %f : f32
        %n = arith.addf %m, %c : f32
        linalg.yield %n : f32
      } -> tensor<16x16xf32> loc("model.mlp.scale")
      %w = tensor.insert_slice %g into %p[%i, %j] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x48xf32>
      scf.yield %w : tensor<32x48xf32>
    }
    scf.yield %q : tensor<32x48xf32>
  }
  return %r : tensor<32x48xf32>
}

// -----

// Reduction loops do not appear in the result's type. They carry one tile, which starts
// from the constant that filled the destination, and the tile is written after the last one.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @product
// CHECK-NOT: linalg.fill
// CHECK: %[[a:[a-z0-9_]+]] = itensor.from_tensor {{.*}} -> <16x16xf32, iter_space: [2, 3, 4] * [16, 1, 16], iter_map: (d0, d1, d2) -> (d0, d2)>
// CHECK: %[[b:[a-z0-9_]+]] = itensor.from_tensor {{.*}} -> <16x16xf32, iter_space: [2, 3, 4] * [1, 16, 16], iter_map: (d0, d1, d2) -> (d2, d1)>
// CHECK: itensor.instance : <16x16xf32, iter_space: [2, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
// CHECK: scf.for %[[m:[a-z0-9_]+]] =
// CHECK: scf.for %[[n:[a-z0-9_]+]] = {{.*}} iter_args(%[[dest:[a-z0-9_]+]] =
// CHECK: %[[init:[a-z0-9_]+]] = arith.constant dense<2.500000e-01> : tensor<16x16xf32>
// CHECK: %[[sum:[a-z0-9_]+]] = scf.for %[[k:[a-z0-9_]+]] = {{.*}} iter_args(%[[acc:[a-z0-9_]+]] = %[[init]]) -> (tensor<16x16xf32>)
// CHECK-NEXT: %[[at:[a-z0-9_]+]] = itensor.read %[[a]][%[[m]], %[[n]], %[[k]]]
// CHECK-NEXT: %[[bt:[a-z0-9_]+]] = itensor.read %[[b]][%[[m]], %[[n]], %[[k]]]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[at]], %[[bt]] : {{.*}}) outs(%[[acc]] :
// CHECK: scf.yield {{.*}} : tensor<16x16xf32>
// CHECK: itensor.write %[[sum]] into %[[dest]][%[[m]], %[[n]]]
func.func @product(%a: tensor<32x64xf32>, %b: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %start = arith.constant 0.25 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%start : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = scf.for %m = %c0 to %c32 step %c16 iter_args(%o = %f) -> (tensor<32x48xf32>) {
    %q = scf.for %n = %c0 to %c48 step %c16 iter_args(%p = %o) -> (tensor<32x48xf32>) {
      %s = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %p) -> (tensor<32x48xf32>) {
        %at = tensor.extract_slice %a[%m, %k] [16, 16] [1, 1] : tensor<32x64xf32> to tensor<16x16xf32>
        %bt = tensor.extract_slice %b[%k, %n] [16, 16] [1, 1] : tensor<64x48xf32> to tensor<16x16xf32>
        %ct = tensor.extract_slice %t[%m, %n] [16, 16] [1, 1] : tensor<32x48xf32> to tensor<16x16xf32>
        %g = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%at, %bt : tensor<16x16xf32>, tensor<16x16xf32>) outs(%ct : tensor<16x16xf32>) {
        ^bb0(%x: f32, %y: f32, %acc: f32):
          %product = arith.mulf %x, %y : f32
          %sum = arith.addf %acc, %product : f32
          linalg.yield %sum : f32
        } -> tensor<16x16xf32>
        %w = tensor.insert_slice %g into %t[%m, %n] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x48xf32>
        scf.yield %w : tensor<32x48xf32>
      }
      scf.yield %s : tensor<32x48xf32>
    }
    scf.yield %q : tensor<32x48xf32>
  }
  return %r : tensor<32x48xf32>
}

// -----

// The body keeps its offsets: linalg.index is an index inside the tile, to which the
// loop's variable is added. Constants from outside the body come along.

#id = affine_map<(i, j) -> (i, j)>
#add = affine_map<(d0)[s0] -> (d0 + s0)>

// CHECK-LABEL: func.func @causal
// CHECK: dataflow.task
// CHECK: scf.for %[[i:[a-z0-9_]+]] =
// CHECK: %[[masked:[a-z0-9_]+]] = arith.constant -1.000000e+04 : f32
// CHECK: linalg.generic
// CHECK: %[[local:[a-z0-9_]+]] = linalg.index 0
// CHECK: %[[row:[a-z0-9_]+]] = affine.apply #{{.*}}(%[[i]])[%[[local]]]
// CHECK: %[[column:[a-z0-9_]+]] = linalg.index 1
// CHECK: arith.cmpi ule, %[[column]], %[[row]]
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[masked]]
func.func @causal(%x: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %masked = arith.constant -1.0e4 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<32x8xf32>
  %r = scf.for %i = %c0 to %c32 step %c16 iter_args(%o = %e) -> (tensor<32x8xf32>) {
    %xt = tensor.extract_slice %x[%i, 0] [16, 8] [1, 1] : tensor<32x8xf32> to tensor<16x8xf32>
    %ot = tensor.extract_slice %o[%i, 0] [16, 8] [1, 1] : tensor<32x8xf32> to tensor<16x8xf32>
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%xt : tensor<16x8xf32>) outs(%ot : tensor<16x8xf32>) {
    ^bb0(%a: f32, %out: f32):
      %local = linalg.index 0 : index
      %row = affine.apply #add(%i)[%local]
      %column = linalg.index 1 : index
      %seen = arith.cmpi ule, %column, %row : index
      %v = arith.select %seen, %a, %masked : f32
      linalg.yield %v : f32
    } -> tensor<16x8xf32>
    %w = tensor.insert_slice %g into %o[%i, 0] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<32x8xf32>
    scf.yield %w : tensor<32x8xf32>
  }
  return %r : tensor<32x8xf32>
}

// -----

// An op that fits in one tile: one token, read and written without loops. Each use of a
// tensor is an itensor of its own but the tensor is one operand of the kernel; each result
// is an itensor. A destination that is not read does not matter.

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @one_tile
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<8xf32>
// CHECK: %[[kernel:[a-z0-9_]+]]:2 = dataflow.kernel "op"(%[[X]]) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK: %[[x:[a-z0-9_]+]] = itensor.from_tensor %{{.*}} -> <8xf32, iter_space: [] * [], iter_map: () -> (0)>
// CHECK: %[[y:[a-z0-9_]+]] = itensor.from_tensor
// CHECK: dataflow.task "op" outs(%{{.*}}, %{{.*}} :
// CHECK: ^bb0(%[[d0:[a-z0-9_]+]]: !itensor{{.*}}, %[[d1:[a-z0-9_]+]]: !itensor
// CHECK-NOT: scf.for
// CHECK: %[[xt:[a-z0-9_]+]] = itensor.read %[[x]][]
// CHECK: %[[yt:[a-z0-9_]+]] = itensor.read %[[y]][]
// CHECK: %[[tiles:[a-z0-9_]+]]:2 = linalg.generic {{.*}} ins(%[[xt]], %[[yt]]
// CHECK: itensor.write %[[tiles]]#0 into %[[d0]][]
// CHECK: itensor.write %[[tiles]]#1 into %[[d1]][]
// CHECK: return %[[kernel]]#0, %[[kernel]]#1
func.func @one_tile(%x: tensor<8xf32>, %unused: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e, %unused : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32, %out2: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %a, %b : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A result without dimensions is one token of rank 0; each result of a reduction has
// its own initial value.

#id = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @extremes
// CHECK: itensor.instance : <f32, iter_space: [] * [], iter_map: () -> ()>
// CHECK: %[[high:[a-z0-9_]+]] = arith.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[low:[a-z0-9_]+]] = arith.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[ends:[a-z0-9_]+]]:2 = scf.for %{{.*}} iter_args(%[[min:[a-z0-9_]+]] = %[[high]], %[[max:[a-z0-9_]+]] = %[[low]])
// CHECK: linalg.generic {{.*}} outs(%[[min]], %[[max]] : tensor<f32>, tensor<f32>)
// CHECK: itensor.write %[[ends]]#0 into %{{.*}}[]
// CHECK: itensor.write %[[ends]]#1 into %{{.*}}[]
func.func @extremes(%x: tensor<32xf32>) -> (tensor<f32>, tensor<f32>) {
  %high = arith.constant dense<0x7F800000> : tensor<f32>
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r:2 = scf.for %i = %c0 to %c32 step %c16 iter_args(%o = %high, %p = %f) -> (tensor<f32>, tensor<f32>) {
    %xt = tensor.extract_slice %x[%i] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %g:2 = linalg.generic {indexing_maps = [#id, #scalar, #scalar], iterator_types = ["reduction"]} ins(%xt : tensor<16xf32>) outs(%o, %p : tensor<f32>, tensor<f32>) {
    ^bb0(%a: f32, %min: f32, %max: f32):
      %l = arith.minimumf %a, %min : f32
      %h = arith.maximumf %a, %max : f32
      linalg.yield %l, %h : f32, f32
    } -> (tensor<f32>, tensor<f32>)
    scf.yield %g#0, %g#1 : tensor<f32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}

// -----

// Names are unique; a function without linalg ops stays as it is.

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @chain
// CHECK: dataflow.kernel "act"
// CHECK: dataflow.kernel "act_1"
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.tanh %v : f32
    linalg.yield %n : f32
  } -> tensor<8xf32> loc("act")
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<8xf32> loc("act")
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @identity
// CHECK-NEXT: return %{{.*}} : tensor<8xf32>
func.func @identity(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// With parallel loops inside the reduction, one tensor carries the accumulators of all their tiles.
// A tile is written on the last trip of the reduction, which its index therefore does not name.

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @carried
// CHECK: %[[a:[a-z0-9_]+]] = itensor.from_tensor {{.*}} -> <16x16xf32, iter_space: [2, 4] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
// CHECK: %[[b:[a-z0-9_]+]] = itensor.from_tensor {{.*}} -> <16x16xf32, iter_space: [2, 4, 3] * [1, 16, 16], iter_map: (d0, d1, d2) -> (d1, d2)>
// CHECK: itensor.instance : <16x16xf32, iter_space: [2, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
// CHECK: scf.for %[[m:[a-z0-9_]+]]
// CHECK: %[[start:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : tensor<16x48xf32>
// CHECK: scf.for %[[k:[a-z0-9_]+]] {{.*}} iter_args(%{{.*}} = %[[start]], %{{.*}} = %{{.*}})
// CHECK: itensor.read %[[a]][%[[m]], %[[k]]]
// CHECK: scf.for %[[n:[a-z0-9_]+]] {{.*}} iter_args(%[[sums:[a-z0-9_]+]] = %{{.*}}, %[[dest:[a-z0-9_]+]] = %{{.*}})
// CHECK: itensor.read %[[b]][%[[m]], %[[k]], %[[n]]]
// CHECK: %[[tile:[a-z0-9_]+]] = tensor.extract_slice %[[sums]][0, %[[n]]] [16, 16] [1, 1]
// CHECK: %[[next:[a-z0-9_]+]] = linalg.generic {{.*}} outs(%[[tile]] : tensor<16x16xf32>)
// CHECK: %[[all:[a-z0-9_]+]] = tensor.insert_slice %[[next]] into %[[sums]][0, %[[n]]]
// CHECK: %[[last:[a-z0-9_]+]] = arith.cmpi eq, %[[k]], %{{.*}} : index
// CHECK: %[[written:[a-z0-9_]+]] = scf.if %[[last]]
// CHECK-NEXT: %[[w:[a-z0-9_]+]] = itensor.write %[[next]] into %[[dest]][%[[m]], %[[n]]]
// CHECK-NEXT: scf.yield %[[w]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[dest]]
// CHECK: scf.yield %[[all]], %[[written]]
func.func @carried(%a: tensor<32x64xf32>, %b: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = scf.for %m = %c0 to %c32 step %c16 iter_args(%o = %f) -> (tensor<32x48xf32>) {
    %q = scf.for %k = %c0 to %c64 step %c16 iter_args(%p = %o) -> (tensor<32x48xf32>) {
      %s = scf.for %n = %c0 to %c48 step %c16 iter_args(%t = %p) -> (tensor<32x48xf32>) {
        %at = tensor.extract_slice %a[%m, %k] [16, 16] [1, 1] : tensor<32x64xf32> to tensor<16x16xf32>
        %bt = tensor.extract_slice %b[%k, %n] [16, 16] [1, 1] : tensor<64x48xf32> to tensor<16x16xf32>
        %ct = tensor.extract_slice %t[%m, %n] [16, 16] [1, 1] : tensor<32x48xf32> to tensor<16x16xf32>
        %g = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%at, %bt : tensor<16x16xf32>, tensor<16x16xf32>) outs(%ct : tensor<16x16xf32>) {
        ^bb0(%l: f32, %w: f32, %acc: f32):
          %x = arith.mulf %l, %w : f32
          %y = arith.addf %acc, %x : f32
          linalg.yield %y : f32
        } -> tensor<16x16xf32>
        %u = tensor.insert_slice %g into %t[%m, %n] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x48xf32>
        scf.yield %u : tensor<32x48xf32>
      }
      scf.yield %s : tensor<32x48xf32>
    }
    scf.yield %q : tensor<32x48xf32>
  }
  return %r : tensor<32x48xf32>
}
