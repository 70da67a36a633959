// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-run %s --elements 2 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-run %t --elements 2 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-opt %t --streamtensor-size-phase | streamtensor-run - --pipelined --elements 2 | FileCheck %s --check-prefix=VALUES

// Lanes along two tokens and 16 rows: slices have four rows each, of both tokens, and the leaf that takes the sums puts
// rows of a slice beside those of the others. Row r of the first linear has 16 weights of 1 + r floordiv 4, of the second
// half as much: a layer takes 1 to (row 15 less row 0) / 16 = 3, then 4.5, a second one to 20.25; and 2 to twice as much.
// VALUES: result0 tensor<2xf32> [20.25, 40.5]

// CHECK: dataflow.leaf "up" compute [2]
// CHECK-COUNT-4: dataflow.stream_read %up_sums{{.*}} -> vector<8xf32>
// CHECK: vector.insert_strided_slice {{.*}} {offsets = [0, 12], strides = [1, 1]} : vector<2x4xf32> into vector<2x16xf32>
// CHECK: dataflow.leaf "engine_s0" compute [2]
// CHECK: arith.mulf {{.*}} : vector<2x4x16xf32>
// CHECK: dataflow.leaf "engine_s3" compute [2]
// CHECK: dataflow.stream_read %u3
// CHECK: dataflow.stream_write {{.*}}, %up_sums_3 : vector<8xf32>

!f = !dataflow.stream<f32>
!r = !dataflow.stream<vector<16xf32>>
!w = !dataflow.stream<vector<64xf32>>

