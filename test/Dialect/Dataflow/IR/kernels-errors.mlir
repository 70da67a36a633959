// RUN: streamtensor-opt %s %u55c --split-input-file --verify-diagnostics

// expected-error @below {{[design.kernels] is a kernel for each die and lies on one: it is one kernel}}
dataflow.design @one attributes {per_die} {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  dataflow.leaf "copy" compute [4] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @nowhere attributes {per_die} {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[design.kernels] has no die in a design that is a kernel for each}}
  dataflow.leaf "copy" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @shallow attributes {per_die} {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[design.kernels] is a link of 17 slots; those of this device have 16 to 32768, a power of two}}
  %link = dataflow.stream "link" {latency = 14 : i64, memory = #dataflow.memory<lutram>} : !dataflow.stream<f32, 17>
  dataflow.leaf "load" load [4] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %link : f32, !dataflow.stream<f32, 17>
  }
  dataflow.leaf "store" store [4] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %link : !dataflow.stream<f32, 17> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @fast attributes {per_die} {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[design.fifo] a link of kind lutram hands on a token after 14 cycles on device 'u55c', a latency of 2 is stated}}
  %link = dataflow.stream "link" {latency = 2 : i64, memory = #dataflow.memory<lutram>} : !dataflow.stream<f32, 16>
  dataflow.leaf "load" load [4] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %link : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "store" store [4] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %link : !dataflow.stream<f32, 16> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
