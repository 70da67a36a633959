// RUN: not streamtensor-opt %s %u55c --streamtensor-size-phase="force-depth=2" 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not streamtensor-opt %s %u55c --streamtensor-size-phase="force-depth=1" 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos="loss=-0.1" 2>&1 | FileCheck %s --check-prefix=LOSS

// The last element of a row goes around the row: the direct FIFO must hold what comes before it.

// DEADLOCK: error: design 'around' deadlocks at these FIFO depths: [fifo.deadlock]
// DEADLOCK-SAME: task 'fork' waits for a slot in FIFO 'direct' (2 of 2 slots used) read by 'join'
// DEADLOCK-SAME: it ends with FIFO 'direct' of depth {{[0-9]+}}

// DEPTH: error: force-depth is 1; the least depth of a FIFO is 2: [fifo.depth]

// LOSS: error: [fifo.loss] fifo-loss is -1.000000e-01: the part of the speed that smaller FIFOs may cost is at least 0, 0.1 for a tenth

#first = affine_set<(d0, d1) : (d1 == 0)>
#last = affine_set<(d0, d1) : (d1 - 15 == 0)>

dataflow.design @around {
  %in = dataflow.port in "x" : !dataflow.port<64x16xf32>
  %out = dataflow.port out "y" : !dataflow.port<64x16xf32>
  %direct = dataflow.stream "direct" : !dataflow.stream<f32>
  %end = dataflow.stream "end" : !dataflow.stream<f32>
  dataflow.leaf "fork" fork [64, 16] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<64x16xf32> -> f32
    dataflow.stream_write %v, %direct : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %end when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "join" compute [64, 16] {
  ^bb0(%i: index, %j: index):
    %e = dataflow.stream_read %end when #first : !dataflow.stream<f32> -> f32
    %v = dataflow.stream_read %direct : !dataflow.stream<f32> -> f32
    %s = arith.addf %v, %e : f32
    dataflow.store %s, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<64x16xf32>
  }
}
