// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="all-products unroll=64" --verify-roundtrip | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="all-products unroll=256" --verify-roundtrip | FileCheck %s --check-prefix=WIDE

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#B2 = affine_map<(m, n, k) -> (n, k)>
#C = affine_map<(m, n, k) -> (m, n)>
#matrix = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#first = affine_map<(m, n) -> (m)>
#turned = affine_map<(m, n) -> (n, m)>
#AT = affine_map<(m, n, k) -> (k, m)>

// An engine takes all products; those with parameters in passes of eight tokens, for which memory brings the weights anew.
// What lies between two of them goes through the tokens as they do.
// CHECK-LABEL: func.func @between
// CHECK: tile = [8, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine"
// CHECK: tile = [8, 16], order = [0, 1]
// CHECK: tile = [8, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine"
func.func @between(%x: tensor<64x32xf32>, %wk: tensor<32x32xf32>, %wu: tensor<64x128xf32>, %b: tensor<128xf32>, %wd: tensor<128x128xf32>) -> (tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %ek = tensor.empty() : tensor<64x32xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%ek : tensor<64x32xf32>) -> tensor<64x32xf32>
  %k = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %wk : tensor<64x32xf32>, tensor<32x32xf32>) outs(%zk : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %et = tensor.empty() : tensor<64x64xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = linalg.generic {indexing_maps = [#A, #B2, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%k, %k : tensor<64x32xf32>, tensor<64x32xf32>) outs(%zt : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %eu = tensor.empty() : tensor<64x128xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<64x128xf32>) -> tensor<64x128xf32>
  %u = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %wu : tensor<64x64xf32>, tensor<64x128xf32>) outs(%zu : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %er = tensor.empty() : tensor<64x128xf32>
  %relu = linalg.generic {indexing_maps = [#matrix, #row, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%u, %b : tensor<64x128xf32>, tensor<128xf32>) outs(%er : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %s = arith.addf %l, %r : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<64x128xf32>
  %ed = tensor.empty() : tensor<64x128xf32>
  %zd = linalg.fill ins(%zero : f32) outs(%ed : tensor<64x128xf32>) -> tensor<64x128xf32>
  %d = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%relu, %wd : tensor<64x128xf32>, tensor<128x128xf32>) outs(%zd : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  return %d : tensor<64x128xf32>
}

// Somebody else takes it in tiles that suit all.
// CHECK-LABEL: func.func @elsewhere
// CHECK: tile = [8, 8, 1], order = [0, 2, 1], unroll = [8, 8, 1], engine = "engine"
// CHECK: tile = [16, 16], order = [0, 1]
func.func @elsewhere(%x: tensor<64x32xf32>, %wk: tensor<32x32xf32>, %wu: tensor<64x128xf32>, %b: tensor<128xf32>, %wd: tensor<128x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %ek = tensor.empty() : tensor<64x32xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%ek : tensor<64x32xf32>) -> tensor<64x32xf32>
  %k = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %wk : tensor<64x32xf32>, tensor<32x32xf32>) outs(%zk : tensor<64x32xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %et = tensor.empty() : tensor<64x64xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = linalg.generic {indexing_maps = [#A, #B2, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%k, %k : tensor<64x32xf32>, tensor<64x32xf32>) outs(%zt : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %eu = tensor.empty() : tensor<64x128xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<64x128xf32>) -> tensor<64x128xf32>
  %u = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %wu : tensor<64x64xf32>, tensor<64x128xf32>) outs(%zu : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  %er = tensor.empty() : tensor<64x128xf32>
  %relu = linalg.generic {indexing_maps = [#matrix, #row, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%u, %b : tensor<64x128xf32>, tensor<128xf32>) outs(%er : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %s = arith.addf %l, %r : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<64x128xf32>
  %ed = tensor.empty() : tensor<64x128xf32>
  %zd = linalg.fill ins(%zero : f32) outs(%ed : tensor<64x128xf32>) -> tensor<64x128xf32>
  %d = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%relu, %wd : tensor<64x128xf32>, tensor<128x128xf32>) outs(%zd : tensor<64x128xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x128xf32>
  return %d, %relu : tensor<64x128xf32>, tensor<64x128xf32>
}

// Activations that are turned between the products, with features in front of tokens, go through the tokens all the same,
// and lanes that ran along tokens are no more than those of a pass: 8 where tiles of 10 of the 40 tokens would have 10.
// WIDE-LABEL: func.func @turned
// WIDE: tile = [8, 16, 2], order = [0, 2, 1], unroll = [8, 16, 2], engine = "engine"
// WIDE: tile = [16, 8], order = [1, 0], unroll = [1, 8]
// WIDE: tile = [8, 16], order = [0, 1], unroll = [8, 1]
// WIDE: tile = [16, 8], order = [1, 0], unroll = [1, 8]
// WIDE: tile = [8, 16, 2], order = [0, 2, 1], unroll = [8, 16, 2], engine = "engine"
func.func @turned(%x: tensor<40x64xf32>, %w1: tensor<64x256xf32>, %b: tensor<256xf32>, %w2: tensor<256x256xf32>) -> tensor<40x256xf32> {
  %zero = arith.constant 0.0 : f32
  %eu = tensor.empty() : tensor<40x256xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<40x256xf32>) -> tensor<40x256xf32>
  %u = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<40x64xf32>, tensor<64x256xf32>) outs(%zu : tensor<40x256xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x256xf32>
  %et = tensor.empty() : tensor<256x40xf32>
  %t = linalg.generic {indexing_maps = [#turned, #first, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%u, %b : tensor<40x256xf32>, tensor<256xf32>) outs(%et : tensor<256x40xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<256x40xf32>
  %es = tensor.empty() : tensor<40xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<40xf32>) -> tensor<40xf32>
  %sums = linalg.generic {indexing_maps = [#turned, #first], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<256x40xf32>) outs(%zs : tensor<40xf32>) {
  ^bb0(%l: f32, %c: f32):
    %s = arith.addf %l, %c : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  %scaled = linalg.generic {indexing_maps = [#matrix, #row, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%t, %sums : tensor<256x40xf32>, tensor<40xf32>) outs(%et : tensor<256x40xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<256x40xf32>
  %y = linalg.generic {indexing_maps = [#AT, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scaled, %w2 : tensor<256x40xf32>, tensor<256x256xf32>) outs(%zu : tensor<40x256xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x256xf32>
  return %y : tensor<40x256xf32>
}
