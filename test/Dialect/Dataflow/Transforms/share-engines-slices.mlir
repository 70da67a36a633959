// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-run %s --elements 3 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-run %t --elements 3 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-opt %t --streamtensor-size-phase | streamtensor-run - --pipelined --elements 3 | FileCheck %s --check-prefix=VALUES

// 512 products of floats and their sums take more than the DSPs that a die has for an engine, so its lanes are dealt to
// four leaves: each reads the weights of its rows; the first one reads the activations and hands them on to the others,
// those of both linears through one FIFO to each. Row r of the first linear has 16 weights of 1 + r floordiv 8, of the
// second half as much: of ones, (row 31 less row 0) / 16 is 3, then 4.5, which a second layer takes to 20.25.
// VALUES: result0 tensor<3xf32> [20.25, 20.25, 20.25]

// CHECK: dataflow.leaf "enter"
// CHECK: dataflow.stream_write %{{.*}}, %f : f32
// CHECK-NOT: %f_
// CHECK: dataflow.leaf "middle"
// CHECK-COUNT-4: dataflow.stream_read %a_{{[1-4]}} : <vector<8xf32>>
// CHECK-NOT: dataflow.leaf "up"
// CHECK: dataflow.leaf "engine_s0" compute [2]
// CHECK: %[[X:.*]] = dataflow.stream_read %f :
// CHECK-COUNT-3: dataflow.stream_write %[[X]], %engine_s0_passed{{(_[12])?}} : f32
// CHECK: dataflow.stream_read %u0
// CHECK: arith.mulf {{.*}} : vector<8x16xf32>
// CHECK: dataflow.stream_write {{.*}}, %engine_s0_sums : vector<8xf32>
// CHECK: dataflow.nest "down" [3]
// CHECK: %[[Y:.*]] = dataflow.stream_read %b :
// CHECK-COUNT-3: dataflow.stream_write %[[Y]], %engine_s0_passed{{(_[12])?}} : f32
// CHECK: dataflow.leaf "engine_s3" compute [2]
// CHECK: dataflow.nest "up" [3]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: dataflow.stream_read %engine_s0_passed_2 :
// CHECK-NOT: stream_read %u0
// CHECK: dataflow.stream_read %u3
// CHECK: dataflow.stream_write {{.*}}, %engine_s3_sums : vector<8xf32>
// CHECK: dataflow.nest "down" [3]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: dataflow.stream_read %engine_s0_passed_2 :
// CHECK: dataflow.stream_write {{.*}}, %engine_s3_sums : vector<8xf32>

// One FIFO for the sums of both linears crosses from each slice, in whatever orders tensors pass it; one leaf hands them on.
// CHECK: dataflow.leaf "engine_sums" compute [2]
// CHECK: dataflow.nest "up" [3]
// CHECK: %[[S0:.*]] = dataflow.stream_read %engine_s0_sums :
// CHECK-NEXT: dataflow.stream_write %[[S0]], %a_1 {dataflow.order = {{.*}}} : vector<8xf32>
// CHECK: %[[S3:.*]] = dataflow.stream_read %engine_s3_sums :
// CHECK-NEXT: dataflow.stream_write %[[S3]], %a_4 {dataflow.order = {{.*}}} : vector<8xf32>
// CHECK: dataflow.nest "down" [3]
// CHECK: %[[T3:.*]] = dataflow.stream_read %engine_s3_sums :
// CHECK-NEXT: dataflow.stream_write %[[T3]], %d_4 {dataflow.order = {{.*}}} : vector<8xf32>

