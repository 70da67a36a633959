// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

// What a scheduled leaf says is proved: [leaf.schedule], [leaf.words], [leaf.storage], [design.fifo].

dataflow.design @incomplete {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] attributes {ii = 1 : i64, depth = 3 : i64} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.schedule] has no 'dataflow.timing' in a leaf with an interval}}
    %v = dataflow.stream_read %s : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @shallow {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  // expected-error@+1 {{[leaf.schedule] the pipeline is 3 cycles deep, its last operation ends after 7}}
  dataflow.leaf "l" compute [4] attributes {ii = 1 : i64, depth = 3 : i64} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
    %w = arith.addf %v, %v {dataflow.timing = #dataflow.timing<at 1 for 6 on "add_f32">} : f32
  }
}

// -----

dataflow.design @on_nothing {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] attributes {ii = 1 : i64, depth = 7 : i64} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
    // expected-error@+1 {{[leaf.schedule] does not say what computes it: write 'on' with the name of an operator}}
    %w = arith.addf %v, %v {dataflow.timing = #dataflow.timing<at 1 for 6>} : f32
  }
}

// -----

dataflow.design @core_of_nothing {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] attributes {ii = 1 : i64, depth = 3 : i64} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.schedule] 'as' says what an operator is built of; none stands in front of it: write 'on' with its name there}}
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1 as "fulldsp">} : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @timing_elsewhere {
  // expected-error@+1 {{[leaf.schedule] 'dataflow.timing' is a #dataflow.timing and stands on operations in the body of a leaf}}
  %s = dataflow.stream "s" {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32>
}

// -----

// A stage of 1 behind a load that takes 77 cycles.
dataflow.design @too_early {
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" load [4] attributes {ii = 1 : i64, depth = 78 : i64} {
  ^bb0(%i: index):
    // expected-note@+1 {{which begins at stage 0 and takes 77 cycles}}
    %v = dataflow.load %x affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 0 for 77>, words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : !dataflow.port<4xf32> -> f32
    // expected-error@+1 {{[leaf.schedule] begins at stage 1 and uses a value that is there at stage 77}}
    dataflow.stream_write %v, %s {dataflow.timing = #dataflow.timing<at 1 for 0>} : f32, !dataflow.stream<f32>
  }
}

// -----

// A word of two cycles more than the port states.
dataflow.design @port_latency {
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  dataflow.leaf "l" load [4] attributes {ii = 1 : i64, depth = 80 : i64} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.schedule] takes 79 cycles, its memory takes 77}}
    %v = dataflow.load %x affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 0 for 79>, words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : !dataflow.port<4xf32> -> f32
  }
}

// -----

dataflow.design @wide_word {
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 64, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  dataflow.leaf "l" load [1] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] a word of 128 bits is wider than the 64 of port 'x'}}
    %v = dataflow.load %x affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1>} : !dataflow.port<4xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @few_words {
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<8xf32>
  dataflow.leaf "l" load [1] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] 1 words with 4 elements each move 4 elements, the access moves 8}}
    %v = dataflow.load %x affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1>} : !dataflow.port<8xf32> -> vector<8xf32>
  }
}

// -----

dataflow.design @long_request {
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  dataflow.leaf "l" load [1] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] a request of 2 words is more than the 1 of an iteration and of a burst}}
    %v = dataflow.load %x affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1, request = 2>} : !dataflow.port<4xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @no_interface {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  dataflow.leaf "l" load [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] only an access to a port with an interface moves words}}
    %v = dataflow.load %x affine_map<(i) -> (i)> {words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : !dataflow.port<4xf32> -> f32
  }
}

// -----

dataflow.design @no_words {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  dataflow.leaf "l" load [4] attributes {ii = 1 : i64, depth = 77 : i64} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] a scheduled access to a port states its words, and the port its interface}}
    %v = dataflow.load %x affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 0 for 77>} : !dataflow.port<4xf32> -> f32
  }
}

// -----

