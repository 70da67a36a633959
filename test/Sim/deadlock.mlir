// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -mlir-print-debuginfo | not streamtensor-sim 2>&1 | FileCheck %s
// RUN: sed -e 's/f32, 3/f32, 7/' %s | streamtensor-opt %u55c --streamtensor-schedule-phase | streamtensor-sim | FileCheck %s --check-prefix=ENDS
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-sim --what-if "fifo low depth=7" | FileCheck %s --check-prefix=ASKED

// Rotary halves: the second half of a row is needed before the first, so the
// first waits in its FIFO. Depth 3 is one too small, and the simulator says so.

// CHECK: deadlock.mlir:[[#@LINE+12]]:1: error: design 'rotary' deadlocks:
// CHECK-SAME: task 'chunk' waits for a slot in FIFO 'low' (3 of 3 slots used) read by 'rotate'
// CHECK-SAME: task 'rotate' waits for a token in FIFO 'high' (0 of 2 slots used) from 'chunk'
// CHECK-SAME: it ends with FIFO 'low' of depth 4
// With seven slots nothing waits: chunk writes a row's first high token at 9 (make issues
// at 2, chunk at 4, the four low tokens come first), rotate reads it at 10 and then one
// token a cycle for 48 cycles; the last is written at 58, read at 59 and done at 60.
// ENDS: {{^}}60 cycles
// ASKED: a deadlock before, 60 cycles then

#low = affine_set<(d0, d1) : (3 - d1 >= 0)>
#high = affine_set<(d0, d1) : (d1 - 4 >= 0)>
dataflow.design @rotary {
  %x = dataflow.stream "x" : !dataflow.stream<f32, 2>
  %lo = dataflow.stream "low" : !dataflow.stream<f32, 3>
  %hi = dataflow.stream "high" : !dataflow.stream<f32, 2>
  %y = dataflow.stream "y" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %x : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "chunk" chunk [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %x : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %lo when #low : f32, !dataflow.stream<f32, 3>
    dataflow.stream_write %v, %hi when #high : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "rotate" concat [6, 2, 4] {
  ^bb0(%i: index, %h: index, %j: index):
    %b = dataflow.stream_read %hi when affine_set<(d0, d1, d2) : (d1 == 0)> : !dataflow.stream<f32, 2> -> f32
    %a = dataflow.stream_read %lo when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : !dataflow.stream<f32, 3> -> f32
    dataflow.stream_write %b, %y when affine_set<(d0, d1, d2) : (d1 == 0)> : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %a, %y when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %y : !dataflow.stream<f32, 2> -> f32
  }
}
