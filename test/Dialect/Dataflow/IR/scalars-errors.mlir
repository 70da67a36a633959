// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

dataflow.design @range {
  // expected-error@+1 {{[design.scalars] its values go from 8 to 3; they must be a range from 0 to 2147483647}}
  %n = dataflow.scalar "n" from 8 to 3 : index
}

// -----

dataflow.design @names {
  %n = dataflow.scalar "n" from 1 to 3 : index
  // expected-error@+1 {{[design.scalars] a second scalar is named 'n'}}
  %m = dataflow.scalar "n" from 1 to 3 : index
}

// -----

dataflow.design @place {
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  // expected-error@+1 {{[design.scalars] scalars are declared behind the ports}}
  %n = dataflow.scalar "n" from 1 to 3 : index
}

// -----

dataflow.design @no_scalars {
  // expected-error@+1 {{[leaf.counts] states the scalars of its nest and a map of counts, or neither}}
  dataflow.leaf "l" compute [4] counts affine_map<()[] -> (4)> () {
  ^bb0(%i: index):
  }
}

// -----

// A count above its maximum.
dataflow.design @above {
  %n = dataflow.scalar "n" from 1 to 33 : index
  // expected-error@+1 {{[leaf.counts] the count of loop 1 may be 9, above its maximum of 8; trips are the largest counts}}
  dataflow.leaf "l" compute [4, 8] counts affine_map<()[s0] -> (4, s0 ceildiv 4)> (%n) {
  ^bb0(%i: index, %j: index):
  }
}

// -----

dataflow.design @below {
  %n = dataflow.scalar "n" from 1 to 32 : index
  // expected-error@+1 {{[leaf.counts] the count of loop 0 may be 32, below its maximum of 40}}
  dataflow.leaf "l" compute [40] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @none {
  %n = dataflow.scalar "n" from 0 to 8 : index
  // expected-error@+1 {{[leaf.counts] the count of loop 0 may be 0, it must be at least 1}}
  dataflow.leaf "l" compute [8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @shared {
  %n = dataflow.scalar "n" from 1 to 8 : index
  // expected-error@+1 {{[leaf.counts] loops that nests share and run together have constant counts}}
  dataflow.leaf "l" compute [8] counts affine_map<()[s0] -> (s0)> (%n) attributes {together} {
  ^bb0(%i: index):
    dataflow.nest "a" [4] {
    ^bb0(%j: index):
    }
    dataflow.nest "b" [4] lag 1 {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @many {
  %n = dataflow.scalar "n" from 1 to 96 : index
  // expected-error@+1 {{[leaf.counts] the nests run together with too many choices of counts}}
  dataflow.leaf "l" compute [8] counts affine_map<()[s0] -> (8)> (%n) attributes {together} {
  ^bb0(%i: index):
    dataflow.nest "a" [96] counts affine_map<()[s0] -> (s0)> {
    ^bb0(%j: index):
    }
    dataflow.nest "b" [4] lag 1 {
    ^bb0(%j: index):
    }
  }
}

// -----

// Two scalars of few counts each have many together.
dataflow.design @pairs {
  %n = dataflow.scalar "n" from 1 to 144 : index
  %m = dataflow.scalar "m" from 1 to 144 : index
  // expected-error@+1 {{[leaf.counts] the nests run together with too many choices of counts}}
  dataflow.leaf "l" compute [8] counts affine_map<()[s0, s1] -> (8)> (%n, %m) attributes {together} {
  ^bb0(%i: index):
    dataflow.nest "a" [9] counts affine_map<()[s0, s1] -> (s0 ceildiv 16)> {
    ^bb0(%j: index):
    }
    dataflow.nest "b" [9] counts affine_map<()[s0, s1] -> (s1 ceildiv 16)> lag 1 {
    ^bb0(%j: index):
    }
  }
}

// -----

dataflow.design @map {
  %n = dataflow.scalar "n" from 1 to 8 : index
  // expected-error@+1 {{[leaf.counts] the map must take the 1 scalars, its symbols, to the counts of the 2 loops}}
  dataflow.leaf "l" compute [8, 8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index, %j: index):
  }
}

// -----

dataflow.design @product {
  %n = dataflow.scalar "n" from 1 to 8 : index
  // expected-error@+1 {{[leaf.counts] a count is a sum of scalars times constants}}
  dataflow.leaf "l" compute [64] counts affine_map<()[s0, s1] -> (s0 * s1)> (%n, %n) {
  ^bb0(%i: index):
  }
}

// -----

dataflow.design @unnamed {
  %n = dataflow.scalar "n" from 1 to 8 : index
  %b = dataflow.stream "b" : !dataflow.stream<i32>
  dataflow.leaf "l" compute [8] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.scalars] uses scalar 'n', which leaf 'l' does not name; add it behind 'counts'}}
    %c = arith.index_cast %n : index to i32
    dataflow.stream_write %c, %b : i32, !dataflow.stream<i32>
  }
}

// -----

// Whether the guard holds anywhere depends on the number.
dataflow.design @guard {
  %n = dataflow.scalar "n" from 1 to 8 : index
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    // expected-error@+1 {{[leaf.guard] the guard must be a set over the 1 loop indices, each constraint comparing one of them with a constant or an affine form of the scalars, which every value of them puts inside the loop}}
    dataflow.stream_write %v, %b when affine_set<(d0) : (d0 - 3 == 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @test {
  %n = dataflow.scalar "n" from 1 to 8 : index
  dataflow.leaf "l" compute [8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.guard] the set must take the 1 loop indices of the leaf and its scalars}}
    %t = dataflow.test affine_set<(d0)[s0, s1] : (d0 - s1 == 0)>
  }
}

