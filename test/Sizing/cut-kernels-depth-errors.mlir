// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-cut-kernels --split-input-file --verify-diagnostics

dataflow.design @deep {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[design.kernels] FIFO 'fifo' needs 32769 slots, and goes from die to die, where a stream of the platform has at most 32768: compile with kernels=one}}
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 32769>
  dataflow.leaf "load" load [4] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 32769>
  }
  dataflow.leaf "store" store [4] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 32769> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @nowhere {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[design.kernels] leaf task 'copy' has no die; run dataflow-assign-dies first}}
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
