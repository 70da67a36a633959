// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t | FileCheck %s --check-prefix=ASIS
// RUN: streamtensor-sim %t --what-if "port x bits=1024" | FileCheck %s --check-prefix=PORT
// RUN: streamtensor-sim %t --what-if "port gmem_x bits=x2" | FileCheck %s --check-prefix=PORT
// RUN: streamtensor-sim %t --what-if "port x bits=x2" --what-if "port y bits=x2" | FileCheck %s --check-prefix=BOTH
// RUN: streamtensor-sim %t --what-if "port x bits=x16" --what-if "port y bits=x16" | FileCheck %s --check-prefix=ALL --implicit-check-not=masters
// RUN: streamtensor-sim %t --what-if "port x bits=x32" | FileCheck %s --check-prefix=BEYOND
// RUN: streamtensor-sim %t --what-if "task sum lanes=x2" | FileCheck %s --check-prefix=LANES
// RUN: streamtensor-sim %t --what-if "task sums/sum ii=1" | FileCheck %s --check-prefix=INTERVAL
// RUN: streamtensor-sim %t --what-if "fifo fx depth=2" --json | FileCheck %s --check-prefix=DEPTH

// As it is, "load" asks for its first burst of 64 words at 2. Its channel takes 77.1 cycles for it, so the second begins at
// 79; its last iteration issues at 142, its word is there 77 later, at 219, read from RAM at 221 and stored (1 + 7):
// over at 229. The sum of 16 has an interval of 9: iterations issue at 4, ..., 4 + 15 x 9 = 139; over at 148.
// ASIS: {{^}}377 cycles

// The load gets twice as wide, over two masters with a channel each; "store" still has one. Its first burst begins at
// 81, its second at 81 + 77.1: 158; its last word is read at 158 + 63 = 221, as before.
// PORT: 377 cycles before, 377 then: 0.00 %
// PORT-NEXT: critical FIFOs: none
// PORT-NEXT: busiest tasks: store, load, sum, make, take

// Both: two words in an iteration. The second burst of "load" is due at 2 + 32 + 5 and the channels are through with the halves
// of the first at 2 + 38.6: at 40. The store begins at 81, its second burst at 81 + 38.6: 119, when the words are
// there (40 + 77 + 2). 31 iterations later, at 150, comes its last: over at 158, 71 cycles earlier.
// BOTH: 377 cycles before, 306 then: -18.83 %

// Sixteen masters each are all that the card has; one has 32 and the other one is one more.
// ALL: 377 cycles before, 249 then
// BEYOND: design 'copy' would have 33 masters; Alveo U55C has 32

// 8 iterations of two tokens: the second of the first two is there at 5, the last issues at 5 + 7 x 9 = 68, 71 earlier.
// LANES: 377 cycles before, 306 then: -18.83 %

// An interval of one: the last issues at 4 + 15 = 19, 120 earlier.
// INTERVAL: 377 cycles before, 257 then: -31.83 %

// Two slots are shift registers: every word is read a cycle earlier.
// DEPTH: "cycles": 376
// DEPTH: "depth": 2
// DEPTH: "what_if": {
// DEPTH-NEXT: "busiest_tasks": [
// DEPTH: "change_percent": -0.26525198938992045
// DEPTH-NEXT: "critical_fifos": []
// DEPTH-NEXT: "cycles": 376
// DEPTH-NEXT: "cycles_before": 377
// DEPTH-NEXT: "notes": []
// DEPTH-NEXT: "questions": [
// DEPTH-NEXT: "fifo fx depth=2"

dataflow.design @copy {
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %c1 = dataflow.channel "HBM"[1] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %h = dataflow.interface "gmem_y" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c1
  %x = dataflow.port in "x" via %g : !dataflow.port<128x16xf32>
  %y = dataflow.port out "y" via %h : !dataflow.port<128x16xf32>
  %fx = dataflow.stream "fx" : !dataflow.stream<vector<16xf32>, 128>
  dataflow.leaf "load" load [128] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<128x16xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %fx : vector<16xf32>, !dataflow.stream<vector<16xf32>, 128>
  }
  dataflow.leaf "store" store [128] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fx : !dataflow.stream<vector<16xf32>, 128> -> vector<16xf32>
    %w = vector.shape_cast %v : vector<16xf32> to vector<1x16xf32>
    dataflow.store %w, %y affine_map<(d0) -> (d0, 0)> : vector<1x16xf32>, !dataflow.port<128x16xf32>
  }
}

dataflow.design @sums {
  %in = dataflow.stream "in" : !dataflow.stream<f32, 2>
  %out = dataflow.stream "out" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [16] {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %in : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "sum" compute [16] {
  ^bb0(%i: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.stream_read %in : !dataflow.stream<f32, 2> -> f32
    %before = dataflow.load %acc affine_map<(d0) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0) : (d0 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %out when affine_set<(d0) : (d0 - 15 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %out : !dataflow.stream<f32, 2> -> f32
  }
}
