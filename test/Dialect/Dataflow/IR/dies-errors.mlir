// RUN: streamtensor-opt %s %u55c --split-input-file --verify-diagnostics

dataflow.design @unknown {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[leaf.die] device 'u55c' has no die 'SLR3'}}
  dataflow.leaf "copy" compute [4] attributes {die = "SLR3"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}

// -----

dataflow.design @block {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  // expected-error @below {{[leaf.die] has its ends on "SLR0" and "SLR1"; leaves that share a block share a die}}
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<4xf32>
  dataflow.leaf "fill" fill [4] writes(%b at 0 : !dataflow.buffer<4xf32>) attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %b affine_map<(i) -> (i)> : f32, !dataflow.buffer<4xf32>
  }
  dataflow.leaf "drain" drain [4] reads(%b at 0 : !dataflow.buffer<4xf32>) attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i)> : !dataflow.buffer<4xf32> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
