// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: sed -e 's/f32, 33/f32, 32/' %s | streamtensor-opt %u55c --streamtensor-schedule-phase >%t32
// RUN: streamtensor-sim %t32 --device %devices/u55c.json | FileCheck %s --check-prefix=REGISTER
// RUN: streamtensor-test-sim %t32 --device %devices/u55c.json | FileCheck %s --check-prefix=REGISTER

// Sixteen floats through a FIFO of 33 x 32 bits: 1,056 bits are too many for a shift
// register, and a RAM hands a token on two cycles after its write.
//
//   load   enters at 2; the last of 16 iterations issues at 2 + 15 = 17 and writes its token
//          77 cycles later, at 94 (read latency of external memory)
//   store  reads it at 94 + 2 = 96; a token is registered (1), a write takes 7: over at 104
//
// With 32 slots the FIFO is a shift register of 1,024 bits, which takes one cycle; so is one
// of two slots, however wide.
// CHECK: {{(^|: )}}104 cycles
// REGISTER: {{(^|: )}}103 cycles

dataflow.design @ram_fifo {
  %in = dataflow.port in "x" : !dataflow.port<16xf32>
  %out = dataflow.port out "y" : !dataflow.port<16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 33>
  dataflow.leaf "load" load [16] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 33>
  }
  dataflow.leaf "store" store [16] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 33> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<16xf32>
  }
}