dataflow.design @ring {
  %y = dataflow.port out "y" : !dataflow.port<2xf32>
  %layers = dataflow.scalar "layers" from 1 to 2 : index
  %s = dataflow.stream "s" : !f
  %f = dataflow.stream "f" : !f
  %a = dataflow.stream "a" : !r
  %b = dataflow.stream "b" : !f
  %d = dataflow.stream "d" : !r
  %o = dataflow.stream "o" : !f
  %u0 = dataflow.stream "u0" : !w
  %u1 = dataflow.stream "u1" : !w
  %u2 = dataflow.stream "u2" : !w
  %u3 = dataflow.stream "u3" : !w
  %v0 = dataflow.stream "v0" : !w
  %v1 = dataflow.stream "v1" : !w
  %v2 = dataflow.stream "v2" : !w
  %v3 = dataflow.stream "v3" : !w
  %h = dataflow.stream "h" back : !f
  dataflow.leaf "tokens" compute [2] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %isFirst = dataflow.test affine_set<(d0) : (d0 == 0)>
    %v = arith.select %isFirst, %one, %two : f32
    dataflow.stream_write %v, %s : f32, !f
  }
  dataflow.leaf "enter" compute [2, 2] counts affine_map<()[s0] -> (s0, 2)> (%layers) {
  ^bb0(%t: index, %i: index):
    %new = dataflow.stream_read %s when affine_set<(d0, d1) : (d0 == 0)> : !f -> f32
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !f -> f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %new, %old : f32
    dataflow.stream_write %v, %f : f32, !f
  }
  dataflow.leaf "weights_up" compute [2, 1] counts affine_map<()[s0] -> (s0, 1)> (%layers) {
  ^bb0(%t: index, %i: index):
    %c0 = arith.constant dense<1.0> : vector<64xf32>
    dataflow.stream_write %c0, %u0 : vector<64xf32>, !w
    %c1 = arith.constant dense<2.0> : vector<64xf32>
    dataflow.stream_write %c1, %u1 : vector<64xf32>, !w
    %c2 = arith.constant dense<3.0> : vector<64xf32>
    dataflow.stream_write %c2, %u2 : vector<64xf32>, !w
    %c3 = arith.constant dense<4.0> : vector<64xf32>
    dataflow.stream_write %c3, %u3 : vector<64xf32>, !w
  }
  dataflow.leaf "weights_down" compute [2, 1] counts affine_map<()[s0] -> (s0, 1)> (%layers) {
  ^bb0(%t: index, %i: index):
    %c0 = arith.constant dense<0.5> : vector<64xf32>
    dataflow.stream_write %c0, %v0 : vector<64xf32>, !w
    %c1 = arith.constant dense<1.0> : vector<64xf32>
    dataflow.stream_write %c1, %v1 : vector<64xf32>, !w
    %c2 = arith.constant dense<1.5> : vector<64xf32>
    dataflow.stream_write %c2, %v2 : vector<64xf32>, !w
    %c3 = arith.constant dense<2.0> : vector<64xf32>
    dataflow.stream_write %c3, %v3 : vector<64xf32>, !w
  }
  dataflow.leaf "up" compute [2] counts affine_map<()[s0] -> (s0)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %x: !dataflow.private<2xf32>, %m: !dataflow.private<2x16xf32>):
    dataflow.nest "fill" [2] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %f : !f -> f32
      dataflow.store %v, %x affine_map<(d0, d1) -> (d1)> : f32, !dataflow.private<2xf32>
    }
    dataflow.nest "core" [1] {
    ^bb0(%i: index):
      %pair = dataflow.load %x affine_map<(d0, d1) -> (d1)> : !dataflow.private<2xf32> -> vector<2xf32>
      %tokens = vector.shape_cast %pair : vector<2xf32> to vector<2x1x1xf32>
      %all = vector.broadcast %tokens : vector<2x1x1xf32> to vector<2x16x16xf32>
      %none = arith.constant dense<0.0> : vector<256xf32>
      %p0 = dataflow.stream_read %u0 : !w -> vector<64xf32>
      %w0 = vector.insert_strided_slice %p0, %none {offsets = [0], strides = [1]} : vector<64xf32> into vector<256xf32>
      %p1 = dataflow.stream_read %u1 : !w -> vector<64xf32>
      %w1 = vector.insert_strided_slice %p1, %w0 {offsets = [64], strides = [1]} : vector<64xf32> into vector<256xf32>
      %p2 = dataflow.stream_read %u2 : !w -> vector<64xf32>
      %w2 = vector.insert_strided_slice %p2, %w1 {offsets = [128], strides = [1]} : vector<64xf32> into vector<256xf32>
      %p3 = dataflow.stream_read %u3 : !w -> vector<64xf32>
      %w3 = vector.insert_strided_slice %p3, %w2 {offsets = [192], strides = [1]} : vector<64xf32> into vector<256xf32>
      %rows = vector.shape_cast %w3 : vector<256xf32> to vector<1x16x16xf32>
      %both = vector.broadcast %rows : vector<1x16x16xf32> to vector<2x16x16xf32>
      %q16 = arith.mulf %all, %both : vector<2x16x16xf32>
      %l8 = vector.extract_strided_slice %q16 {offsets = [0, 0, 0], sizes = [2, 16, 8], strides = [1, 1, 1]} : vector<2x16x16xf32> to vector<2x16x8xf32>
      %r8 = vector.extract_strided_slice %q16 {offsets = [0, 0, 8], sizes = [2, 16, 8], strides = [1, 1, 1]} : vector<2x16x16xf32> to vector<2x16x8xf32>
      %q8 = arith.addf %l8, %r8 : vector<2x16x8xf32>
      %l4 = vector.extract_strided_slice %q8 {offsets = [0, 0, 0], sizes = [2, 16, 4], strides = [1, 1, 1]} : vector<2x16x8xf32> to vector<2x16x4xf32>
      %r4 = vector.extract_strided_slice %q8 {offsets = [0, 0, 4], sizes = [2, 16, 4], strides = [1, 1, 1]} : vector<2x16x8xf32> to vector<2x16x4xf32>
      %q4 = arith.addf %l4, %r4 : vector<2x16x4xf32>
      %l2 = vector.extract_strided_slice %q4 {offsets = [0, 0, 0], sizes = [2, 16, 2], strides = [1, 1, 1]} : vector<2x16x4xf32> to vector<2x16x2xf32>
      %r2 = vector.extract_strided_slice %q4 {offsets = [0, 0, 2], sizes = [2, 16, 2], strides = [1, 1, 1]} : vector<2x16x4xf32> to vector<2x16x2xf32>
      %q2 = arith.addf %l2, %r2 : vector<2x16x2xf32>
      %l1 = vector.extract_strided_slice %q2 {offsets = [0, 0, 0], sizes = [2, 16, 1], strides = [1, 1, 1]} : vector<2x16x2xf32> to vector<2x16x1xf32>
      %r1 = vector.extract_strided_slice %q2 {offsets = [0, 0, 1], sizes = [2, 16, 1], strides = [1, 1, 1]} : vector<2x16x2xf32> to vector<2x16x1xf32>
      %q1 = arith.addf %l1, %r1 : vector<2x16x1xf32>
      %sum = vector.shape_cast %q1 : vector<2x16x1xf32> to vector<2x16xf32>
      dataflow.store %sum, %m affine_map<(d0, d1) -> (d1, 0)> : vector<2x16xf32>, !dataflow.private<2x16xf32>
    }
    dataflow.nest "drain" [2] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(d0, d1) -> (d1, 0)> : !dataflow.private<2x16xf32> -> vector<1x16xf32>
      %row = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
      dataflow.stream_write %row, %a : vector<16xf32>, !r
    }
  }
  dataflow.leaf "middle" compute [2, 2] counts affine_map<()[s0] -> (s0, 2)> (%layers) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %a : !r -> vector<16xf32>
    %low = vector.extract %v[0] : f32 from vector<16xf32>
    %high = vector.extract %v[15] : f32 from vector<16xf32>
    %scale = arith.constant 0.0625 : f32
    %less = arith.subf %high, %low : f32
    %w = arith.mulf %less, %scale : f32
    dataflow.stream_write %w, %b : f32, !f
  }
  dataflow.leaf "down" compute [2] counts affine_map<()[s0] -> (s0)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %x: !dataflow.private<2xf32>, %m: !dataflow.private<2x16xf32>):
    dataflow.nest "fill" [2] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %b : !f -> f32
      dataflow.store %v, %x affine_map<(d0, d1) -> (d1)> : f32, !dataflow.private<2xf32>
    }
    dataflow.nest "core" [1] {
    ^bb0(%i: index):
      %pair = dataflow.load %x affine_map<(d0, d1) -> (d1)> : !dataflow.private<2xf32> -> vector<2xf32>
      %tokens = vector.shape_cast %pair : vector<2xf32> to vector<2x1x1xf32>
      %all = vector.broadcast %tokens : vector<2x1x1xf32> to vector<2x16x16xf32>
      %none = arith.constant dense<0.0> : vector<256xf32>
      %p0 = dataflow.stream_read %v0 : !w -> vector<64xf32>
      %w0 = vector.insert_strided_slice %p0, %none {offsets = [0], strides = [1]} : vector<64xf32> into vector<256xf32>
      %p1 = dataflow.stream_read %v1 : !w -> vector<64xf32>
      %w1 = vector.insert_strided_slice %p1, %w0 {offsets = [64], strides = [1]} : vector<64xf32> into vector<256xf32>
      %p2 = dataflow.stream_read %v2 : !w -> vector<64xf32>
      %w2 = vector.insert_strided_slice %p2, %w1 {offsets = [128], strides = [1]} : vector<64xf32> into vector<256xf32>
      %p3 = dataflow.stream_read %v3 : !w -> vector<64xf32>
      %w3 = vector.insert_strided_slice %p3, %w2 {offsets = [192], strides = [1]} : vector<64xf32> into vector<256xf32>
      %rows = vector.shape_cast %w3 : vector<256xf32> to vector<1x16x16xf32>
      %both = vector.broadcast %rows : vector<1x16x16xf32> to vector<2x16x16xf32>
      %q16 = arith.mulf %all, %both : vector<2x16x16xf32>
      %l8 = vector.extract_strided_slice %q16 {offsets = [0, 0, 0], sizes = [2, 16, 8], strides = [1, 1, 1]} : vector<2x16x16xf32> to vector<2x16x8xf32>
      %r8 = vector.extract_strided_slice %q16 {offsets = [0, 0, 8], sizes = [2, 16, 8], strides = [1, 1, 1]} : vector<2x16x16xf32> to vector<2x16x8xf32>
      %q8 = arith.addf %l8, %r8 : vector<2x16x8xf32>
      %l4 = vector.extract_strided_slice %q8 {offsets = [0, 0, 0], sizes = [2, 16, 4], strides = [1, 1, 1]} : vector<2x16x8xf32> to vector<2x16x4xf32>
      %r4 = vector.extract_strided_slice %q8 {offsets = [0, 0, 4], sizes = [2, 16, 4], strides = [1, 1, 1]} : vector<2x16x8xf32> to vector<2x16x4xf32>
      %q4 = arith.addf %l4, %r4 : vector<2x16x4xf32>
      %l2 = vector.extract_strided_slice %q4 {offsets = [0, 0, 0], sizes = [2, 16, 2], strides = [1, 1, 1]} : vector<2x16x4xf32> to vector<2x16x2xf32>
      %r2 = vector.extract_strided_slice %q4 {offsets = [0, 0, 2], sizes = [2, 16, 2], strides = [1, 1, 1]} : vector<2x16x4xf32> to vector<2x16x2xf32>
      %q2 = arith.addf %l2, %r2 : vector<2x16x2xf32>
      %l1 = vector.extract_strided_slice %q2 {offsets = [0, 0, 0], sizes = [2, 16, 1], strides = [1, 1, 1]} : vector<2x16x2xf32> to vector<2x16x1xf32>
      %r1 = vector.extract_strided_slice %q2 {offsets = [0, 0, 1], sizes = [2, 16, 1], strides = [1, 1, 1]} : vector<2x16x2xf32> to vector<2x16x1xf32>
      %q1 = arith.addf %l1, %r1 : vector<2x16x1xf32>
      %sum = vector.shape_cast %q1 : vector<2x16x1xf32> to vector<2x16xf32>
      dataflow.store %sum, %m affine_map<(d0, d1) -> (d1, 0)> : vector<2x16xf32>, !dataflow.private<2x16xf32>
    }
    dataflow.nest "drain" [2] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(d0, d1) -> (d1, 0)> : !dataflow.private<2x16xf32> -> vector<1x16xf32>
      %row = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
      dataflow.stream_write %row, %d : vector<16xf32>, !r
    }
  }
  dataflow.leaf "leave" compute [2, 2] counts affine_map<()[s0] -> (s0, 2)> (%layers) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %d : !r -> vector<16xf32>
    %low = vector.extract %v[0] : f32 from vector<16xf32>
    %high = vector.extract %v[15] : f32 from vector<16xf32>
    %scale = arith.constant 0.0625 : f32
    %less = arith.subf %high, %low : f32
    %w = arith.mulf %less, %scale : f32
    dataflow.stream_write %w, %h when affine_set<(d0, d1)[s0] : (s0 - d0 - 2 >= 0)> : f32, !f
    dataflow.stream_write %w, %o when affine_set<(d0, d1)[s0] : (d0 - s0 + 1 == 0)> : f32, !f
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : !f -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<2xf32>
  }
}
func.func @main(%layers: index) -> tensor<2xf32> {
  %y = dataflow.launch @ring() scalars(%layers) : () -> tensor<2xf32>
  return %y : tensor<2xf32>
}
