// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=4" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// The point loops follow the streamed operand (rows, then the reduction); an element of it is
// read once and held while the columns pass. An accumulator would come around every second iteration,
// sooner than an addition and its slack of two cycles take: five banks, by the reduction index modulo 5. The
// first five trips start from the initial value, the last five go to the result block, and the drain adds the banks.

// CHECK: #[[$HELD:set[0-9]*]] = affine_set<(d0, d1, d2) : (d2 == 0)>
// CHECK: #[[$FIRST:set[0-9]*]] = affine_set<(d0, d1, d2) : (-d1 + 4 >= 0)>
// CHECK: #[[$LAST:set[0-9]*]] = affine_set<(d0, d1, d2) : (d1 - 11 >= 0)>
// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[x:[a-z0-9_]+]] = dataflow.stream {{.*}} : <f32>
// CHECK: %[[w:[a-z0-9_]+]] = dataflow.stream {{.*}} : <vector<8xf32>>
// CHECK: %[[block:[a-z0-9_]+]] = dataflow.buffer "op_in1_block" blocks 1 : <16x8xf32>
// CHECK: dataflow.leaf "op_in1_fill" fill [16] writes(%[[block]] at 0
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[row:[a-z0-9_]+]] = dataflow.stream_read %[[w]]
// CHECK: dataflow.store {{.*}}, %[[block]] affine_map<(d0) -> (d0, 0)>
// CHECK: %[[result:[a-z0-9_]+]] = dataflow.buffer "op_result" blocks 1 : <5x2x8xf32>
// CHECK: dataflow.leaf {{.*}} compute [2, 16, 2] reads(%[[block]] at 0 {{.*}}) writes(%[[result]] at 0
// CHECK-NEXT: ^bb0({{.*}}, %[[acc:[a-z0-9_]+]]: !dataflow.private<5x2x8xf32>)
// CHECK-NEXT: %[[e:[a-z0-9_]+]] = dataflow.stream_read %[[x]] when #[[$HELD]]
// CHECK-NEXT: %[[lanes:[a-z0-9_]+]] = vector.broadcast %[[e]] : f32 to vector<4xf32>
// CHECK: dataflow.load %[[block]] affine_map<(d0, d1, d2) -> (d1, d2 * 4)> {{.*}} -> vector<1x4xf32>
// CHECK: %[[product:[a-z0-9_]+]] = arith.mulf %[[lanes]], %{{.*}} : vector<4xf32>
// CHECK: %[[zero:[a-z0-9_]+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: dataflow.load %[[acc]] affine_map<(d0, d1, d2) -> (d1 mod 5, d0, d2 * 4)>
// CHECK: %[[first:[a-z0-9_]+]] = dataflow.test #[[$FIRST]]
// CHECK: %[[start:[a-z0-9_]+]] = arith.select %[[first]], %[[zero]], %{{.*}} : vector<4xf32>
// CHECK: arith.addf %[[start]], %[[product]]
// CHECK: dataflow.store %{{.*}}, %[[acc]] affine_map<(d0, d1, d2) -> (d1 mod 5, d0, d2 * 4)>
// CHECK: dataflow.store %{{.*}}, %[[result]] affine_map<(d0, d1, d2) -> (d1 mod 5, d0, d2 * 4)> when #[[$LAST]]
// CHECK: dataflow.leaf "op_drain" drain [2] reads(%[[result]] at 0
// CHECK: dataflow.load %[[result]] {{.*}} -> vector<5x1x8xf32>
// CHECK: arith.addf {{.*}} : vector<2x1x8xf32>
// CHECK: arith.addf {{.*}} : vector<1x1x8xf32>
// CHECK: dataflow.stream_write
func.func @product(%x: tensor<2x16xf32>, %w: tensor<16x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<2x8xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<2x8xf32>) -> tensor<2x8xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x16xf32>, tensor<16x8xf32>) outs(%g : tensor<2x8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A sum of rows that starts from 1: 16 lanes are added by a tree, four banks hold the partial
// sums of six trips, and only one of them starts from 1.

// CHECK: #[[$BANK0:set[0-9]*]] = affine_set<(d0, d1) : (d0 == 0)>
// CHECK: #[[$FIRST:set[0-9]*]] = affine_set<(d0, d1) : (-d0 + 3 >= 0)>
// CHECK: #[[$LAST:set[0-9]*]] = affine_set<(d0, d1) : (d0 - 2 >= 0)>
// CHECK-LABEL: dataflow.design @accelerator
// CHECK: dataflow.leaf {{.*}} compute [6, 3] writes
// CHECK: dataflow.stream_read {{.*}} -> vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: arith.addf {{.*}} : vector<1xf32>
// CHECK: %[[one:[a-z0-9_]+]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[is:[a-z0-9_]+]] = dataflow.test #[[$BANK0]]
// CHECK: %[[zero:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[start:[a-z0-9_]+]] = arith.select %[[is]], %[[one]], %[[zero]]
// CHECK: %[[old:[a-z0-9_]+]] = dataflow.load %{{.*}} affine_map<(d0, d1) -> (d0 mod 4, d1)>
// CHECK: %[[first:[a-z0-9_]+]] = dataflow.test #[[$FIRST]]
// CHECK: %[[from:[a-z0-9_]+]] = arith.select %[[first]], %[[start]], %[[old]]
// CHECK: arith.addf %[[from]]
// CHECK: dataflow.store {{.*}} affine_map<(d0, d1) -> (d0 mod 4, d1)> when #[[$LAST]]
// CHECK: dataflow.leaf "op_drain" drain [] reads
func.func @sum(%x: tensor<3x96xf32>) -> tensor<3xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %g = linalg.fill ins(%one : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x96xf32>) outs(%g : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %n = arith.addf %v, %acc : f32
    linalg.yield %n : f32
  } -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// The combiner is any operation with a neutral element, here the maximum of integers.

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: dataflow.leaf {{.*}} compute [16] writes
// CHECK: arith.constant dense<-2147483648> : vector<16xi32>
// CHECK: arith.maxsi {{.*}} : vector<16xi32>
// CHECK: dataflow.leaf "op_drain" drain [] reads
// CHECK: arith.maxsi {{.*}} : vector<1x16xi32>
// CHECK: arith.maxsi {{.*}} : vector<16xi32>
func.func @columns(%x: tensor<16x16xi32>) -> tensor<16xi32> {
  %low = arith.constant -2147483648 : i32
  %e = tensor.empty() : tensor<16xi32>
  %g = linalg.fill ins(%low : i32) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<16x16xi32>) outs(%g : tensor<16xi32>) {
  ^bb0(%v: i32, %acc: i32):
    %n = arith.maxsi %v, %acc : i32
    linalg.yield %n : i32
  } -> tensor<16xi32>
  return %s : tensor<16xi32>
}

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// The position of a maximum is not one associative operation: the whole body is carried from one
// point to the next, without lanes or banks. A single result is written directly, without a block.

