// RUN: streamtensor-opt %s --split-input-file %u55c --streamtensor-decide-tiling="tile-size=128 unroll=2176" | FileCheck %s

// A linear layer whose weights and activations have a scale for each group of 128 inputs: integer
// products in groups, scaled sums of a group, then the sum over groups. All three change order together: none
// of them alone could without a converter of all sums of all groups.

#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
#row = affine_map<(g, k) -> (g, k)>
#group = affine_map<(g, k) -> (g)>
#x = affine_map<(g, n, k) -> (g, k)>
#w = affine_map<(g, n, k) -> (n, g, k)>
#p = affine_map<(g, n, k) -> (g, n)>
#ofGroup = affine_map<(n, g) -> (g, n)>
#scale = affine_map<(n, g) -> (n, g)>
#y = affine_map<(n, g) -> (n)>

// The row comes at once, when its largest element is known: it is held and repeated for each tile of
// results, which then leave one after the other. Groups outside would end all results together. The
// sum takes 16 products of groups at a time, as many as come: more lanes would wait.

// CHECK-LABEL: func.func @up
// CHECK: #dataflow.tiling<tile = [1, 128, 128], order = [1, 0, 2], unroll = [1, 16, 128]>
// CHECK: #dataflow.tiling<tile = [1, 128], order = [1, 0], unroll = [1, 16]>
// CHECK: #dataflow.tiling<tile = [128, 1], order = [0, 1], unroll = [16, 1]>
func.func @up(%given: tensor<1024xi8>, %scales: tensor<8xf32>, %weights: tensor<1024x8x128xi8>, %t: tensor<1024x8xf32>) -> tensor<1024xf32> {
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %one = tensor.empty() : tensor<i8>
  %start = linalg.fill ins(%least : i8) outs(%one : tensor<i8>) -> tensor<i8>
  %largest = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%given : tensor<1024xi8>) outs(%start : tensor<i8>) {
  ^bb0(%a: i8, %b: i8):
    %m = arith.maxsi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<i8>
  %e = tensor.empty() : tensor<1024xi8>
  %row = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%given, %largest : tensor<1024xi8>, tensor<i8>) outs(%e : tensor<1024xi8>) {
  ^bb0(%a: i8, %m: i8, %out: i8):
    %d = arith.xori %a, %m : i8
    linalg.yield %d : i8
  } -> tensor<1024xi8>
  %grouped = tensor.expand_shape %row [[0, 1]] output_shape [8, 128] : tensor<1024xi8> into tensor<8x128xi8>
  %pe = tensor.empty() : tensor<8x1024xi32>
  %pz = linalg.fill ins(%zero : i32) outs(%pe : tensor<8x1024xi32>) -> tensor<8x1024xi32>
  %products = linalg.generic {indexing_maps = [#x, #w, #p], iterator_types = ["parallel", "parallel", "reduction"]} ins(%grouped, %weights : tensor<8x128xi8>, tensor<1024x8x128xi8>) outs(%pz : tensor<8x1024xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %al = arith.extsi %a : i8 to i32
    %bl = arith.extsi %b : i8 to i32
    %q = arith.muli %al, %bl : i32
    %s = arith.addi %acc, %q : i32
    linalg.yield %s : i32
  } -> tensor<8x1024xi32>
  %fe = tensor.empty() : tensor<8x1024xf32>
  %scaled = linalg.generic {indexing_maps = [#row, #group, #row], iterator_types = ["parallel", "parallel"]} ins(%products, %scales : tensor<8x1024xi32>, tensor<8xf32>) outs(%fe : tensor<8x1024xf32>) {
  ^bb0(%a: i32, %s: f32, %out: f32):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %s : f32
    linalg.yield %m : f32
  } -> tensor<8x1024xf32>
  %ye = tensor.empty() : tensor<1024xf32>
  %yz = linalg.fill ins(%none : f32) outs(%ye : tensor<1024xf32>) -> tensor<1024xf32>
  %y = linalg.generic {indexing_maps = [#ofGroup, #scale, #y], iterator_types = ["parallel", "reduction"]} ins(%scaled, %t : tensor<8x1024xf32>, tensor<1024x8xf32>) outs(%yz : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %q = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#row = affine_map<(g, k) -> (g, k)>
#group = affine_map<(g, k) -> (g)>
#x = affine_map<(g, n, k) -> (g, k)>
#w = affine_map<(g, n, k) -> (n, g, k)>
#p = affine_map<(g, n, k) -> (g, n)>
#ofGroup = affine_map<(n, g) -> (g, n)>
#scale = affine_map<(n, g) -> (n, g)>
#y = affine_map<(n, g) -> (n)>

// The groups of the row come one after the other, and 1024 - 128 accumulators more are fewer elements than the 4096 of
// the row: groups stand outside, and the first is used before the second is there.

// CHECK-LABEL: func.func @down
// CHECK: #dataflow.tiling<tile = [1, 128, 128], order = [0, 1, 2], unroll = [1, 16, 128]>
// CHECK: #dataflow.tiling<tile = [1, 128], order = [0, 1], unroll = [1, 16]>
// CHECK: #dataflow.tiling<tile = [128, 1], order = [1, 0], unroll = [16, 1]>
func.func @down(%given: tensor<4096xi8>, %scales: tensor<32xf32>, %weights: tensor<1024x32x128xi8>, %t: tensor<1024x32xf32>) -> tensor<1024xf32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xi8>
  %row = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%given : tensor<4096xi8>) outs(%e : tensor<4096xi8>) {
  ^bb0(%a: i8, %out: i8):
    %d = arith.xori %a, %a : i8
    linalg.yield %d : i8
  } -> tensor<4096xi8>
  %grouped = tensor.expand_shape %row [[0, 1]] output_shape [32, 128] : tensor<4096xi8> into tensor<32x128xi8>
  %pe = tensor.empty() : tensor<32x1024xi32>
  %pz = linalg.fill ins(%zero : i32) outs(%pe : tensor<32x1024xi32>) -> tensor<32x1024xi32>
  %products = linalg.generic {indexing_maps = [#x, #w, #p], iterator_types = ["parallel", "parallel", "reduction"]} ins(%grouped, %weights : tensor<32x128xi8>, tensor<1024x32x128xi8>) outs(%pz : tensor<32x1024xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %al = arith.extsi %a : i8 to i32
    %bl = arith.extsi %b : i8 to i32
    %q = arith.muli %al, %bl : i32
    %s = arith.addi %acc, %q : i32
    linalg.yield %s : i32
  } -> tensor<32x1024xi32>
  %fe = tensor.empty() : tensor<32x1024xf32>
  %scaled = linalg.generic {indexing_maps = [#row, #group, #row], iterator_types = ["parallel", "parallel"]} ins(%products, %scales : tensor<32x1024xi32>, tensor<32xf32>) outs(%fe : tensor<32x1024xf32>) {
  ^bb0(%a: i32, %s: f32, %out: f32):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %s : f32
    linalg.yield %m : f32
  } -> tensor<32x1024xf32>
  %ye = tensor.empty() : tensor<1024xf32>
  %yz = linalg.fill ins(%none : f32) outs(%ye : tensor<1024xf32>) -> tensor<1024xf32>
  %y = linalg.generic {indexing_maps = [#ofGroup, #scale, #y], iterator_types = ["parallel", "reduction"]} ins(%scaled, %t : tensor<32x1024xf32>, tensor<1024x32xf32>) outs(%yz : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %q = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}
