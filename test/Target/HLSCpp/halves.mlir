// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/transpose.cpp

// Nests that run together take the halves of a memory in turn: in one iteration "fill" writes the one and "drain" reads
// the other. No compiler sees that by itself, so that the C++ says it. Where nests run one after the other there is
// nothing to say. Two reads of an element are in no order.
// CHECK: void together(
// CHECK: float local[2][4][4];
// CHECK-NEXT: #pragma HLS bind_storage variable=local
// CHECK: #pragma HLS dependence variable=local type=intra dependent=false
// CHECK: void sums(
// CHECK: #pragma HLS dependence variable=local type=intra dependent=false
// CHECK: void turns(
// CHECK-NOT: type=intra
dataflow.design @transpose {
  %x = dataflow.port in "x" : !dataflow.port<48xf32>
  %y = dataflow.port out "y" : !dataflow.port<48xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 2>
  dataflow.leaf "together" compute [3] attributes {together} {
  ^bb0(%b: index, %tile: !dataflow.private<2x4x4xf32>):
    dataflow.nest "fill" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %x affine_map<(b, i, j) -> (b * 16 + i * 4 + j)> : !dataflow.port<48xf32> -> f32
      dataflow.store %v, %tile affine_map<(b, i, j) -> (b mod 2, i, j)> : f32, !dataflow.private<2x4x4xf32>
    }
    dataflow.nest "drain" [4, 4] lag 1 {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(b, i, j) -> (b mod 2, j, i)> : !dataflow.private<2x4x4xf32> -> f32
      dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
    }
  }
  dataflow.leaf "sums" compute [3] attributes {together} {
  ^bb0(%b: index, %tile: !dataflow.private<2x4x4xf32>):
    dataflow.nest "fill" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %tile affine_map<(b, i, j) -> (b mod 2, i, j)> : f32, !dataflow.private<2x4x4xf32>
    }
    dataflow.nest "drain" [4, 4] lag 1 {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(b, i, j) -> (b mod 2, i, j)> : !dataflow.private<2x4x4xf32> -> f32
      %w = dataflow.load %tile affine_map<(b, i, j) -> (b mod 2, j, i)> : !dataflow.private<2x4x4xf32> -> f32
      %sum = arith.addf %v, %w : f32
      dataflow.stream_write %sum, %c : f32, !dataflow.stream<f32, 2>
    }
  }
  dataflow.leaf "turns" compute [3] {
  ^bb0(%b: index, %tile: !dataflow.private<1x4x4xf32>):
    dataflow.nest "fill" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %c : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %tile affine_map<(b, i, j) -> (0, i, j)> : f32, !dataflow.private<1x4x4xf32>
    }
    dataflow.nest "drain" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(b, i, j) -> (0, j, i)> : !dataflow.private<1x4x4xf32> -> f32
      dataflow.store %v, %y affine_map<(b, i, j) -> (b * 16 + i * 4 + j)> : f32, !dataflow.port<48xf32>
    }
  }
}
