// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-sim %t --json --timeline %t.json | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json

// Two readers share a channel that sustains 13,280 MB/s, 53.12 bytes in a cycle: a burst of 64 words of 64 bytes takes
// it 77.1 cycles, more than the 64 words and the gap of 5 in which its port could take one after the other.
//
//   a      asks at 2, has the channel until 79.1; its second burst is due at 2 + 64 + 5 = 71
//   b      asks at 2 and comes after a, at 79, until 156.2; its second burst is due at 79 + 69 = 148
//   a      has its turn at 156, until 233.3, b at 233: its last of 64 iterations issues at 296, is there 77
//          later and written to the FIFO at 373
//   store  reads it at 375 (RAM), over at 375 + 1 + 7 = 383
// CHECK: {{(^|: )}}383 cycles

// Of 4 ns each, b waits for memory in cycles 2 to 79.
// TRACE: "name":"waits for memory"{{.*}}"ts":0.008,"dur":0.308

// JSON: "channels": [
// JSON: "busy": 309
// JSON-NEXT: "bytes": 16384
// JSON: "name": "HBM[0]"

dataflow.design @two {
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %g = dataflow.interface "gmem_a" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %h = dataflow.interface "gmem_b" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %c1 = dataflow.channel "HBM"[1] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %k = dataflow.interface "gmem_y" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c1
  %c2 = dataflow.channel "HBM"[2] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %l = dataflow.interface "gmem_z" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c2
  %a = dataflow.port in "a" via %g : !dataflow.port<128x16xf32>
  %b = dataflow.port in "b" via %h : !dataflow.port<128x16xf32>
  %y = dataflow.port out "y" via %k : !dataflow.port<128x16xf32>
  %z = dataflow.port out "z" via %l : !dataflow.port<128x16xf32>
  %fa = dataflow.stream "fa" : !dataflow.stream<vector<16xf32>, 128>
  %fb = dataflow.stream "fb" : !dataflow.stream<vector<16xf32>, 128>
  dataflow.leaf "load_a" load [128] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(d0) -> (d0, 0)> : !dataflow.port<128x16xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %fa : vector<16xf32>, !dataflow.stream<vector<16xf32>, 128>
  }
  dataflow.leaf "load_b" load [128] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(d0) -> (d0, 0)> : !dataflow.port<128x16xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %fb : vector<16xf32>, !dataflow.stream<vector<16xf32>, 128>
  }
  dataflow.leaf "store_y" store [128] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fa : !dataflow.stream<vector<16xf32>, 128> -> vector<16xf32>
    %w = vector.shape_cast %v : vector<16xf32> to vector<1x16xf32>
    dataflow.store %w, %y affine_map<(d0) -> (d0, 0)> : vector<1x16xf32>, !dataflow.port<128x16xf32>
  }
  dataflow.leaf "store_z" store [128] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fb : !dataflow.stream<vector<16xf32>, 128> -> vector<16xf32>
    %w = vector.shape_cast %v : vector<16xf32> to vector<1x16xf32>
    dataflow.store %w, %z affine_map<(d0) -> (d0, 0)> : vector<1x16xf32>, !dataflow.port<128x16xf32>
  }
}
