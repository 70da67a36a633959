// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=8 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels="max-bytes=2048 planner=optimal" -o %t 2>%t.err
// RUN: FileCheck %s --check-prefix=WARNING <%t.err
// RUN: FileCheck %s <%t

// In one group, both parts of the concatenation come in tiles of 8x8, as its reader takes them. In the cheapest plan the
// exponentials stand alone, and one part is read from memory, in tiles of 16x16: now both parts need converters beside
// the 8x64 elements of the second product, 2048 bytes. The greedy plan is built.

// WARNING: warning: [fuse.plan] the optimal plan of 2 groups needs more converters once it is built than as one group of all kernels, and they do not fit: the greedy plan is taken; other group-bytes may give a plan that does fit

#id = affine_map<(i, j) -> (i, j)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// CHECK: dataflow.kernel "accelerator_0"
// CHECK: math.exp
// CHECK: math.sqrt
// CHECK: math.absf
// CHECK: dataflow.kernel "accelerator_1"
func.func @parts(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %w: tensor<32x96xf32>, %v: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = tensor.empty() : tensor<64x96xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x96xf32>) -> tensor<64x96xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.exp %p : f32
    linalg.yield %n : f32
  } -> tensor<64x32xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<64x32xf32>, tensor<32x96xf32>) outs(%g : tensor<64x96xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x96xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.sqrt %p : f32
    linalg.yield %n : f32
  } -> tensor<64x32xf32>
  %c = tensor.concat dim(1) %h, %s : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %t = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xf32>) outs(%t : tensor<64x64xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.absf %p : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r, %v : tensor<64x64xf32>, tensor<64x96xf32>) outs(%g : tensor<64x96xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %q = arith.addf %acc, %p : f32
    linalg.yield %q : f32
  } -> tensor<64x96xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %a : tensor<64x96xf32>, tensor<64x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %n = arith.addf %p, %q : f32
    linalg.yield %n : f32
  } -> tensor<64x96xf32>
  return %d : tensor<64x96xf32>
}
