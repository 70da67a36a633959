// RUN: split-file %s %t
// RUN: not streamtensor-translate %t/unsized.mlir --device %devices/u55c.json --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=UNSIZED
// RUN: streamtensor-opt %t/wide.mlir %u55c --streamtensor-schedule-phase -mlir-print-debuginfo -o %t/wide-scheduled.mlir
// RUN: not streamtensor-translate %t/wide-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not streamtensor-translate %t/operation.mlir --device %devices/u55c.json --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=OPERATION
// RUN: not streamtensor-translate %t/cycle.mlir --device %devices/u55c.json --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=CYCLE
// RUN: streamtensor-opt %t/host.mlir %u55c --streamtensor-schedule-phase -mlir-print-debuginfo -o %t/host-scheduled.mlir
// RUN: not streamtensor-translate %t/host-scheduled.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not streamtensor-translate %t/empty.mlir --device %devices/u55c.json --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not streamtensor-translate %t/absent.mlir --device %devices/u55c.json --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not ls %t/out

// UNSIZED: unsized.mlir:4:{{.*}} error: FIFO 'values' has no depth and memory; run the size phase first
// WIDE: wide.mlir:4:{{.*}} error: [stream.width] FIFO 'values' carries 4128 bits per token, more than the 4096 of a stream element; use fewer lanes on this edge
// OPERATION: operation.mlir:14:{{.*}} error: 'vector.reduction' op {{\[}}leaf.body] cannot stand in a leaf task
// CYCLE: cycle.mlir:1:{{.*}} error: {{.*}}{{\[}}design.cycle] leaf tasks 'one', 'two' wait for each other
// HOST: host.mlir:2:{{.*}} error: 'tensor.pad' op cannot be run by the host; @main may hold launches, loops over them, constants, packs, unpacks and reshapes
// EMPTY: holds no dataflow.design; HLS C++ is emitted from the IR of the phases stream and size
// ABSENT: error: cannot open input file '{{.*}}absent.mlir'

//--- unsized.mlir
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %f = dataflow.stream "values" : !dataflow.stream<f32>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}

//--- wide.mlir
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<129xf32>
  %y = dataflow.port out "y" : !dataflow.port<129xf32>
  %f = dataflow.stream "values" : !dataflow.stream<vector<129xf32>, 2>
  dataflow.leaf "load" load [1] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (0)> : !dataflow.port<129xf32> -> vector<129xf32>
    dataflow.stream_write %v, %f : vector<129xf32>, !dataflow.stream<vector<129xf32>, 2>
  }
  dataflow.leaf "store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<129xf32>, 2> -> vector<129xf32>
    dataflow.store %v, %y affine_map<(d0) -> (0)> : vector<129xf32>, !dataflow.port<129xf32>
  }
}

//--- operation.mlir
dataflow.design @sum {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<2xf32>
  %f = dataflow.stream "values" : !dataflow.stream<vector<4xf32>, 2>
  %g = dataflow.stream "sums" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0 * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %v, %f : vector<4xf32>, !dataflow.stream<vector<4xf32>, 2>
  }
  dataflow.leaf "sum" compute [2] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<4xf32>, 2> -> vector<4xf32>
    %s = vector.reduction <add>, %v : vector<4xf32> into f32
    dataflow.stream_write %s, %g : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<2xf32>
  }
}

//--- cycle.mlir
dataflow.design @ring {
  %f = dataflow.stream "there" : !dataflow.stream<f32, 2>
  %g = dataflow.stream "back" : !dataflow.stream<f32, 2>
  dataflow.leaf "one" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "two" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %g : f32, !dataflow.stream<f32, 2>
  }
}

//--- host.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<9xf32> {
  %p = tensor.pad %x low[0] high[1] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<9xf32>
  return %p : tensor<9xf32>
}
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %f = dataflow.stream "values" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}

//--- empty.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.negf %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
