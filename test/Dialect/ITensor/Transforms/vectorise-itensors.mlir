// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=32" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --verify-roundtrip | FileCheck %s
// RUN: sed -e 's/"bits": 512/"bits": 128/' %devices/u55c.json > %t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-decide-tiling="tile-size=16 unroll=32" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise | FileCheck %s --check-prefix=NARROW

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// What is only moved is as wide as a memory port and the rows allow: 16 elements of 32 bits
// fill 512 bits, a row of 16 bytes is narrower than the port.
// CHECK-LABEL: func.func @moved
// CHECK: itensor.from_tensor {{.*}} {dataflow.lanes = array<i64: 16>} : tensor<16x32xf32>
// CHECK: itensor.concat {{.*}} dim 1 {dataflow.lanes = array<i64: 16>} : {{.*}}xf32
// CHECK: itensor.concat {{.*}} dim 1 {dataflow.lanes = array<i64: 16>} : {{.*}}xi8
// NARROW-LABEL: func.func @moved
// NARROW: itensor.from_tensor {{.*}} {dataflow.lanes = array<i64: 4>} : tensor<16x32xf32>
// NARROW: itensor.concat {{.*}} dim 1 {dataflow.lanes = array<i64: 4>} : {{.*}}xf32
// NARROW: itensor.concat {{.*}} dim 1 {dataflow.lanes = array<i64: 16>} : {{.*}}xi8
func.func @moved(%x: tensor<16x32xf32>, %y: tensor<16x16xf32>, %z: tensor<16x32xi8>, %w: tensor<16x16xi8>) -> (tensor<16x48xf32>, tensor<16x48xi8>) {
  %c = tensor.concat dim(1) %x, %y : (tensor<16x32xf32>, tensor<16x16xf32>) -> tensor<16x48xf32>
  %d = tensor.concat dim(1) %z, %w : (tensor<16x32xi8>, tensor<16x16xi8>) -> tensor<16x48xi8>
  return %c, %d : tensor<16x48xf32>, tensor<16x48xi8>
}

// A product of 16 x 2 lanes takes two elements of its streamed operand at a time, which the
// converter, and it alone, delivers; the element-wise op before it needs one lane to keep up.
// Weights go through a block and come as wide as the port.
// CHECK-LABEL: func.func @product
// CHECK: itensor.from_tensor {{.*}} {dataflow.lanes = array<i64: 1>} : tensor<32x64xf32>
// CHECK: dataflow.task {{.*}} attributes {dataflow.lanes = array<i64: 1>}
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 1]>
// CHECK: itensor.converter {{.*}}{dataflow.lanes = array<i64: 2>}
// CHECK: itensor.from_tensor {{.*}} {dataflow.lanes = array<i64: 16>} : tensor<64x128xf32>
// CHECK: dataflow.task {{.*}} attributes {dataflow.lanes = array<i64: 16>}
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16, 2]>
func.func @product(%x: tensor<32x64xf32>, %w: tensor<64x128xf32>) -> tensor<32x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<32x64xf32>
  %f = tensor.empty() : tensor<32x128xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<32x128xf32>) -> tensor<32x128xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<32x64xf32>, tensor<64x128xf32>) outs(%g : tensor<32x128xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x128xf32>
  return %r : tensor<32x128xf32>
}

// A reduction that carries tiles holds each tile of its input in a block; its results leave one
// vector of 16 points after the other, so the FIFO behind has these lanes.
// CHECK-LABEL: func.func @carried
// CHECK: math.exp
// CHECK-NOT: itensor.converter
// CHECK: dataflow.task {{.*}} attributes {dataflow.lanes = array<i64: 16>}
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16, 2]>
func.func @carried(%x: tensor<32x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<32x64xf32>
  %f = tensor.empty() : tensor<32x32xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<32x64xf32>, tensor<64x32xf32>) outs(%g : tensor<32x32xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// A fork and the tasks that pass rows on form one class. The tasks decide, not the port: without a
// product to keep up with, a whole row at a time.
// CHECK-LABEL: func.func @norm
// CHECK: itensor.from_tensor {{.*}} {dataflow.lanes = array<i64: 16>}
// NARROW-LABEL: func.func @norm
// NARROW: itensor.fork {{.*}} {dataflow.lanes = array<i64: 16, 16>}
// CHECK: itensor.fork {{.*}} {dataflow.lanes = array<i64: 16, 16>}
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16]>
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [1, 16]>
func.func @norm(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %y = tensor.empty() : tensor<16x32xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%y : tensor<16x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<16x32xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<16x32xf32>) outs(%g : tensor<16xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %n = arith.addf %v, %acc : f32
    linalg.yield %n : f32
  } -> tensor<16xf32>
  %f = tensor.empty() : tensor<16x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%h, %s : tensor<16x32xf32>, tensor<16xf32>) outs(%f : tensor<16x32xf32>) {
  ^bb0(%v: f32, %t: f32, %out: f32):
    %n = arith.divf %v, %t : f32
    linalg.yield %n : f32
  } -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// A sum of a row is held while the tiles of the row are scaled: 16 of them in a word would be 16 trees over partial sums.
// The elements of the row still come as words.
// CHECK-LABEL: func.func @held
// CHECK: dataflow.task {{.*}} attributes {dataflow.lanes = array<i64: 1>}
// CHECK: arith.addf
// CHECK: dataflow.task {{.*}} attributes {dataflow.lanes = array<i64: 16>}
// CHECK: arith.divf
func.func @held(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<32x64xf32>) outs(%g : tensor<32xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %n = arith.addf %v, %acc : f32
    linalg.yield %n : f32
  } -> tensor<32xf32>
  %f = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<32x64xf32>, tensor<32xf32>) outs(%f : tensor<32x64xf32>) {
  ^bb0(%v: f32, %t: f32, %out: f32):
    %n = arith.divf %v, %t : f32
    linalg.yield %n : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// Sums in 16 banks leave through a tree of 15 adders for each lane, so no wider than they must: 64 of them in 1024
// iterations, two at a time take a 32nd.
// CHECK-LABEL: func.func @drained
// CHECK: dataflow.task {{.*}} attributes {dataflow.lanes = array<i64: 2>}
// CHECK: dataflow.tiling = #dataflow.tiling<{{.*}}unroll = [16, 2]>
func.func @drained(%a: tensor<64x512xf32>, %x: tensor<512xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(m, k) -> (k)>, #row], iterator_types = ["parallel", "reduction"]} ins(%a, %x : tensor<64x512xf32>, tensor<512xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %p = arith.mulf %l, %m : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
