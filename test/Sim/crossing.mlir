// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// Words of 32 bytes, which a port moves at 8 GB/s: the channel gives 53.12 bytes in a cycle and hides no gap. Of 160 words
// from byte 1,024 on the 97th lies behind 4 KiB, of those that are written from byte 0 on the 129th. Each issues the gap of
// 5 cycles later.
//
//   load   enters at 2: the 96th word issues at 97, the 97th at 97 + 1 + 5 = 103, the 160th at 166; each is written to the
//          FIFO 77 later and read a cycle after that
//   store  reads the 97th word at 181 and the 128th at 212, the 129th at 212 + 1 + 5 = 218 though it is there since 213, and
//          the 160th at 249; 1 + 7 cycles: over at 257
// CHECK: {{(^|: )}}257 cycles

dataflow.design @part {
  %in = dataflow.port in "x" : !dataflow.port<2048xf32>
  %out = dataflow.port out "y" : !dataflow.port<1280xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<8xf32>, 2>
  dataflow.leaf "load" load [160] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0 * 8 + 256)> : !dataflow.port<2048xf32> -> vector<8xf32>
    dataflow.stream_write %v, %fifo : vector<8xf32>, !dataflow.stream<vector<8xf32>, 2>
  }
  dataflow.leaf "store" store [160] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<8xf32>, 2> -> vector<8xf32>
    dataflow.store %v, %out affine_map<(d0) -> (d0 * 8)> : vector<8xf32>, !dataflow.port<1280xf32>
  }
}
