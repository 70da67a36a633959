// RUN: streamtensor-opt %s -split-input-file -verify-diagnostics

// Laws of external memory: [design.channel], [design.interface], [port.stripes], [leaf.stripes], [leaf.words], [port.order].

dataflow.design @rates {
  // expected-error@+1 {{[design.channel] sustains 15000 MB/s, more than its peak of 14375}}
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 15000, cycles_khz = 250000>
}

// -----

dataflow.design @stopped_channel {
  // expected-error@+1 {{[design.channel] a channel has bits, clocks and rates above 0}}
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 0, peak = 14375, sustained = 13280, cycles_khz = 250000>
}

// -----

// 128 bits at 450 MHz are 7.2 GB/s.
dataflow.design @narrow_channel {
  // expected-error@+1 {{[design.channel] 128 bits at 450000 kHz cannot give a peak of 14375 MB/s}}
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 128, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
}

// -----

dataflow.design @channel_twice {
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  // expected-error@+1 {{[design.channel] declares a channel a second time}}
  %d = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
}

// -----

dataflow.design @interface_names {
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  // expected-error@+1 {{[design.ports] a second interface is named 'gmem'}}
  %h = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
}

// -----

// One process reads through a master: HLS 200-1013.
dataflow.design @two_readers {
  // expected-error@+1 {{[design.interface] 'gmem' is read by 2 leaf tasks; an AXI master has one process for reading and one for writing}}
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %y = dataflow.port in "y" via %g : !dataflow.port<4xf32>
  // expected-note@+1 {{read by leaf 'one'}}
  dataflow.leaf "one" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
  // expected-note@+1 {{read by leaf 'other'}}
  dataflow.leaf "other" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %y affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}

// -----

// A master has one width: HLS 200-451.
dataflow.design @two_widths {
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %y = dataflow.port in "y" via %g : !dataflow.port<4xf32>
  dataflow.leaf "both" load [1] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1>} : !dataflow.port<4xf32> -> vector<4xf32>
    // expected-error@+1 {{[design.interface] moves words of 32 bits over interface 'gmem', another access moves words of 128}}
    %w = dataflow.load %y affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 64, outstanding = 1>} : !dataflow.port<4xf32> -> f32
  }
}

// -----

// One adapter limits the bursts of both, so they cannot have limits of their own.
dataflow.design @two_limits {
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %y = dataflow.port in "y" via %g : !dataflow.port<4xf32>
  dataflow.leaf "both" load [1] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1>} : !dataflow.port<4xf32> -> vector<4xf32>
    // expected-error@+1 {{[design.interface] has 1 bursts of 8 words on the way over interface 'gmem', another access 1 of 64; a master has one limit each way}}
    %w = dataflow.load %y affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 8, outstanding = 1>} : !dataflow.port<4xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @more_on_the_way {
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %y = dataflow.port in "y" via %g : !dataflow.port<4xf32>
  %z = dataflow.port out "z" via %g : !dataflow.port<4xf32>
  dataflow.leaf "both" load [1] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 2>} : !dataflow.port<4xf32> -> vector<4xf32>
    // What is written has a limit of its own.
    dataflow.store %v, %z affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 8, outstanding = 3>} : vector<4xf32>, !dataflow.port<4xf32>
    // expected-error@+1 {{[design.interface] has 1 bursts of 64 words on the way over interface 'gmem', another access 2 of 64; a master has one limit each way}}
    %w = dataflow.load %y affine_map<(i) -> (0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1>} : !dataflow.port<4xf32> -> vector<4xf32>
  }
}

// -----

dataflow.design @uneven_stripes {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  // expected-error@+1 {{[port.stripes] 2 stripes do not divide a row of 5 elements}}
  %x = dataflow.port in "x" via %g, %h : !dataflow.port<4x5xf32>
}

// -----

dataflow.design @unlike_stripes {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 78, write = 7, gap = 5>
  // expected-error@+1 {{[port.stripes] stripes move together, so their interfaces are alike; 'h' has other figures than the first}}
  %x = dataflow.port in "x" via %g, %h : !dataflow.port<4x4xf32>
}

// -----

dataflow.design @same_stripe {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  // expected-error@+1 {{[port.stripes] names interface 'g' twice}}
  %x = dataflow.port in "x" via %g, %g : !dataflow.port<4x4xf32>
}