// Sums over four iterations, an addition of six cycles, memory of one and one, two cycles of slack: an interval of 1
// is too small.
dataflow.design @interval {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [8, 4] attributes {ii = 1 : i64, depth = 8 : i64, storages = [#dataflow.storage<lutram partition [1] ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<4xf32>):
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
    // expected-error@+1 {{[leaf.schedule] begins at stage 0 and meets, 4 iterations later at an interval of 1, what an access at stage 7 has not yet written: 3 cycles must lie between}}
    %old = dataflow.load %acc affine_map<(i, j) -> (j)> {distance = 4 : i64, dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.private<4xf32> -> f32
    %new = arith.addf %old, %v {dataflow.timing = #dataflow.timing<at 1 for 6 on "add_f32">} : f32
    // expected-note@+1 {{the earlier access}}
    dataflow.store %new, %acc affine_map<(i, j) -> (j)> {dataflow.timing = #dataflow.timing<at 7 for 1>} : f32, !dataflow.private<4xf32>
  }
}

// -----

// With nine in turn the sum is there in time, and one cycle of slack is too little.
dataflow.design @slack {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4, 9] attributes {ii = 1 : i64, depth = 9 : i64, storages = [#dataflow.storage<lutram partition [1] ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<9xf32>):
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
    // expected-error@+1 {{[leaf.schedule] begins at stage 0 and meets, 9 iterations later at an interval of 1, what an access at stage 7 has not yet written: 3 cycles must lie between}}
    %old = dataflow.load %acc affine_map<(i, j) -> (j)> {distance = 9 : i64, dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.private<9xf32> -> f32
    %new = arith.addf %old, %v {dataflow.timing = #dataflow.timing<at 1 for 6 on "add_f32">} : f32
    // expected-note@+1 {{the earlier access}}
    dataflow.store %new, %acc affine_map<(i, j) -> (j)> {dataflow.timing = #dataflow.timing<at 7 for 1>} : f32, !dataflow.private<9xf32>
  }
}

// -----

// Integers need none, and what is stored is not what is loaded needs none either.
dataflow.design @without_slack {
  dataflow.leaf "integers" compute [4, 3] attributes {ii = 1 : i64, depth = 9 : i64, storages = [#dataflow.storage<lutram partition [1] ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<3xi32>):
    %one = arith.constant {dataflow.timing = #dataflow.timing<at 0 for 0 on "wire">} 1 : i32
    %old = dataflow.load %acc affine_map<(i, j) -> (j)> {distance = 3 : i64, dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.private<3xi32> -> i32
    %new = arith.addi %old, %one {dataflow.timing = #dataflow.timing<at 1 for 1 on "add_i32">} : i32
    dataflow.store %new, %acc affine_map<(i, j) -> (j)> {dataflow.timing = #dataflow.timing<at 2 for 1>} : i32, !dataflow.private<3xi32>
  }
  dataflow.leaf "queue" compute [12] attributes {ii = 1 : i64, depth = 9 : i64, storages = [#dataflow.storage<lutram partition [1] ports 4 write_ports 1 read 1 write 1>, #dataflow.storage<lutram partition [1] ports 4 read 1 write 1>]} {
  ^bb0(%i: index, %kept: !dataflow.private<2xf32>, %all: !dataflow.private<12xf32>):
    %one = arith.constant {dataflow.timing = #dataflow.timing<at 0 for 0 on "wire">} 1.0 : f32
    %old = dataflow.load %kept affine_map<(i) -> (i mod 2)> {distance = 2 : i64, dataflow.timing = #dataflow.timing<at 1 for 1>} : !dataflow.private<2xf32> -> f32
    dataflow.store %old, %all affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 2 for 1>} : f32, !dataflow.private<12xf32>
    dataflow.store %one, %kept affine_map<(i) -> (i mod 2)> {dataflow.timing = #dataflow.timing<at 2 for 1>} : f32, !dataflow.private<2xf32>
  }
}

// -----

// The same with ten sums in turn fits, but it states another distance.
dataflow.design @distance {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4, 10] attributes {ii = 1 : i64, depth = 11 : i64, storages = [#dataflow.storage<lutram partition [1] ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<10xf32>):
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
    // expected-error@+1 {{[leaf.schedule] states a distance of 9 iterations to the store whose value it meets; it is a distance of 10 iterations}}
    %old = dataflow.load %acc affine_map<(i, j) -> (j)> {distance = 9 : i64, dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.private<10xf32> -> f32
    %new = arith.addf %old, %v {dataflow.timing = #dataflow.timing<at 1 for 6 on "add_f32">} : f32
    dataflow.store %new, %acc affine_map<(i, j) -> (j)> {dataflow.timing = #dataflow.timing<at 7 for 1>} : f32, !dataflow.private<10xf32>
  }
}

// -----

// A late load would meet what the next iteration has written over what it wants.
dataflow.design @write_after_read {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %t = dataflow.stream "t" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [8] attributes {ii = 1 : i64, depth = 6 : i64, storages = [#dataflow.storage<registers partition [1] write 1>]} {
  ^bb0(%i: index, %m: !dataflow.private<1xf32>):
    // expected-note@+1 {{the earlier access}}
    %old = dataflow.load %m affine_map<(i) -> (0)> {dataflow.timing = #dataflow.timing<at 4 for 0>} : !dataflow.private<1xf32> -> f32
    dataflow.stream_write %old, %t {dataflow.timing = #dataflow.timing<at 4 for 0>} : f32, !dataflow.stream<f32>
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.stream<f32> -> f32
    // expected-error@+1 {{[leaf.schedule] begins at stage 1 and meets, 0 iterations later at an interval of 1, what an access at stage 4 has not yet read}}
    dataflow.store %v, %m affine_map<(i) -> (0)> {dataflow.timing = #dataflow.timing<at 1 for 1>} : f32, !dataflow.private<1xf32>
  }
}

// -----

// Eight elements of one bank in a cycle, through two ports.
dataflow.design @bank_ports {
  dataflow.leaf "l" compute [8] attributes {ii = 1 : i64, depth = 3 : i64, storages = [#dataflow.storage<bram ports 2 read 2 write 1>]} {
  ^bb0(%i: index, %m: !dataflow.private<8xf32>):
    // expected-error@+1 {{[leaf.schedule] at stage 0 and an interval of 1, a bank of its memory is asked for more accesses in a cycle than its 2 ports serve}}
    %v = dataflow.load %m affine_map<(i) -> (0)> {dataflow.timing = #dataflow.timing<at 0 for 2>} : !dataflow.private<8xf32> -> vector<8xf32>
  }
}

// -----

// Two elements of one bank in a cycle: of its four ports two read them, and one alone writes.
dataflow.design @write_ports {
  dataflow.leaf "l" compute [8] attributes {ii = 1 : i64, depth = 4 : i64, storages = [#dataflow.storage<lutram ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %m: !dataflow.private<8xf32>):
    %v = dataflow.load %m affine_map<(i) -> (0)> {dataflow.timing = #dataflow.timing<at 0 for 1>} : !dataflow.private<8xf32> -> vector<2xf32>
    // expected-error@+1 {{a bank of its memory is asked for more accesses in a cycle than its 4 ports, of which 1 writes, serve}}
    dataflow.store %v, %m affine_map<(i) -> (4)> {dataflow.timing = #dataflow.timing<at 1 for 1>} : vector<2xf32>, !dataflow.private<8xf32>
  }
}

// -----

dataflow.design @part_of_a_word {
  dataflow.leaf "l" compute [8] attributes {storages = [#dataflow.storage<lutram partition [4] word 4 ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %m: !dataflow.private<32xf32>):
    // expected-error@+1 {{[leaf.storage] does not move whole words of its memory, which have 4 elements}}
    %v = dataflow.load %m affine_map<(i) -> (i * 4)> : !dataflow.private<32xf32> -> vector<2xf32>
  }
}

// -----

dataflow.design @parts_of_two_words {
  dataflow.leaf "l" compute [7] attributes {storages = [#dataflow.storage<lutram partition [4] word 4 ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%i: index, %m: !dataflow.private<32xf32>):
    // expected-error@+1 {{[leaf.storage] does not move whole words of its memory, which have 4 elements}}
    %v = dataflow.load %m affine_map<(i) -> (i * 4 + 2)> : !dataflow.private<32xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @storages {
  // expected-error@+1 {{[leaf.storage] 'storages' has 2 entries for 1 private memories}}
  dataflow.leaf "l" compute [8] attributes {storages = [#dataflow.storage<registers write 1>, #dataflow.storage<registers write 1>]} {
  ^bb0(%i: index, %m: !dataflow.private<8xf32>):
  }
}

// -----

dataflow.design @memory_not_stated {
  dataflow.leaf "l" compute [8] attributes {ii = 1 : i64, depth = 3 : i64} {
  ^bb0(%i: index, %m: !dataflow.private<8xf32>):
    // expected-error@+1 {{[leaf.schedule] reaches a memory whose storage is not stated}}
    %v = dataflow.load %m affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 0 for 2>} : !dataflow.private<8xf32> -> f32
  }
}

// -----

dataflow.design @token_late {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" compute [4] attributes {ii = 1 : i64, depth = 3 : i64} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.schedule] takes its token at stage 2; tokens are taken when an iteration issues, at stage 0}}
    %v = dataflow.stream_read %s {dataflow.timing = #dataflow.timing<at 2 for 1>} : !dataflow.stream<f32> -> f32
  }
}

// -----

dataflow.design @token_early {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" pad [4] attributes {ii = 1 : i64, depth = 1 : i64} {
  ^bb0(%i: index):
    %v = arith.constant {dataflow.timing = #dataflow.timing<at 0 for 0 on "wire">} 1.0 : f32
    // expected-error@+1 {{[leaf.schedule] gives its token at stage 0; the earliest is 1}}
    dataflow.stream_write %v, %s {dataflow.timing = #dataflow.timing<at 0 for 0>} : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @token_order {
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  dataflow.leaf "l" pad [4] attributes {ii = 1 : i64, depth = 3 : i64} {
  ^bb0(%i: index):
    %v = arith.constant {dataflow.timing = #dataflow.timing<at 0 for 0 on "wire">} 1.0 : f32
    // expected-note@+1 {{the other access}}
    dataflow.stream_write %v, %s when affine_set<(i) : (i == 0)> {dataflow.timing = #dataflow.timing<at 1 for 0>} : f32, !dataflow.stream<f32>
    // expected-error@+1 {{[leaf.schedule] gives its token at stage 2, another access to this FIFO at stage 1: tokens would change their order}}
    dataflow.stream_write %v, %s when affine_set<(i) : (i - 1 >= 0)> {dataflow.timing = #dataflow.timing<at 2 for 0>} : f32, !dataflow.stream<f32>
  }
}

// -----

dataflow.design @fifo_latency {
  // expected-error@+1 {{[design.fifo] a FIFO states both its memory and its latency, or neither}}
  %s = dataflow.stream "s" {memory = #dataflow.memory<bram>} : !dataflow.stream<f32, 64>
}

// -----

dataflow.design @fifo_at_once {
  // expected-error@+1 {{[design.fifo] a token can be read in the cycle after its write at the earliest: the latency is at least 1}}
  %s = dataflow.stream "s" {latency = 0 : i64, memory = #dataflow.memory<srl>} : !dataflow.stream<f32, 2>
}

// -----

// expected-error@+1 {{[design.storage] 'write' is 0, it must be at least 1}}
#memory = #dataflow.storage<bram ports 2 read 2>

// -----

// expected-error@+1 {{[design.storage] 'write_ports' is 3, they are among the ports, of which there are 2}}
#memory = #dataflow.storage<lutram ports 2 write_ports 3 read 1 write 1>

// -----

// expected-error@+1 {{[design.storage] 'word' is 4, it is 1 or all of the 8 elements that the partition reaches at a time}}
#memory = #dataflow.storage<bram partition [2, 4] word 4 ports 2 read 2 write 1>

// -----

// expected-error@+1 {{[design.port] 'read' is 0, it must be at least 1}}
#interface = #dataflow.interface<bits = 512, read = 0, write = 7, gap = 5>

// -----

// expected-error@+1 {{[leaf.words] a word of 4 elements cannot move 8}}
#words = #dataflow.words<count = 1, lanes = 4, used = 8, burst = 64, outstanding = 1>

// -----

// expected-error@+1 {{[design.control] 'swap' is -1, it must be at least 0}}
#control = #dataflow.control<entry = 2, swap = -1>
