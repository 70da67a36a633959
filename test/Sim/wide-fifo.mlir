// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: sed -e 's/f32>, 16>/f32>, 2>/' %s | streamtensor-opt %u55c --streamtensor-schedule-phase >%t2
// RUN: streamtensor-sim %t2 --device %devices/u55c.json | FileCheck %s --check-prefix=REGISTER
// RUN: streamtensor-test-sim %t2 --device %devices/u55c.json | FileCheck %s --check-prefix=REGISTER

// Sixteen words of 512 bits through a FIFO of 16 slots: few slots, but 8,192 bits, and so a RAM.
//
//   load   enters at 2; the last iteration issues at 17 and writes at 17 + 77 = 94
//   store  reads at 94 + 2 = 96, and is over 1 + 7 cycles later, at 104
//
// With two slots the FIFO is a shift register, however wide, and takes one cycle.
// CHECK: {{(^|: )}}104 cycles
// REGISTER: {{(^|: )}}103 cycles

dataflow.design @wide_fifo {
  %in = dataflow.port in "x" : !dataflow.port<256xf32>
  %out = dataflow.port out "y" : !dataflow.port<256xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<16xf32>, 16>
  dataflow.leaf "load" load [16] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0 * 16)> : !dataflow.port<256xf32> -> vector<16xf32>
    dataflow.stream_write %v, %fifo : vector<16xf32>, !dataflow.stream<vector<16xf32>, 16>
  }
  dataflow.leaf "store" store [16] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<vector<16xf32>, 16> -> vector<16xf32>
    dataflow.store %v, %out affine_map<(d0) -> (d0 * 16)> : vector<16xf32>, !dataflow.port<256xf32>
  }
}