// -----

dataflow.design @part_of_a_row {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g, %h : !dataflow.port<4x4xf32>
  dataflow.leaf "l" load [4, 2] {
  ^bb0(%i: index, %j: index):
    // expected-error@+1 {{[leaf.stripes] moves 2 elements of a row of 4; port 'x' is striped over 2 interfaces}}
    %v = dataflow.load %x affine_map<(i, j) -> (i, j * 2)> : !dataflow.port<4x4xf32> -> vector<1x2xf32>
  }
}

// -----

// What lies in one stripe can be stored alone, but not a part that begins within it.
dataflow.design @part_of_two_stripes {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port out "x" via %g, %h : !dataflow.port<4x4xf32>
  dataflow.leaf "l" store [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = arith.constant dense<0.0> : vector<1x2xf32>
    dataflow.store %v, %x affine_map<(i, j) -> (i, j * 2)> : vector<1x2xf32>, !dataflow.port<4x4xf32>
    // expected-error@+1 {{[leaf.stripes] moves 2 elements of a row of 4; port 'x' is striped over 2 interfaces, which hold a part of each row: an access moves whole rows, or stores one of the parts of 2 elements}}
    dataflow.store %v, %x affine_map<(i, j) -> (i, j)> : vector<1x2xf32>, !dataflow.port<4x4xf32>
  }
}

// -----

// Each of the two stripes moves a word of two elements.
dataflow.design @words_of_stripes {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g, %h : !dataflow.port<4x4xf32>
  dataflow.leaf "l" load [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] 1 words with 4 elements each on each of 2 stripes move 8 elements, the access moves 4}}
    %v = dataflow.load %x affine_map<(i) -> (i, 0)> {words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 64, outstanding = 1>} : !dataflow.port<4x4xf32> -> vector<1x4xf32>
  }
}

// -----

// A word of two elements for each of the two stripes, of four that it could hold: the next row would begin within it.
dataflow.design @padded_stripes {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "h" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g, %h : !dataflow.port<4x4xf32>
  dataflow.leaf "l" load [4] {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.words] the words of a striped port hold no padding}}
    %v = dataflow.load %x affine_map<(i) -> (i, 0)> {words = #dataflow.words<count = 1, lanes = 4, used = 2, burst = 64, outstanding = 1>} : !dataflow.port<4x4xf32> -> vector<1x4xf32>
  }
}

// -----