// -----

// Two tokens in the last iteration, if there is only one.
dataflow.design @once {
  %n = dataflow.scalar "n" from 1 to 8 : index
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    // expected-note@+1 {{the other access}}
    dataflow.stream_write %v, %b when affine_set<(d0) : (d0 == 0)> : f32, !dataflow.stream<f32>
    // expected-error@+1 {{[leaf.once] writes a second token in an iteration}}
    dataflow.stream_write %v, %b when affine_set<(d0)[s0] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32>
  }
}

// -----

// Beyond the memory for the largest number only.
dataflow.design @bounds {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %n = dataflow.scalar "n" from 1 to 8 : index
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "l" load [8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.bounds] dimension 0 of the memory has extent 8, the access reaches indices 1 to 15}}
    %v = dataflow.load %x affine_map<(d0)[s0] -> (d0 + s0)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @address {
  %x = dataflow.port in "x" : !dataflow.port<64xf32>
  %n = dataflow.scalar "n" from 1 to 8 : index
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "l" load [8] counts affine_map<()[s0] -> (s0)> (%n) {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.access] 'mod' and 'floordiv' need positive constants, '*' a constant}}
    %v = dataflow.load %x affine_map<(d0)[s0] -> (d0 * s0)> : !dataflow.port<64xf32> -> f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
}

// -----

// Equal at the largest number, 8 and 8, and at no other.
dataflow.design @tokens {
  %n = dataflow.scalar "n" from 1 to 4 : index
  // expected-error@+1 {{[design.tokens] 2 * n tokens are written to FIFO 'b' and 8 are read from it in one activation}}
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  // expected-note@+1 {{leaf 'l' writes 2 * n}}
  dataflow.leaf "l" load [4, 2] counts affine_map<()[s0] -> (s0, 2)> (%n) {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
  // expected-note@+1 {{leaf 'r' reads 8}}
  dataflow.leaf "r" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
  }
}

// -----

