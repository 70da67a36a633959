// RUN: streamtensor-opt %s %u55c --dataflow-share-engines -split-input-file -verify-diagnostics

// What cannot be in an engine multiplies by itself, as it did.
dataflow.design @ring {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  // expected-warning@+1 {{[engine.fallback] leaf 'two' multiplies by itself and not in an engine: no product of its body is the widest}}
  dataflow.leaf "two" compute [4, 8] attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index):
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %one = arith.constant 1.0 : f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %one, %old : f32
    %w = arith.mulf %v, %one : f32
    %x = arith.mulf %v, %v : f32
    %y = arith.addf %w, %x : f32
    dataflow.stream_write %y, %f : f32, !dataflow.stream<f32>
  }
  // expected-warning@+1 {{[engine.fallback] leaf 'memory' multiplies by itself and not in an engine: what makes its operands is not apart from what takes its sums}}
  dataflow.leaf "memory" compute [4, 8] attributes {engine = "engine"} {
  ^bb0(%t: index, %i: index, %m: !dataflow.private<1xf32>):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %before = dataflow.load %m affine_map<(d0, d1) -> (0)> : !dataflow.private<1xf32> -> f32
    %w = arith.mulf %v, %before : f32
    %sum = arith.addf %w, %before : f32
    dataflow.store %sum, %m affine_map<(d0, d1) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %w, %h when affine_set<(d0, d1) : (2 - d0 >= 0)> : f32, !dataflow.stream<f32>
  }
}
