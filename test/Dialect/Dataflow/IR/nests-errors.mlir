// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

dataflow.design @nothing_together {
  // expected-error@+1 {{[leaf.nests] only nests run together; the leaf has none}}
  dataflow.leaf "l" compute [4] attributes {together} {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @beside_nests {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
    // expected-error@+1 {{[leaf.nests] stands beside nests; a leaf holds a straight-line body, or nests and nothing else}}
    %one = arith.constant 1.0 : f32
  }
}

// -----

dataflow.design @one_name {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
    // expected-error@+1 {{[leaf.nests] a second nest is named 'a'}}
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @schedule_of_the_leaf {
  // expected-error@+1 {{[leaf.nests] its nests run one after the other: each states an interval and a depth of its own}}
  dataflow.leaf "l" compute [4] attributes {ii = 1 : i64, depth = 2 : i64} {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @schedule_of_a_nest {
  dataflow.leaf "l" compute [4] attributes {together} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.nests] runs together with others: the interval and the depth are those of the leaf}}
    dataflow.nest "a" [4] attributes {ii = 1 : i64, depth = 2 : i64} {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @two_blocks_behind {
  dataflow.leaf "l" compute [4] attributes {together} {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
    // expected-error@+1 {{[leaf.nests] has a lag of 2; the first nest has none, each other one as much as the nest before it or one block more}}
    dataflow.nest "b" [4] lag 2 {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @lag_in_turn {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
    // expected-error@+1 {{[leaf.nests] has a lag of 1}}
    dataflow.nest "b" [4] lag 1 {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @no_trip {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.nest] loop 1 makes 0 trips, it must make at least one}}
    dataflow.nest "a" [4, 0] {
    ^bb0(%j: index, %k: index):
    }
  }
}

// -----

dataflow.design @memory_of_a_nest {
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.nest] block argument 1 is no index of a loop; private memories belong to the leaf}}
    dataflow.nest "a" [4] {
    ^bb0(%j: index, %m: !dataflow.private<4xf32>):
    }
  }
}

// -----

dataflow.design @one_fifo {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] attributes {together} {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
      // expected-note@+1 {{the other access}}
      %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    }
    dataflow.nest "b" [4] lag 1 {
    ^bb0(%j: index):
      // expected-error@+1 {{[leaf.nests] another nest of the leaf reads this FIFO; nests that run together are at different blocks, so their tokens would mix}}
      %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
    }
  }
}

// -----

dataflow.design @shared_loops_too {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
      // expected-error@+1 {{[leaf.guard] the guard must be a set over the 2 loop indices, each constraint comparing one of them with a constant}}
      %v = dataflow.stream_read %s when affine_set<(j) : (j == 0)> : !dataflow.stream<f32> -> f32
    }
  }
}

// -----

