// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase -o %t
// RUN: FileCheck %s < %t
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos="strategy=highwater" | FileCheck %s
// RUN: streamtensor-sim %t --scalar early=1 | FileCheck %s --check-prefix=LEAST
// RUN: streamtensor-sim %t --scalar early=60 | FileCheck %s --check-prefix=LARGEST

// Of 64 numbers the last `early` are needed first: the others wait in a FIFO. In the largest launch those are 4, in the
// least 63, and no launch deadlocks, whatever finds the depths of the largest.

// CHECK: dataflow.stream "late" {{.*}} : <f32, 63>
// LEAST: {{^}}{{[0-9]+}} cycles
// LARGEST: {{^}}{{[0-9]+}} cycles

dataflow.design @turned {
  %x = dataflow.port in "x" : !dataflow.port<64xf32>
  %y = dataflow.port out "y" : !dataflow.port<64xf32>
  %z = dataflow.port out "z" : !dataflow.port<64xf32>
  %early = dataflow.scalar "early" from 1 to 60 : index
  %late = dataflow.stream "late" : !dataflow.stream<f32>
  %first = dataflow.stream "first" : !dataflow.stream<f32>
  dataflow.leaf "split" compute [64] counts affine_map<()[s0] -> (64)> (%early) {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i)[s0] -> (i)> : !dataflow.port<64xf32> -> f32
    dataflow.stream_write %v, %late when affine_set<(i)[s0] : (63 - s0 - i >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %first when affine_set<(i)[s0] : (i + s0 - 64 >= 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "turn" compute [1] counts affine_map<()[s0] -> (1)> (%early) {
  ^bb0(%o: index):
    dataflow.nest "early" [60] counts affine_map<()[s0] -> (s0)> {
    ^bb0(%i: index):
      %v = dataflow.stream_read %first : !dataflow.stream<f32> -> f32
      dataflow.store %v, %y affine_map<(o, i)[s0] -> (i)> : f32, !dataflow.port<64xf32>
    }
    dataflow.nest "late" [63] counts affine_map<()[s0] -> (64 - s0)> {
    ^bb0(%i: index):
      %v = dataflow.stream_read %late : !dataflow.stream<f32> -> f32
      dataflow.store %v, %z affine_map<(o, i)[s0] -> (i)> : f32, !dataflow.port<64xf32>
    }
  }
}
