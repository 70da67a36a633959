// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" | FileCheck %s

// Scores of attention by 8 heads of 16 columns. Rows of 64 tokens outermost, queries come as they are wanted, but the first
// row of scores wants all keys: the keys of all heads are held, and nothing else happens meanwhile. Only when queries, keys
// and scores change together are heads outermost: the keys of one are held, while those of the next are projected. One of
// them alone would have to be turned.

// CHECK-LABEL: func.func @heads
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]{{.*}} {dataflow.tiling = #dataflow.tiling<tile = [16, 16, 16], order = [1, 0, 2],
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]{{.*}} {dataflow.tiling = #dataflow.tiling<tile = [16, 16, 16], order = [1, 0, 2],
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]{{.*}} {dataflow.tiling = #dataflow.tiling<tile = [1, 16, 16, 16], order = [0, 1, 2, 3],

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#q = affine_map<(h, t, s, d) -> (t, h, d)>
#k = affine_map<(h, t, s, d) -> (s, h, d)>
#s = affine_map<(h, t, s, d) -> (t, h, s)>

func.func @heads(%x: tensor<64x128xf32>, %wq: tensor<128x128xf32>, %wk: tensor<128x128xf32>) -> tensor<64x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = tensor.empty() : tensor<64x8x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<64x8x64xf32>) -> tensor<64x8x64xf32>
  %queries = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wq : tensor<64x128xf32>, tensor<128x128xf32>) outs(%i : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x128xf32>
  %keys = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wk : tensor<64x128xf32>, tensor<128x128xf32>) outs(%i : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x128xf32>
  %q = tensor.expand_shape %queries [[0], [1, 2]] output_shape [64, 8, 16] : tensor<64x128xf32> into tensor<64x8x16xf32>
  %k = tensor.expand_shape %keys [[0], [1, 2]] output_shape [64, 8, 16] : tensor<64x128xf32> into tensor<64x8x16xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<64x8x16xf32>, tensor<64x8x16xf32>) outs(%j : tensor<64x8x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x8x64xf32>
  return %scores : tensor<64x8x64xf32>
}

// -----

// The product of two products begins with the first columns of the left and the first rows of the right one, and adds to
// the accumulators of all its tiles. Rows outermost it would want all of the right one first.

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @products
// CHECK: tile = [15, 10, 10], order = [1, 0, 2]
// CHECK: tile = [10, 15, 11], order = [0, 1, 2]
// CHECK: tile = [15, 15, 10], order = [2, 1, 0]
func.func @products(%a: tensor<180x200xf32>, %b: tensor<200x190xf32>, %c: tensor<190x220xf32>, %d: tensor<220x210xf32>) -> tensor<180x210xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<180x190xf32>
  %f = tensor.empty() : tensor<190x210xf32>
  %g = tensor.empty() : tensor<180x210xf32>
  %ei = linalg.fill ins(%zero : f32) outs(%e : tensor<180x190xf32>) -> tensor<180x190xf32>
  %fi = linalg.fill ins(%zero : f32) outs(%f : tensor<190x210xf32>) -> tensor<190x210xf32>
  %gi = linalg.fill ins(%zero : f32) outs(%g : tensor<180x210xf32>) -> tensor<180x210xf32>
  %left = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<180x200xf32>, tensor<200x190xf32>) outs(%ei : tensor<180x190xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<180x190xf32>
  %right = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%c, %d : tensor<190x220xf32>, tensor<220x210xf32>) outs(%fi : tensor<190x210xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<190x210xf32>
  %both = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : tensor<180x190xf32>, tensor<190x210xf32>) outs(%gi : tensor<180x210xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<180x210xf32>
  return %both : tensor<180x210xf32>
}
