// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=4" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --streamtensor-materialise --streamtensor-ensure-single-use --streamtensor-vectorise --streamtensor-itensor-to-stream --split-input-file --verify-roundtrip | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#t = affine_map<(i, j) -> (j, i)>

// Rows flow straight through: no block, no guard. A position is the tile (step 16) plus the point
// loop plus the lane.

// CHECK-LABEL: dataflow.design @accelerator
// CHECK-NOT: dataflow.buffer
// CHECK: %[[port:[a-z0-9_]+]] = dataflow.port in "x" : <32x8xf32>
// CHECK: dataflow.leaf "x_load" load [2, 16]
// CHECK: dataflow.load %[[port]] affine_map<(d0, d1) -> (d0 * 16 + d1, 0)>
// CHECK: dataflow.leaf {{.*}} compute [2, 16] {
// CHECK-NEXT: ^bb0(%[[tile:[a-z0-9_]+]]: index, %[[point:[a-z0-9_]+]]: index)
// CHECK-NEXT: %[[x:[a-z0-9_]+]] = dataflow.stream_read
// CHECK: %[[offset:[a-z0-9_]+]] = arith.muli %[[tile]], %{{.*}} : index
// CHECK: %[[rows:[a-z0-9_]+]] = vector.broadcast %[[offset]] : index to vector<8xindex>
// CHECK: %[[local:[a-z0-9_]+]] = vector.broadcast %[[point]] : index to vector<8xindex>
// CHECK: %[[row:[a-z0-9_]+]] = arith.addi %[[rows]], %[[local]]
// CHECK: %[[lane:[a-z0-9_]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xindex>
// CHECK: %[[column:[a-z0-9_]+]] = arith.addi %{{.*}}, %[[lane]]
// CHECK: %[[seen:[a-z0-9_]+]] = arith.cmpi ule, %[[column]], %[[row]] : vector<8xindex>
// CHECK: %[[masked:[a-z0-9_]+]] = arith.constant dense<-1.000000e+04> : vector<8xf32>
// CHECK: %[[y:[a-z0-9_]+]] = arith.select %[[seen]], %[[x]], %[[masked]]
// CHECK: dataflow.stream_write %[[y]], %{{[a-z0-9_]+}}{{.*}} : vector<8xf32>
// CHECK: dataflow.leaf "result0_store" store [2, 16]
func.func @causal(%x: tensor<32x8xf32> {streamtensor.name = "x"}) -> tensor<32x8xf32> {
  %masked = arith.constant -1.0e4 : f32
  %e = tensor.empty() : tensor<32x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x8xf32>) outs(%e : tensor<32x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi ule, %j, %i : index
    %v = arith.select %seen, %a, %masked : f32
    linalg.yield %v : f32
  } -> tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>

// A token of one element is read on the first trip of everything inside the loops that name it,
// and held.

// CHECK: #[[$FIRST:set[0-9]*]] = affine_set<(d0, d1) : (d0 == 0, d1 == 0)>
// CHECK-LABEL: dataflow.design @accelerator
// CHECK: dataflow.leaf "arg1_load" load [] {
// CHECK: dataflow.leaf {{.*}} compute [2, 4] {
// CHECK: %[[x:[a-z0-9_]+]] = dataflow.stream_read %{{[a-z0-9_]+}}{{.*}} : <vector<16xf32>>
// CHECK: %[[s:[a-z0-9_]+]] = dataflow.stream_read %{{.*}} when #[[$FIRST]]{{.*}} : <f32> -> f32
// CHECK: %[[lanes:[a-z0-9_]+]] = vector.broadcast %[[s]] : f32 to vector<16xf32>
// CHECK: arith.mulf %[[x]], %[[lanes]]
func.func @scalars(%x: tensor<4x32xf32>, %s: tensor<f32>) -> tensor<4x32xf32> {
  %e = tensor.empty() : tensor<4x32xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x32xf32>, tensor<f32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#t = affine_map<(i, j) -> (j, i)>

// The points follow the result. A transposed operand comes in another order and goes through a block,
// which a fill leaf writes row by row and the compute leaf reads column by column.

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: %[[block:[a-z0-9_]+]] = dataflow.buffer "op_in0_block" blocks 1 : <8x4xf32>
// CHECK: dataflow.leaf "op_in0_fill" fill [8] writes(%[[block]] at 0
// CHECK: dataflow.store %{{.*}}, %[[block]] affine_map<(d0) -> (d0, 0)> : vector<1x4xf32>
// CHECK: dataflow.leaf {{.*}} compute [4] reads(%[[block]] at 0
// CHECK: dataflow.load %[[block]] affine_map<(d0) -> (0, d0)> : {{.*}} -> vector<8x1xf32>
// CHECK-NOT: dataflow.store
// CHECK: dataflow.stream_write {{.*}} : vector<8xf32>
func.func @transpose(%x: tensor<8x4xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#t, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// Names are never handed out twice, whatever the program calls its tensors.

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: dataflow.design @accelerator
// CHECK: dataflow.port in "x" :
// CHECK: dataflow.port in "x_fifo" :
// CHECK: dataflow.stream "x_fifo_1" :
// CHECK: dataflow.leaf "x_load"
// CHECK: dataflow.stream "x_fifo_fifo" :
// CHECK: dataflow.leaf "x_fifo_load"
func.func @names(%x: tensor<8xf32> {streamtensor.name = "x"}, %y: tensor<8xf32> {streamtensor.name = "x_fifo"}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
