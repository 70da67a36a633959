// RUN: not streamtensor-opt %s %u55c --dataflow-assign-memories 2>&1 | FileCheck %s

dataflow.design @too_large {
  %in = dataflow.port in "x" : !dataflow.port<4096x4096xf32>
  %out = dataflow.port out "y" : !dataflow.port<4096x4096xf32>
  // CHECK: memories-errors.mlir:[[#@LINE+1]]:11: error: buffer 'huge' of 134217728 bytes does not fit on Alveo U55C beside the larger buffers of the design: it takes 32768 BRAM blocks where 1332 can be used, or 8192 URAM blocks where 720 can be used{{$}}
  %huge = dataflow.buffer "huge" blocks 2 : !dataflow.buffer<4096x4096xf32>
  dataflow.leaf "fill" fill [4096, 4096] writes(%huge at 0 : !dataflow.buffer<4096x4096xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<4096x4096xf32> -> f32
    dataflow.store %v, %huge affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.buffer<4096x4096xf32>
  }
  dataflow.leaf "drain" drain [4096, 4096] reads(%huge at 0 : !dataflow.buffer<4096x4096xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %huge affine_map<(d0, d1) -> (d0, d1)> : !dataflow.buffer<4096x4096xf32> -> f32
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<4096x4096xf32>
  }
}