// Two words of one interface in an iteration, an interval of one.
dataflow.design @beats {
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %y = dataflow.port in "y" via %g : !dataflow.port<4xf32>
  dataflow.leaf "both" load [4] attributes {ii = 1 : i64, depth = 77 : i64} {
  ^bb0(%i: index):
    // expected-error@+1 {{[leaf.schedule] an interval of 1 is too small for the 2 words that one iteration moves over an interface, one way}}
    %v = dataflow.load %x affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 0 for 77>, words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : !dataflow.port<4xf32> -> f32
    %w = dataflow.load %y affine_map<(i) -> (i)> {dataflow.timing = #dataflow.timing<at 0 for 77>, words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : !dataflow.port<4xf32> -> f32
  }
}

// -----

// Nothing orders what one leaf writes and another reads.
dataflow.design @unordered {
  // expected-error@+1 {{[port.order] nothing orders what leaf 'write' writes to 'kv' and what leaf 'read' reads; declare a FIFO between them that 'orders' the port, or 'next_launch'}}
  %kv = dataflow.port inout "kv" : !dataflow.port<4xf32>
  dataflow.leaf "write" store [1] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    dataflow.store %zero, %kv affine_map<(i) -> (3)> : f32, !dataflow.port<4xf32>
  }
  dataflow.leaf "read" load [3] {
  ^bb0(%i: index):
    %v = dataflow.load %kv affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}

// -----

dataflow.design @only_read {
  // expected-error@+1 {{[port.order] 'kv' is declared 'inout' and is not both read and written; declare it 'in'}}
  %kv = dataflow.port inout "kv" : !dataflow.port<4xf32>
  dataflow.leaf "read" load [3] {
  ^bb0(%i: index):
    %v = dataflow.load %kv affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}

// -----

dataflow.design @one_leaf {
  // expected-error@+1 {{[port.order] 'kv' is read and written by leaf 'both'; declare it 'next_launch', or read it in a leaf of its own}}
  %kv = dataflow.port inout "kv" : !dataflow.port<4xf32>
  dataflow.leaf "both" compute [2] {
  ^bb0(%i: index):
    %v = dataflow.load %kv affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %kv affine_map<(i) -> (i + 2)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @next_launch_of_in {
  // expected-error@+1 {{[port.order] only an 'inout' port is written for the next launch}}
  %x = dataflow.port in "x" next_launch : !dataflow.port<4xf32>
}

// -----

dataflow.design @orders_an_input {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  // expected-error@+1 {{[port.order] orders 'x', which is declared 'in'; only an 'inout' port needs an order}}
  %done = dataflow.stream "done" orders %x : !dataflow.port<4xf32> : !dataflow.stream<i1>
  dataflow.leaf "write" store [1] {
  ^bb0(%i: index):
    %true = arith.constant true
    dataflow.stream_write %true, %done : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "read" load [1] {
  ^bb0(%i: index):
    %go = dataflow.stream_read %done : !dataflow.stream<i1> -> i1
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}

// -----

// A second FIFO says that it orders the tensor too, and comes from a leaf that does not reach it.
dataflow.design @orders_others {
  %kv = dataflow.port inout "kv" : !dataflow.port<4xf32>
  %written = dataflow.stream "written" orders %kv : !dataflow.port<4xf32> : !dataflow.stream<i1>
  // expected-error@+1 {{[port.order] orders 'kv', but does not join the leaf that writes it and one that reads it}}
  %done = dataflow.stream "done" orders %kv : !dataflow.port<4xf32> : !dataflow.stream<i1>
  dataflow.leaf "write" store [1] {
  ^bb0(%i: index):
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    dataflow.store %zero, %kv affine_map<(i) -> (3)> : f32, !dataflow.port<4xf32>
    dataflow.stream_write %true, %written : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "other" compute [1] {
  ^bb0(%i: index):
    %true = arith.constant true
    dataflow.stream_write %true, %done : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "read" load [1] {
  ^bb0(%i: index):
    %first = dataflow.stream_read %written : !dataflow.stream<i1> -> i1
    %go = dataflow.stream_read %done : !dataflow.stream<i1> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}

// -----

// Both at once: which of the two holds?
dataflow.design @two_orders {
  // expected-error@+1 {{[port.order] 'kv' is written for the next launch, and FIFO 'done' orders it in this one; state one of the two}}
  %kv = dataflow.port inout "kv" next_launch : !dataflow.port<4xf32>
  %done = dataflow.stream "done" orders %kv : !dataflow.port<4xf32> : !dataflow.stream<i1>
  dataflow.leaf "write" store [1] {
  ^bb0(%i: index):
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    dataflow.store %zero, %kv affine_map<(i) -> (3)> : f32, !dataflow.port<4xf32>
    dataflow.stream_write %true, %done : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "read" load [1] {
  ^bb0(%i: index):
    %go = dataflow.stream_read %done : !dataflow.stream<i1> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}

// -----

// The write ends at stage 7, seven cycles after it begins; a token at stage 1 says too much.
dataflow.design @early_token {
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %kv = dataflow.port inout "kv" via %g : !dataflow.port<4xf32>
  %done = dataflow.stream "done" orders %kv : !dataflow.port<4xf32> : !dataflow.stream<i1>
  dataflow.leaf "write" store [1] attributes {ii = 1 : i64, depth = 8 : i64} {
  ^bb0(%i: index):
    %true = arith.constant {dataflow.timing = #dataflow.timing<at 0 for 0 on "wire">} true
    %zero = arith.constant {dataflow.timing = #dataflow.timing<at 0 for 0 on "wire">} 0.0 : f32
    // expected-note@+1 {{the access}}
    dataflow.store %zero, %kv affine_map<(i) -> (3)> {dataflow.timing = #dataflow.timing<at 0 for 7>, words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 256, outstanding = 1>} : f32, !dataflow.port<4xf32>
    // expected-error@+1 {{[leaf.schedule] gives its token at stage 1, which orders port 'kv', and the access to it ends at stage 7}}
    dataflow.stream_write %true, %done {dataflow.timing = #dataflow.timing<at 1 for 0>} : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "read" load [1] {
  ^bb0(%i: index):
    %go = dataflow.stream_read %done : !dataflow.stream<i1> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
  }
}
