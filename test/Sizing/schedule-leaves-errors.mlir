// RUN: not streamtensor-opt %s --dataflow-schedule-leaves="device=%devices/u55c.json" 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s --dataflow-schedule-leaves="device=nosuch" 2>&1 | FileCheck %s --check-prefix=DEVICE

// DEVICE: error: unknown device 'nosuch'; known devices: {{.*}}u55c

dataflow.design @unpriced {
  %a = dataflow.stream "a" : !dataflow.stream<i32>
  dataflow.leaf "leading_zeros" pad [8] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i32
    // CHECK: schedule-leaves-errors.mlir:[[#@LINE+1]]:10: error: 'math.ctlz' op has no row in the cost table of device 'u55c'
    %w = math.ctlz %v : i32
    dataflow.stream_write %w, %a : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "sink" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<i32> -> i32
  }
}