// A row less, rounded up, is another number.
dataflow.design @rounded {
  %n = dataflow.scalar "n" from 1 to 16 : index
  %m = dataflow.scalar "m" from 1 to 16 : index
  // expected-error@+1 {{[design.tokens] ((n + 3) floordiv 4) * m tokens are written to FIFO 'b' and m + (n floordiv 4) * m are read from it in one activation}}
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  // expected-note@+1 {{leaf 'l' writes}}
  dataflow.leaf "l" load [4, 16] counts affine_map<()[s0, s1] -> (s0 ceildiv 4, s1)> (%n, %m) {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
  // expected-note@+1 {{leaf 'r' reads}}
  dataflow.leaf "r" store [16, 5] counts affine_map<()[s0, s1] -> (s1, s0 floordiv 4 + 1)> (%n, %m) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @blocks {
  %n = dataflow.scalar "n" from 1 to 4 : index
  // expected-error@+1 {{[design.blocks] n blocks of buffer 'b' are written and 4 are read in one activation}}
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<2xf32>
  dataflow.leaf "w" fill [4, 2] counts affine_map<()[s0] -> (s0, 2)> (%n) writes(%b at 1 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f32
    dataflow.store %v, %b affine_map<(d0, d1) -> (d1)> : f32, !dataflow.buffer<2xf32>
  }
  dataflow.leaf "r" drain [4, 2] reads(%b at 1 : !dataflow.buffer<2xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %b affine_map<(d0, d1) -> (d1)> : !dataflow.buffer<2xf32> -> f32
  }
}

// -----

dataflow.design @d {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %n = dataflow.scalar "n" from 1 to 4 : index
  dataflow.leaf "l" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<8xf32> -> f32
  }
}
func.func @main(%x: tensor<8xf32>) {
  // expected-error@+1 {{[launch.scalars] gives 0 scalars, design 'd' has 1}}
  dataflow.launch @d(%x) : (tensor<8xf32>) -> ()
  return
}

// -----

// With four trips of the inner loop an element is met again after four iterations, with two after two.
dataflow.design @distance {
  %n = dataflow.scalar "n" from 2 to 4 : index
  dataflow.leaf "l" compute [8, 4] counts affine_map<()[s0] -> (8, s0)> (%n) attributes {ii = 2 : i64, depth = 9 : i64, storages = [#dataflow.storage<registers ports 0 read 0 write 1>]} {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<4xf32>):
    // expected-error@+1 {{[leaf.schedule] states a distance of 4 iterations to the store whose value it meets; it is a distance of 2 iterations}}
    %v = dataflow.load %acc affine_map<(d0, d1) -> (d1)> {dataflow.timing = #dataflow.timing<at 0 for 0>, distance = 4 : i64} : !dataflow.private<4xf32> -> f32
    dataflow.store %v, %acc affine_map<(d0, d1) -> (d1)> {dataflow.timing = #dataflow.timing<at 1 for 1>} : f32, !dataflow.private<4xf32>
  }
}

// -----

// The sum of an element meets itself too early, if there are two: 4 cycles lie between, it takes 7 and two of slack.
dataflow.design @hazard {
  %n = dataflow.scalar "n" from 2 to 4 : index
  dataflow.leaf "l" compute [8, 4] counts affine_map<()[s0] -> (8, s0)> (%n) attributes {ii = 2 : i64, depth = 9 : i64, storages = [#dataflow.storage<registers ports 0 read 0 write 1>]} {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<4xf32>):
    // expected-error@+1 {{[leaf.schedule] begins at stage 0 and meets, 2 iterations later at an interval of 2, what an access at stage 6 has not yet written: 3 cycles must lie between}}
    %v = dataflow.load %acc affine_map<(d0, d1) -> (d1)> {dataflow.timing = #dataflow.timing<at 0 for 0>, distance = 2 : i64} : !dataflow.private<4xf32> -> f32
    %w = arith.addf %v, %v {dataflow.timing = #dataflow.timing<at 0 for 6 on "add_f32">} : f32
    // expected-note@+1 {{the earlier access}}
    dataflow.store %w, %acc affine_map<(d0, d1) -> (d1)> {dataflow.timing = #dataflow.timing<at 6 for 1>} : f32, !dataflow.private<4xf32>
  }
}
