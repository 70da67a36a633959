// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-sim --json | FileCheck %s

// The design's resources are those of its tasks, its buffers and its FIFOs. The writer gives all 1,024 floats of `a`
// before the first of `b`, and the reader wants one of each: 1,024 words of 32 bits are kept in `a`, in one UltraRAM of
// 4,096 words of 72. Nothing else is in UltraRAM.
// CHECK: "resources": {
// CHECK: "uram": {
// CHECK-NEXT: "available": 960,
// CHECK-NEXT: "placeable": 720,
// CHECK-NEXT: "used": 1

dataflow.design @joined {
  %x = dataflow.port in "x" : !dataflow.port<1024xf32>
  %y = dataflow.port out "y" : !dataflow.port<1024xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  dataflow.leaf "load" load [2048] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i mod 1024)> : !dataflow.port<1024xf32> -> f32
    dataflow.stream_write %v, %a when affine_set<(i) : (1023 - i >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %b when affine_set<(i) : (i - 1024 >= 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [1024] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<f32> -> f32
    %w = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    %s = arith.addf %v, %w : f32
    dataflow.store %s, %y affine_map<(i) -> (i)> : f32, !dataflow.port<1024xf32>
  }
}
