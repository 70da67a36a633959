// RUN: streamtensor-opt %s %u55c --dataflow-assign-memories | FileCheck %s

// FIFOs whose depth is stated by hand get the memory that suits it; a memory that is stated too is
// kept, and a FIFO without a depth has none before it is sized.

dataflow.design @fifos {
  %in = dataflow.port in "x" : !dataflow.port<64xf32>
  %out = dataflow.port out "y" : !dataflow.port<64xf32>
  // CHECK: dataflow.stream "short" {latency = 1 : i64, memory = #dataflow.memory<srl>}
  %short = dataflow.stream "short" : !dataflow.stream<f32, 16>
  // CHECK: dataflow.stream "stated" {latency = 2 : i64, memory = #dataflow.memory<uram>}
  %stated = dataflow.stream "stated" {latency = 2 : i64, memory = #dataflow.memory<uram>} : !dataflow.stream<f32, 16>
  // CHECK: dataflow.stream "later" : <f32>
  %later = dataflow.stream "later" : !dataflow.stream<f32>
  dataflow.leaf "load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0)> : !dataflow.port<64xf32> -> f32
    dataflow.stream_write %v, %short : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "first" compute [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %short : !dataflow.stream<f32, 16> -> f32
    dataflow.stream_write %v, %stated : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "second" compute [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %stated : !dataflow.stream<f32, 16> -> f32
    dataflow.stream_write %v, %later : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %later : !dataflow.stream<f32> -> f32
    dataflow.store %v, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<64xf32>
  }
}
