// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-sim --json --timeline %t.json | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-test-sim --device %devices/u55c.json | FileCheck %s --check-prefix=STEPS
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-sim --on-chip-io | FileCheck %s --check-prefix=ON-CHIP

// Four trips through a block buffer, each block read three times: with two blocks
// the next one is filled while one is read, so the reader sets the pace. A trip of
// the reader costs the swap, its 3 x 32 iterations and its pipeline.
//
//   load   enters at 2 and writes its first token 77 cycles later, at 79
//   fill   reads it at 80 (shift register), its 32nd at 111; depth 2: block full at 113
//   use    a trip is 1 (swap) + 95 (last issue after the first) + 2 (depth) = 98 cycles;
//          four of them end at 113 + 4 x 98 = 505; its last token is written at 504
//   store  reads it at 505; read 1 and memory 7 cycles. A burst
//          of single floats has 256 words, so that the 257th waits 5 cycles more: 518

// CHECK: "buffers": [
// CHECK: "blocks": 2
// CHECK: "bytes": 256
// CHECK: "name": "block"
// CHECK: "cycles": 518,
// CHECK: "designs": [
// CHECK: "name": "double_buffer"
// CHECK: "resources": {
// CHECK: "available": 2016
// CHECK: "fifos": [
// CHECK: "high_water":
// CHECK: "tasks": [
// CHECK: "name": "fill"
// CHECK: "name": "use"
// STEPS: 518 cycles
// TRACE: "traceEvents"
// TRACE: "waits for
// Block RAM in place of memory: the load writes 2 and not 77 cycles after its issue, the
// store ends 2 and not 8 cycles after, and there are no bursts: 518 - 75 - 6 - 5.
// ON-CHIP: {{^}}432 cycles, {{.*}} us at 250.00 MHz on Alveo U55C

dataflow.design @double_buffer {
  %in = dataflow.port in "x" : !dataflow.port<4x32xf32>
  %out = dataflow.port out "y" : !dataflow.port<4x96xf32>
  %loaded = dataflow.stream "loaded" : !dataflow.stream<f32>
  %used = dataflow.stream "used" : !dataflow.stream<f32>
  %block = dataflow.buffer "block" blocks 2 : !dataflow.buffer<32xf32>
  dataflow.leaf "load" load [4, 32] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<4x32xf32> -> f32
    dataflow.stream_write %v, %loaded : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "fill" fill [4, 32] writes(%block at 1 : !dataflow.buffer<32xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %loaded : !dataflow.stream<f32> -> f32
    dataflow.store %v, %block affine_map<(d0, d1) -> (d1)> : f32, !dataflow.buffer<32xf32>
  }
  dataflow.leaf "use" compute [4, 3, 32] reads(%block at 1 : !dataflow.buffer<32xf32>) {
  ^bb0(%i: index, %h: index, %j: index):
    %v = dataflow.load %block affine_map<(d0, d1, d2) -> (d2)> : !dataflow.buffer<32xf32> -> f32
    dataflow.stream_write %v, %used : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4, 96] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %used : !dataflow.stream<f32> -> f32
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<4x96xf32>
  }
}
