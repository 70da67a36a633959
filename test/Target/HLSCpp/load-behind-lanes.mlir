// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s <%t/hls/behind.cpp

// A value that is used twice has a name. What it is made of is read behind the lanes that store it in the same iteration.
dataflow.design @behind {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %z = dataflow.port out "z" : !dataflow.port<4xf32>
  %q = dataflow.port out "q" : !dataflow.port<4xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>, 2>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>, 2>
  %c = dataflow.stream "c" : !dataflow.stream<vector<4xf32>, 2>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<16xf32> -> vector<4xf32>
    dataflow.stream_write %v, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>, 2>
    dataflow.stream_write %v, %b : vector<4xf32>, !dataflow.stream<vector<4xf32>, 2>
    dataflow.stream_write %v, %c : vector<4xf32>, !dataflow.stream<vector<4xf32>, 2>
  }

  // Made of a lane of a named value:
  // CHECK-LABEL: void lane(
  // CHECK: for (int [[U:u[0-9_]+]] = 0; [[U]] < 4; ++[[U]]) {
  // CHECK-NEXT: #pragma HLS unroll
  // CHECK-NEXT: [[M:[a-z_0-9]+]]{{\[}}[[U]]] =
  // CHECK: [[W:[a-z_0-9]+]]{{\[}}[[U]]] = [[M]]{{\[}}[[U]]];
  // CHECK: const float [[S:.*]] = -[[W]][2];
  // CHECK: [[S]] * [[S]]
  dataflow.leaf "lane" compute [4] {
  ^bb0(%i: index, %m: !dataflow.private<4xf32>):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>, 2> -> vector<4xf32>
    dataflow.store %v, %m affine_map<(i) -> (0)> : vector<4xf32>, !dataflow.private<4xf32>
    %w = dataflow.load %m affine_map<(i) -> (0)> : !dataflow.private<4xf32> -> vector<4xf32>
    %e = vector.extract %w[2] : f32 from vector<4xf32>
    %s = arith.negf %e : f32
    %p = arith.mulf %s, %s : f32
    dataflow.store %p, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }

  // Made of an element that it loads itself:
  // CHECK-LABEL: void element(
  // CHECK: for (int [[U:u[0-9_]+]] = 0; [[U]] < 4; ++[[U]]) {
  // CHECK-NEXT: #pragma HLS unroll
  // CHECK-NEXT: [[M:[a-z_0-9]+]]{{\[}}[[U]]] =
  // CHECK: const float [[S:.*]] = -[[M]][2];
  // CHECK: [[S]] * [[S]]
  dataflow.leaf "element" compute [4] {
  ^bb0(%i: index, %m: !dataflow.private<4xf32>):
    %v = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>, 2> -> vector<4xf32>
    dataflow.store %v, %m affine_map<(i) -> (0)> : vector<4xf32>, !dataflow.private<4xf32>
    %e = dataflow.load %m affine_map<(i) -> (2)> : !dataflow.private<4xf32> -> f32
    %s = arith.negf %e : f32
    %p = arith.mulf %s, %s : f32
    dataflow.store %p, %z affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }

  // The element itself:
  // CHECK-LABEL: void itself(
  // CHECK: for (int [[U:u[0-9_]+]] = 0; [[U]] < 4; ++[[U]]) {
  // CHECK-NEXT: #pragma HLS unroll
  // CHECK-NEXT: [[M:[a-z_0-9]+]]{{\[}}[[U]]] =
  // CHECK: const float [[S:.*]] = [[M]][2];
  // CHECK: [[S]] * [[S]]
  dataflow.leaf "itself" compute [4] {
  ^bb0(%i: index, %m: !dataflow.private<4xf32>):
    %v = dataflow.stream_read %c : !dataflow.stream<vector<4xf32>, 2> -> vector<4xf32>
    dataflow.store %v, %m affine_map<(i) -> (0)> : vector<4xf32>, !dataflow.private<4xf32>
    %s = dataflow.load %m affine_map<(i) -> (2)> : !dataflow.private<4xf32> -> f32
    %p = arith.mulf %s, %s : f32
    dataflow.store %p, %q affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