// A quarter of what is filled is read a cycle before it has been written.
dataflow.design @too_early {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %r = dataflow.stream "r" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] attributes {together, ii = 1 : i64, depth = 9 : i64, storages = [#dataflow.storage<lutram partition [1, 1] ports 2 read 1 write 1>]} {
  ^bb0(%b: index, %m: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
      // expected-note@+1 {{the earlier access}}
      dataflow.store %v, %m affine_map<(b, i) -> (b mod 2, i)> {dataflow.timing = #dataflow.timing<at 5 for 1>} : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "drain" [4] lag 1 {
    ^bb0(%i: index):
      // expected-error@+1 {{[leaf.schedule] begins at stage 1 and meets, 4 iterations later at an interval of 1, what an access at stage 5 has not yet written: 1 cycles must lie between}}
      %v = dataflow.load %m affine_map<(b, i) -> (b mod 2, i)> {dataflow.timing = #dataflow.timing<at 1 for 1>, distance = 4 : i64} : !dataflow.private<2x4xf32> -> f32
      dataflow.stream_write %v, %r {dataflow.timing = #dataflow.timing<at 8 for 0>} : f32, !dataflow.stream<f32>
    }
  }
}

// -----

dataflow.design @two_widths {
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<16xf32>
  dataflow.leaf "l" load [2] {
  ^bb0(%b: index):
    dataflow.nest "narrow" [8] {
    ^bb0(%i: index):
      // expected-note@+1 {{the other access}}
      %v = dataflow.load %x affine_map<(b, i) -> (b * 8 + i)> {words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : !dataflow.port<16xf32> -> f32
    }
    dataflow.nest "wide" [2] {
    ^bb0(%i: index):
      // expected-error@+1 {{[leaf.words] moves words of 4 elements in bursts of 256, another access of the leaf to this port words of 1 in bursts of 256}}
      %v = dataflow.load %x affine_map<(b, i) -> (b * 8 + i * 4)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 256, outstanding = 1>} : !dataflow.port<16xf32> -> vector<4xf32>
    }
  }
}

// -----

// Blocks 0, 1 and 2 of each row lie in the halves 0, 1 and 0: the next row's block 0 is filled over block 2.
dataflow.design @odd_blocks {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %r = dataflow.stream "r" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [2, 3] attributes {together} {
  ^bb0(%row: index, %b: index, %m: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
      // expected-error@+1 {{[leaf.blocks] runs ahead into what another nest has still to read of an earlier block: that needs a memory for each block on the way, or a drain between them}}
      dataflow.store %v, %m affine_map<(row, b, i) -> (b mod 2, i)> : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "drain" [4] lag 1 {
    ^bb0(%i: index):
      // expected-note@+1 {{the other access}}
      %v = dataflow.load %m affine_map<(row, b, i) -> (b mod 2, i)> : !dataflow.private<2x4xf32> -> f32
      dataflow.stream_write %v, %r : f32, !dataflow.stream<f32>
    }
  }
}

// -----

// With a drain behind each row they do not meet, nor with four blocks in a row, nor if halves alternate over all blocks.
dataflow.design @halves {
  %x = dataflow.port out "x" : !dataflow.port<2x3x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x4x4xf32>
  %z = dataflow.port out "z" : !dataflow.port<2x3x4xf32>
  dataflow.leaf "drained" compute [2, 3] attributes {serial = 1 : i64, together} {
  ^bb0(%row: index, %b: index, %m: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%i: index):
      %v = arith.constant 1.0 : f32
      dataflow.store %v, %m affine_map<(row, b, i) -> (b mod 2, i)> : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "drain" [4] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(row, b, i) -> (b mod 2, i)> : !dataflow.private<2x4xf32> -> f32
      dataflow.store %v, %x affine_map<(row, b, i) -> (row, b, i)> : f32, !dataflow.port<2x3x4xf32>
    }
  }
  dataflow.leaf "even" compute [2, 4] attributes {together} {
  ^bb0(%row: index, %b: index, %m: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%i: index):
      %v = arith.constant 1.0 : f32
      dataflow.store %v, %m affine_map<(row, b, i) -> (b mod 2, i)> : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "drain" [4] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(row, b, i) -> (b mod 2, i)> : !dataflow.private<2x4xf32> -> f32
      dataflow.store %v, %y affine_map<(row, b, i) -> (row, b, i)> : f32, !dataflow.port<2x4x4xf32>
    }
  }
  dataflow.leaf "over_all" compute [2, 3] attributes {together} {
  ^bb0(%row: index, %b: index, %m: !dataflow.private<2x4xf32>):
    dataflow.nest "fill" [4] {
    ^bb0(%i: index):
      %v = arith.constant 1.0 : f32
      dataflow.store %v, %m affine_map<(row, b, i) -> ((row * 3 + b) mod 2, i)> : f32, !dataflow.private<2x4xf32>
    }
    dataflow.nest "drain" [4] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(row, b, i) -> ((row * 3 + b) mod 2, i)> : !dataflow.private<2x4xf32> -> f32
      dataflow.store %v, %z affine_map<(row, b, i) -> (row, b, i)> : f32, !dataflow.port<2x3x4xf32>
    }
  }
}
