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

// -----

dataflow.design @master attributes {per_die} {
  // expected-error @below {{[design.kernels] is a master of the leaves on SLR1 and on SLR0, which are two kernels; a master is of one}}
  %g = dataflow.interface "gmem" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<4xf32>
  %y = dataflow.port out "y" via %g : !dataflow.port<4xf32>
  %link = dataflow.stream "link" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %link : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [4] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %link : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "copy.h" nest [2] ii 1 delay 3 takes ["x" : !line as !dataflow.stream<vector<4xf32>>] gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.design @by_hand attributes {per_die} {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  // expected-error @below {{[design.kernels] joins the hand-written kernel 'copy' to a leaf on another die; its function takes a FIFO, and no stream of the platform: compile into one kernel}}
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [2] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    dataflow.stream_write %t, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "copy" extern [2] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %t = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %r = dataflow.extern_step @copy(%t) : (vector<4xf32>) -> vector<4xf32>
    dataflow.stream_write %r, %b : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<8xf32>
  }
}
