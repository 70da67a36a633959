// RUN: not streamtensor-opt %s %u55c --streamtensor-schedule-phase 2>&1 | FileCheck %s
// RUN: not streamtensor-opt %s --streamtensor-schedule-phase 2>&1 | FileCheck %s --check-prefix=DEVICE

// DEVICE: error: [module.device] the module has no device; name one

dataflow.design @unpriced {
  %a = dataflow.stream "a" : !dataflow.stream<i32>
  dataflow.leaf "leading_zeros" pad [8] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i32
    // CHECK: schedule-leaves-errors.mlir:[[#@LINE+1]]:10: error: 'math.ctlz' op [device.operator] has no counterpart in hardware: rewrite it with other operations of arith and math
    %w = math.ctlz %v : i32
    dataflow.stream_write %w, %a : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "sink" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<i32> -> i32
  }
}