// CHECK: #[[$FIRST:set[0-9]*]] = affine_set<(d0) : (d0 == 0)>
// CHECK: #[[$LAST:set[0-9]*]] = affine_set<(d0) : (d0 - 7 == 0)>
// CHECK-LABEL: dataflow.design @accelerator
// CHECK-NOT: drain
// CHECK: dataflow.leaf {{.*}} compute [8] reads
// CHECK-NEXT: ^bb0(%[[i:[a-z0-9_]+]]: index, %[[max:[a-z0-9_]+]]: !dataflow.private<f32>, %[[at:[a-z0-9_]+]]: !dataflow.private<i64>)
// CHECK: %[[m:[a-z0-9_]+]] = dataflow.load %[[max]]
// CHECK: dataflow.test #[[$FIRST]]
// CHECK: %[[mm:[a-z0-9_]+]] = arith.select %{{.*}}, %{{.*}}, %[[m]]
// CHECK: %[[p:[a-z0-9_]+]] = dataflow.load %[[at]]
// CHECK: %[[pp:[a-z0-9_]+]] = arith.select %{{.*}}, %{{.*}}, %[[p]]
// CHECK: %[[n:[a-z0-9_]+]] = arith.index_cast %[[i]] : index to i64
// CHECK: %[[c:[a-z0-9_]+]] = arith.cmpf ogt, %{{.*}}, %[[mm]]
// CHECK: arith.select %[[c]], %{{.*}}, %[[mm]]
// CHECK: %[[w:[a-z0-9_]+]] = arith.select %[[c]], %[[n]], %[[pp]]
// CHECK: dataflow.stream_write {{.*}} when #[[$LAST]]{{.*}} : f32
// CHECK: dataflow.store %[[w]], %[[at]]
// CHECK: dataflow.stream_write %[[w]], {{.*}} when #[[$LAST]]{{.*}} : i64
func.func @argmax(%x: tensor<8xf32>) -> (tensor<f32>, tensor<i64>) {
  %low = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %e2 = tensor.empty() : tensor<i64>
  %f2 = linalg.fill ins(%z : i64) outs(%e2 : tensor<i64>) -> tensor<i64>
  %r:2 = linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]} ins(%x : tensor<8xf32>) outs(%f, %f2 : tensor<f32>, tensor<i64>) {
  ^bb0(%a: f32, %m: f32, %p: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %c = arith.cmpf ogt, %a, %m : f32
    %v = arith.select %c, %a, %m : f32
    %w = arith.select %c, %n, %p : i64
    linalg.yield %v, %w : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %r#0, %r#1 : tensor<f32>, tensor<i64>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Two trips with a bank each: no trip adds to what another left, so nothing is kept.

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[result:[a-z0-9_]+]] = dataflow.buffer "op_result" blocks 1 : <2x3xf32>
// CHECK: dataflow.leaf {{.*}} compute [2, 3] writes
// CHECK-NEXT: ^bb0(%{{[a-z0-9_]+}}: index, %{{[a-z0-9_]+}}: index):
// CHECK-NOT: dataflow.load
// CHECK: %[[start:[a-z0-9_]+]] = arith.select
// CHECK-NEXT: %[[sum:[a-z0-9_]+]] = arith.addf %[[start]]
// CHECK-NOT: dataflow.store
// CHECK: dataflow.store {{.*}}, %[[result]] affine_map<(d0, d1) -> (d0, d1)> :
// CHECK: dataflow.leaf "op_drain" drain [] reads
func.func @sum_of_few(%x: tensor<3x32xf32>) -> tensor<3xf32> {
  %one = arith.constant 1.0 : f32
  %f = tensor.empty() : tensor<3xf32>
  %g = linalg.fill ins(%one : f32) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x32xf32>) outs(%g : tensor<3xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
