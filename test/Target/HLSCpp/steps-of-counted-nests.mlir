// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir %t
// RUN: FileCheck %s --input-file %t/hls/transpose.cpp

// Twelve blocks in nests with lag, whose rows the launch counts: of 13 steps the first fills only and the last drains
// only; all in between are alike, and those away from both ends are one product.
// CHECK: const {{.*}} [[FILL:fill_turns]] = n * 2;
// CHECK: const {{.*}} [[DRAIN:drain_turns]] = 2 * n;
// CHECK: const {{.*}} iterations = 1 * fill_turns + 1 * {{.*}} + 1 * {{.*}} + 1 * {{.*}} + 5 * {{.*}} + 1 * {{.*}} + 1 * {{.*}} + 1 * {{.*}} + 1 * drain_turns;
// CHECK: for ({{.*}} iteration = 0; iteration < iterations; ++iteration)

dataflow.design @transpose {
  %x = dataflow.port in "x" : !dataflow.port<96xf32>
  %y = dataflow.port out "y" : !dataflow.port<96xf32>
  %n = dataflow.scalar "n" from 1 to 4 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [12, 4, 2] counts affine_map<()[s0] -> (12, s0, 2)> (%n) {
  ^bb0(%b: index, %i: index, %j: index):
    %v = dataflow.load %x affine_map<(b, i, j)[s0] -> (b * 8 + i * 2 + j)> : !dataflow.port<96xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "swap" compute [12] counts affine_map<()[s0] -> (12)> (%n) attributes {together} {
  ^bb0(%b: index, %tile: !dataflow.private<2x4x2xf32>):
    dataflow.nest "fill" [4, 2] counts affine_map<()[s0] -> (s0, 2)> {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %tile affine_map<(b, i, j)[s0] -> (b mod 2, i, j)> : f32, !dataflow.private<2x4x2xf32>
    }
    dataflow.nest "drain" [2, 4] counts affine_map<()[s0] -> (2, s0)> lag 1 {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(b, i, j)[s0] -> (b mod 2, j, i)> : !dataflow.private<2x4x2xf32> -> f32
      dataflow.stream_write %v, %c : f32, !dataflow.stream<f32, 2>
    }
  }
  dataflow.leaf "store" store [12, 2, 4] counts affine_map<()[s0] -> (12, 2, s0)> (%n) {
  ^bb0(%b: index, %i: index, %j: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(b, i, j)[s0] -> (b * 8 + i * 4 + j)> : f32, !dataflow.port<96xf32>
  }
}
