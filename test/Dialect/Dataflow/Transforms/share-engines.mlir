// RUN: streamtensor-opt %s %u55c --dataflow-share-engines >%t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-run %s --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-run %t --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: streamtensor-opt %t --streamtensor-size-phase >%t.sized
// RUN: streamtensor-run %t.sized --pipelined --elements 4 | FileCheck %s --check-prefix=VALUES
// RUN: rm -rf %t.out && streamtensor-translate %t.sized --output-dir=%t.out && FileCheck %s --check-prefix=CPP --input-file=%t.out/hls/ring.cpp

// A layer multiplies each element h by 2, adds 1, and multiplies by 3; the second product is summed over both elements of a
// row: two layers of rows (1, 1) give 3 (2 + 1) + 3 (2 + 1) = 18, then 2 * 3 (36 + 1) = 222.
// VALUES: layers = 2 (the largest)
// VALUES: result0 tensor<4xf32> [222, 222, 222, 222]

// Both leaves go as a whole: the second with the memory that it adds up in.
// CHECK-NOT: dataflow.leaf "down"
// CHECK: dataflow.leaf "engine" compute [2] counts affine_map<()[s0] -> (s0)> (%layers)
// CHECK: ^bb0(%{{.*}}: index, %[[MEMORY:.*]]: !dataflow.private<1xf32>):
// CHECK: dataflow.nest "up" [2, 2]
// CHECK: dataflow.stream_read %f
// CHECK: arith.mulf
// CHECK: dataflow.stream_write {{.*}}, %a
// CHECK: dataflow.nest "down" [2, 2]
// CHECK: dataflow.stream_read %b
// CHECK: arith.mulf
// CHECK: dataflow.load %[[MEMORY]]
// CHECK: arith.addf
// CHECK: dataflow.store {{.*}}, %[[MEMORY]]
// CHECK: dataflow.stream_write {{.*}}, %d when
// CHECK-NOT: dataflow.leaf "down"

// CPP: ring_tasks::engine({{.*}}, trip, 0, engine_kept);
// CPP: ring_tasks::act({{.*}}, trip, act_kept);
// CPP: ring_tasks::engine({{.*}}, trip, 1, engine_kept);
// CPP: ring_tasks::leave({{.*}}, trip, leave_kept);

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
  ^bb0(%t: index, %i: index, %j: index):
    %two = arith.constant 2.0 : f32
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %two : f32
    dataflow.stream_write %w, %a : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "act" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %one = arith.constant 1.0 : f32
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %w = arith.addf %v, %one : f32
    dataflow.stream_write %w, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "down" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index, %j: index, %m: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %three = arith.constant 3.0 : f32
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %three : f32
    %before = dataflow.load %m affine_map<(d0, d1, d2) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0, d1, d2) : (d2 == 0)>
    %start = arith.select %first, %zero, %before : f32
    %sum = arith.addf %start, %w : f32
    dataflow.store %sum, %m affine_map<(d0, d1, d2) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %sum, %d when affine_set<(d0, d1, d2) : (d2 - 1 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "leave" compute [2, 2, 2] counts affine_map<()[s0] -> (s0, 2, 2)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %v = dataflow.stream_read %d when affine_set<(d0, d1, d2) : (d2 == 0)> : !dataflow.stream<f32> -> f32
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