dataflow.design @ring {
  %y = dataflow.port out "y" : !dataflow.port<3xf32>
  %layers = dataflow.scalar "layers" from 1 to 2 : index
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<32xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  %d = dataflow.stream "d" : !dataflow.stream<vector<32xf32>>
  %o = dataflow.stream "o" : !dataflow.stream<f32>
  %u0 = dataflow.stream "u0" : !dataflow.stream<vector<128xf32>>
  %u1 = dataflow.stream "u1" : !dataflow.stream<vector<128xf32>>
  %u2 = dataflow.stream "u2" : !dataflow.stream<vector<128xf32>>
  %u3 = dataflow.stream "u3" : !dataflow.stream<vector<128xf32>>
  %v0 = dataflow.stream "v0" : !dataflow.stream<vector<128xf32>>
  %v1 = dataflow.stream "v1" : !dataflow.stream<vector<128xf32>>
  %v2 = dataflow.stream "v2" : !dataflow.stream<vector<128xf32>>
  %v3 = dataflow.stream "v3" : !dataflow.stream<vector<128xf32>>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  dataflow.leaf "ones" compute [3] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %s : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "enter" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) {
  ^bb0(%t: index, %i: index):
    %new = dataflow.stream_read %s when affine_set<(d0, d1) : (d0 == 0)> : !dataflow.stream<f32> -> f32
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %new, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "weights_up" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) {
  ^bb0(%t: index, %i: index):
    %c0 = arith.constant dense<1.0> : vector<128xf32>
    dataflow.stream_write %c0, %u0 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    %c1 = arith.constant dense<2.0> : vector<128xf32>
    dataflow.stream_write %c1, %u1 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    %c2 = arith.constant dense<3.0> : vector<128xf32>
    dataflow.stream_write %c2, %u2 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    %c3 = arith.constant dense<4.0> : vector<128xf32>
    dataflow.stream_write %c3, %u3 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
  }
  dataflow.leaf "weights_down" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) {
  ^bb0(%t: index, %i: index):
    %c0 = arith.constant dense<0.5> : vector<128xf32>
    dataflow.stream_write %c0, %v0 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    %c1 = arith.constant dense<1.0> : vector<128xf32>
    dataflow.stream_write %c1, %v1 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    %c2 = arith.constant dense<1.5> : vector<128xf32>
    dataflow.stream_write %c2, %v2 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    %c3 = arith.constant dense<2.0> : vector<128xf32>
    dataflow.stream_write %c3, %v3 : vector<128xf32>, !dataflow.stream<vector<128xf32>>
  }
  dataflow.leaf "up" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index):
    %x = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %all = vector.broadcast %x : f32 to vector<32x16xf32>
    %none = arith.constant dense<0.0> : vector<512xf32>
    %p0 = dataflow.stream_read %u0 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w0 = vector.insert_strided_slice %p0, %none {offsets = [0], strides = [1]} : vector<128xf32> into vector<512xf32>
    %p1 = dataflow.stream_read %u1 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w1 = vector.insert_strided_slice %p1, %w0 {offsets = [128], strides = [1]} : vector<128xf32> into vector<512xf32>
    %p2 = dataflow.stream_read %u2 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w2 = vector.insert_strided_slice %p2, %w1 {offsets = [256], strides = [1]} : vector<128xf32> into vector<512xf32>
    %p3 = dataflow.stream_read %u3 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w3 = vector.insert_strided_slice %p3, %w2 {offsets = [384], strides = [1]} : vector<128xf32> into vector<512xf32>
    %rows = vector.shape_cast %w3 : vector<512xf32> to vector<32x16xf32>
    %q16 = arith.mulf %all, %rows : vector<32x16xf32>
    %l8 = vector.extract_strided_slice %q16 {offsets = [0, 0], sizes = [32, 8], strides = [1, 1]} : vector<32x16xf32> to vector<32x8xf32>
    %r8 = vector.extract_strided_slice %q16 {offsets = [0, 8], sizes = [32, 8], strides = [1, 1]} : vector<32x16xf32> to vector<32x8xf32>
    %q8 = arith.addf %l8, %r8 : vector<32x8xf32>
    %l4 = vector.extract_strided_slice %q8 {offsets = [0, 0], sizes = [32, 4], strides = [1, 1]} : vector<32x8xf32> to vector<32x4xf32>
    %r4 = vector.extract_strided_slice %q8 {offsets = [0, 4], sizes = [32, 4], strides = [1, 1]} : vector<32x8xf32> to vector<32x4xf32>
    %q4 = arith.addf %l4, %r4 : vector<32x4xf32>
    %l2 = vector.extract_strided_slice %q4 {offsets = [0, 0], sizes = [32, 2], strides = [1, 1]} : vector<32x4xf32> to vector<32x2xf32>
    %r2 = vector.extract_strided_slice %q4 {offsets = [0, 2], sizes = [32, 2], strides = [1, 1]} : vector<32x4xf32> to vector<32x2xf32>
    %q2 = arith.addf %l2, %r2 : vector<32x2xf32>
    %l1 = vector.extract_strided_slice %q2 {offsets = [0, 0], sizes = [32, 1], strides = [1, 1]} : vector<32x2xf32> to vector<32x1xf32>
    %r1 = vector.extract_strided_slice %q2 {offsets = [0, 1], sizes = [32, 1], strides = [1, 1]} : vector<32x2xf32> to vector<32x1xf32>
    %q1 = arith.addf %l1, %r1 : vector<32x1xf32>
    %sum = vector.shape_cast %q1 : vector<32x1xf32> to vector<32xf32>
    dataflow.stream_write %sum, %a {dataflow.order = !itensor.itensor<32xf32, iter_space: [3] * [32], iter_map: (d0) -> (d0)>} : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "middle" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %low = vector.extract %v[0] : f32 from vector<32xf32>
    %high = vector.extract %v[31] : f32 from vector<32xf32>
    %scale = arith.constant 0.0625 : f32
    %less = arith.subf %high, %low : f32
    %w = arith.mulf %less, %scale : f32
    dataflow.stream_write %w, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "down" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index):
    %x = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    %all = vector.broadcast %x : f32 to vector<32x16xf32>
    %none = arith.constant dense<0.0> : vector<512xf32>
    %p0 = dataflow.stream_read %v0 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w0 = vector.insert_strided_slice %p0, %none {offsets = [0], strides = [1]} : vector<128xf32> into vector<512xf32>
    %p1 = dataflow.stream_read %v1 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w1 = vector.insert_strided_slice %p1, %w0 {offsets = [128], strides = [1]} : vector<128xf32> into vector<512xf32>
    %p2 = dataflow.stream_read %v2 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w2 = vector.insert_strided_slice %p2, %w1 {offsets = [256], strides = [1]} : vector<128xf32> into vector<512xf32>
    %p3 = dataflow.stream_read %v3 : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %w3 = vector.insert_strided_slice %p3, %w2 {offsets = [384], strides = [1]} : vector<128xf32> into vector<512xf32>
    %rows = vector.shape_cast %w3 : vector<512xf32> to vector<32x16xf32>
    %q16 = arith.mulf %all, %rows : vector<32x16xf32>
    %l8 = vector.extract_strided_slice %q16 {offsets = [0, 0], sizes = [32, 8], strides = [1, 1]} : vector<32x16xf32> to vector<32x8xf32>
    %r8 = vector.extract_strided_slice %q16 {offsets = [0, 8], sizes = [32, 8], strides = [1, 1]} : vector<32x16xf32> to vector<32x8xf32>
    %q8 = arith.addf %l8, %r8 : vector<32x8xf32>
    %l4 = vector.extract_strided_slice %q8 {offsets = [0, 0], sizes = [32, 4], strides = [1, 1]} : vector<32x8xf32> to vector<32x4xf32>
    %r4 = vector.extract_strided_slice %q8 {offsets = [0, 4], sizes = [32, 4], strides = [1, 1]} : vector<32x8xf32> to vector<32x4xf32>
    %q4 = arith.addf %l4, %r4 : vector<32x4xf32>
    %l2 = vector.extract_strided_slice %q4 {offsets = [0, 0], sizes = [32, 2], strides = [1, 1]} : vector<32x4xf32> to vector<32x2xf32>
    %r2 = vector.extract_strided_slice %q4 {offsets = [0, 2], sizes = [32, 2], strides = [1, 1]} : vector<32x4xf32> to vector<32x2xf32>
    %q2 = arith.addf %l2, %r2 : vector<32x2xf32>
    %l1 = vector.extract_strided_slice %q2 {offsets = [0, 0], sizes = [32, 1], strides = [1, 1]} : vector<32x2xf32> to vector<32x1xf32>
    %r1 = vector.extract_strided_slice %q2 {offsets = [0, 1], sizes = [32, 1], strides = [1, 1]} : vector<32x2xf32> to vector<32x1xf32>
    %q1 = arith.addf %l1, %r1 : vector<32x1xf32>
    %sum = vector.shape_cast %q1 : vector<32x1xf32> to vector<32xf32>
    dataflow.stream_write %sum, %d {dataflow.order = !itensor.itensor<16xf32, iter_space: [6] * [16], iter_map: (d0) -> (d0)>} : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "leave" compute [2, 3] counts affine_map<()[s0] -> (s0, 3)> (%layers) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %d : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %low = vector.extract %v[0] : f32 from vector<32xf32>
    %high = vector.extract %v[31] : f32 from vector<32xf32>
    %scale = arith.constant 0.0625 : f32
    %less = arith.subf %high, %low : f32
    %w = arith.mulf %less, %scale : f32
    dataflow.stream_write %w, %h when affine_set<(d0, d1)[s0] : (s0 - d0 - 2 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %w, %o when affine_set<(d0, d1)[s0] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [3] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<3xf32>
  }
}
func.func @main(%layers: index) -> tensor<3xf32> {
  %y = dataflow.launch @ring() scalars(%layers) : () -> tensor<3xf32>
  return %y : tensor<3xf32>
}
