// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-cut-kernels -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t.one
// RUN: streamtensor-test-sim %t.one | FileCheck %s --check-prefix=ONE
// RUN: streamtensor-test-sim %t | FileCheck %s --check-prefix=CUT

// A link has the depths of a stream of the platform and takes its cycles longer. Along `there` and `back` that is 2 times
// 12 and, for memory in place of shift registers, a cycle more on the way there: 25. A token of `beside` waits so much
// longer for that of `back`: its FIFO gets deeper, and the design takes 25 cycles more once, not for each of its tokens.

// CHECK: dataflow.design @ring
// CHECK-SAME: per_die
// CHECK: dataflow.stream "there" {latency = 14 : i64, memory = #dataflow.memory<lutram>} : <f32, 16>
// CHECK: dataflow.stream "back" {latency = 14 : i64, memory = #dataflow.memory<lutram>} : <f32, 64>
// CHECK: dataflow.stream "beside" {latency = 1 : i64, memory = #dataflow.memory<srl>} : <f32, 30>

// A design on one die is one kernel.
// CHECK: dataflow.design @alone
// CHECK-NOT: per_die
// CHECK: dataflow.stream "fifo" {latency = 1 : i64, memory = #dataflow.memory<srl>} : <f32, 2>

// ONE: ring: 613 cycles
// CUT: ring: 638 cycles

dataflow.design @ring {
  %x = dataflow.port in "x" : !dataflow.port<512xf32>
  %y = dataflow.port out "y" : !dataflow.port<512xf32>
  %there = dataflow.stream "there" : !dataflow.stream<f32, 2>
  %back = dataflow.stream "back" : !dataflow.stream<f32, 33>
  %beside = dataflow.stream "beside" : !dataflow.stream<f32, 8>
  dataflow.leaf "split" load [512] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<512xf32> -> f32
    dataflow.stream_write %v, %there : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %v, %beside : f32, !dataflow.stream<f32, 8>
  }
  dataflow.leaf "pass" compute [512] attributes {die = "SLR2"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %there : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %back : f32, !dataflow.stream<f32, 33>
  }
  dataflow.leaf "join" store [512] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %a = dataflow.stream_read %beside : !dataflow.stream<f32, 8> -> f32
    %b = dataflow.stream_read %back : !dataflow.stream<f32, 33> -> f32
    %sum = arith.addf %a, %b : f32
    dataflow.store %sum, %y affine_map<(i) -> (i)> : f32, !dataflow.port<512xf32>
  }
}

dataflow.design @alone {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %y = dataflow.port out "y" : !dataflow.port<16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [16] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [16] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
  }
}
