// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{[design.cycle] leaf tasks 'a', 'b' wait for each other; declare the FIFO through which values return 'back', or break the cycle into two designs}}
dataflow.design @undeclared {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %h = dataflow.stream "h" : !dataflow.stream<f32>
  dataflow.leaf "a" compute [4, 8] {
  ^bb0(%t: index, %i: index):
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %one = arith.constant 1.0 : f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %one, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "b" compute [4, 8] {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0, d1) : (2 - d0 >= 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @no_cycle {
  // expected-error@+1 {{[design.cycle] FIFO 'f' is declared 'back' and closes no cycle; leave 'back' out}}
  %f = dataflow.stream "f" back : !dataflow.stream<f32>
  dataflow.leaf "a" compute [4] {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "b" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @itself {
  // expected-error@+1 {{[design.cycle] leaf 'a' reads 'h', which it writes; keep the values in a private memory}}
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  dataflow.leaf "a" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %h : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h : f32, !dataflow.stream<f32>
  }
}

// -----

// What 'b' gives in trip 3 nobody has read in an earlier trip: 'a' reads as early as 'b' writes.
dataflow.design @same_trip {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  // expected-error@+1 {{[design.cycle] up to trip 1 of its outermost loop leaf 'a' reads 8 tokens of FIFO 'h', leaf 'b' has written 0 in earlier trips}}
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  // expected-note@+1 {{leaves of a cycle go round together, a trip each}}
  dataflow.leaf "a" compute [4, 8] {
  ^bb0(%t: index, %i: index):
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %one = arith.constant 1.0 : f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %one, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "b" compute [4, 8] {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @rounds {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  dataflow.leaf "a" compute [4, 8] {
  ^bb0(%t: index, %i: index):
    %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
    %one = arith.constant 1.0 : f32
    %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
    %v = arith.select %first, %one, %old : f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  // expected-error@+1 {{[design.cycle] the leaves of a cycle go round together, but the outermost loop makes 32 trips and that of leaf 'a' 4}}
  dataflow.leaf "b" compute [32] {
  ^bb0(%t: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0) : (23 - d0 >= 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @held {
  %b = dataflow.buffer "b" blocks 1 : !dataflow.buffer<4xf32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  // expected-error@+1 {{[design.cycle] holds a block over all trips of its outermost loop}}
  dataflow.leaf "a" fill [4] writes(%b at 0 : !dataflow.buffer<4xf32>) {
  ^bb0(%t: index):
    %v = dataflow.stream_read %h : !dataflow.stream<f32> -> f32
    dataflow.store %v, %b affine_map<(d0) -> (d0)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "b" drain [4] reads(%b at 0 : !dataflow.buffer<4xf32>) {
  ^bb0(%t: index):
    %v = dataflow.load %b affine_map<(d0) -> (d0)> : !dataflow.buffer<4xf32> -> f32
    dataflow.stream_write %v, %h : f32, !dataflow.stream<f32>
  }
}

// -----

// A lag across the loop that goes round: the second nest would still be at trip 0 while the first waits for what comes of it.
dataflow.design @lag {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  // expected-error@+1 {{[design.cycle] its nests run together across the outermost loop, and a FIFO that goes back closes that loop}}
  dataflow.leaf "a" compute [4] attributes {together} {
  ^bb0(%t: index, %m: !dataflow.private<2x8xf32>):
    dataflow.nest "fill" [8] {
    ^bb0(%i: index):
      %old = dataflow.stream_read %h when affine_set<(d0, d1) : (d0 - 1 >= 0)> : !dataflow.stream<f32> -> f32
      %one = arith.constant 1.0 : f32
      %first = dataflow.test affine_set<(d0, d1) : (d0 == 0)>
      %v = arith.select %first, %one, %old : f32
      dataflow.store %v, %m affine_map<(d0, d1) -> (d0 mod 2, d1)> : f32, !dataflow.private<2x8xf32>
    }
    dataflow.nest "drain" [8] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(d0, d1) -> (d0 mod 2, d1)> : !dataflow.private<2x8xf32> -> f32
      dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "b" compute [4, 8] {
  ^bb0(%t: index, %i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %h when affine_set<(d0, d1) : (2 - d0 >= 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

!line = !itensor.itensor<1xf32, iter_space: [4] * [1], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [4] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<f32>] gives ["y" : !line as !dataflow.stream<f32>] {
^bb0(%x: tensor<4xf32>):
  dataflow.yield %x : tensor<4xf32>
}
dataflow.design @written_by_hand {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  dataflow.leaf "a" compute [4] {
  ^bb0(%t: index):
    %v = dataflow.stream_read %h : !dataflow.stream<f32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  // expected-error@+1 {{[design.cycle] a kernel written by hand cannot stand on a cycle: its reference takes whole tensors}}
  dataflow.leaf "copy" extern [4] {
  ^bb0(%t: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    %r = dataflow.extern_step @copy(%v) : (f32) -> f32
    dataflow.stream_write %r, %h : f32, !dataflow.stream<f32>
  }
}
