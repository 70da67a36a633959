// RUN: streamtensor-opt %s --dataflow-attach-device=device=kv260 --streamtensor-schedule-phase --dataflow-cut-kernels --verify-diagnostics

// expected-error @below {{[design.kernels] a kernel for each die is asked for, and Kria KV260 has one die: a design is one kernel there; leave out kernels=per-die}}
module {
  dataflow.design @alone {
    %x = dataflow.port in "x" : !dataflow.port<16xf32>
    %y = dataflow.port out "y" : !dataflow.port<16xf32>
    dataflow.leaf "copy" compute [16] {
    ^bb0(%i: index):
      %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
      dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
    }
  }
}
