// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-cut-kernels | not streamtensor-translate --output-dir=%t 2>&1 | FileCheck %s

// CHECK: error: 'dataflow.launch' op [launch.loop] design 'copy' is a kernel for each die, and the loop over its launches is one kernel: compile with kernels=one, or launch it outside of a loop

func.func @main(%x: tensor<4xf32>, %turns: index {streamtensor.name = "turns", streamtensor.turns = array<i64: 1, 4>}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %r = scf.for %turn = %c0 to %turns step %c1 iter_args(%before = %empty) -> tensor<4xf32> {
    %found = dataflow.launch @copy(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %found : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [4] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [4] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
