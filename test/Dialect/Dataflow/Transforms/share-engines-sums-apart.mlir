// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-run %s --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-run %t --elements 4 | FileCheck %s --check-prefix=VALUES

// Sums that go on from layer to layer are not begun anew by a turn: another turn may not lie in their memory. Of h = 1,
// "up" adds 2 h to what it gave before, 2; "down" adds 3 (2 + 1), 9, which is the next layer's h: 2 + 2 * 9 = 20, and
// 9 + 3 * 21 = 72.
// VALUES: result0 tensor<4xf32> [72, 72, 72, 72]

// CHECK: dataflow.leaf "engine" compute [2]
// CHECK-NEXT: ^bb0(%{{[a-z0-9]*}}: index, %{{[a-z0-9]*}}: !dataflow.private<2x2xf32>, %{{[a-z0-9]*}}: !dataflow.private<2x2xf32>):

dataflow.design @ring {
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %layers = dataflow.scalar "layers" from 1 to 2 : index
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  %d = dataflow.stream "d" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  %o = dataflow.stream "o" : !dataflow.stream<f32>
  dataflow.leaf "ones" compute [2, 2] {
  ^bb0(%i: index, %j: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %s : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "enter" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %new = dataflow.stream_read %s when affine_set<(d0, d1, d2) : (d0 == 0)> : !dataflow.stream<f32> -> f32
    %old = dataflow.stream_read %h when affine_set<(d0, d1, d2) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2) : (d0 == 0)>
    %v = arith.select %first, %new, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "up" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index, %j: index, %m: !dataflow.private<2x2xf32>):
    %zero = arith.constant 0.0 : f32
    %factor = arith.constant 2.0 : f32
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %factor : f32
    %before = dataflow.load %m affine_map<(d0, d1, d2) -> (d1, d2)> : !dataflow.private<2x2xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2) : (d0 == 0)>
    %earlier = arith.select %first, %zero, %before : f32
    %sum = arith.addf %earlier, %w : f32
    dataflow.store %sum, %m affine_map<(d0, d1, d2) -> (d1, d2)> : f32, !dataflow.private<2x2xf32>
    dataflow.stream_write %sum, %a : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "act" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %one = arith.constant 1.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %w = arith.addf %v, %one : f32
    dataflow.stream_write %w, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "down" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index, %j: index, %m: !dataflow.private<2x2xf32>):
    %zero = arith.constant 0.0 : f32
    %factor = arith.constant 3.0 : f32
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %factor : f32
    %before = dataflow.load %m affine_map<(d0, d1, d2) -> (d1, d2)> : !dataflow.private<2x2xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2) : (d0 == 0)>
    %earlier = arith.select %first, %zero, %before : f32
    %sum = arith.addf %earlier, %w : f32
    dataflow.store %sum, %m affine_map<(d0, d1, d2) -> (d1, d2)> : f32, !dataflow.private<2x2xf32>
    dataflow.stream_write %sum, %d : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "leave" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %v = dataflow.stream_read %d : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0, d1, d2)[s0] : (s0 - d0 - 2 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %o when affine_set<(d0, d1, d2)[s0] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<4xf32>
  }
}
func.func @main(%layers: index) -> tensor<4xf32> {
  %y = dataflow.launch @ring() scalars(%layers) : () -> tensor<4xf32>
  return %y : tensor<4xf32>
}
