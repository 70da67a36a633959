// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase >%t
// RUN: streamtensor-test-sim %t | FileCheck %s --check-prefix=CYCLES
// RUN: FileCheck %s --input-file=%t
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos=rounds=12 | FileCheck %s

// Depths are searched with four rounds of a cycle, where a model has as many as layers. In this design the last four are
// not like those before: through `late` and `slow` nothing passes in them, so that of four rounds none needs these.
//
//   late  8 tokens come beside those of `f` and are read after them: with fewer than 8 slots the design stands still;
//   slow  the reader takes a token every third cycle, and has time for that. With 2 slots the writer waits, and all rounds
//         take 451 cycles instead of 399. Four do not see it, so all are searched.

// CYCLES: unlike: 399 cycles{{$}}
// CHECK: dataflow.design @unlike
// CHECK-SAME: cycles = 399, unbounded = 399
// CHECK: dataflow.stream "late" {{.*}} : <f32, 8>
// CHECK: dataflow.stream "slow" {{.*}} : <f32, 6>

#late = affine_set<(d0, d1)[s0] : (s0 - d0 - 5 >= 0)>
#after = affine_set<(d0, d1)[s0] : (s0 - d0 - 5 >= 0, d1 - 24 >= 0)>
#first = affine_set<(d0, d1) : (d0 == 0)>
#others = affine_set<(d0, d1) : (d0 - 1 >= 0)>

dataflow.design @unlike {
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %layers = dataflow.scalar "layers" from 4 to 12 : index
  %s = dataflow.stream "s" : !dataflow.stream<f32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %late = dataflow.stream "late" : !dataflow.stream<f32>
  %slow = dataflow.stream "slow" : !dataflow.stream<f32>
  %h = dataflow.stream "h" back : !dataflow.stream<f32>
  %o = dataflow.stream "o" : !dataflow.stream<f32>
  dataflow.leaf "ones" compute [8] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %s : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "enter" compute [12, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%t: index, %i: index):
    %new = dataflow.stream_read %s when #first : !dataflow.stream<f32> -> f32
    %old = dataflow.stream_read %h when #others : !dataflow.stream<f32> -> f32
    %isFirst = dataflow.test #first
    %x = arith.select %isFirst, %new, %old : f32
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %late when #late : f32, !dataflow.stream<f32>
    dataflow.stream_write %one, %slow when #late : f32, !dataflow.stream<f32>
    dataflow.stream_write %x, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "next" compute [12, 32] counts affine_map<()[s0] -> (s0, 32)> (%layers) {
  ^bb0(%t: index, %i: index):
    %x = dataflow.stream_read %f when affine_set<(d0, d1) : (7 - d1 >= 0)> : !dataflow.stream<f32> -> f32
    %l = dataflow.stream_read %late when #after : !dataflow.stream<f32> -> f32
    dataflow.stream_write %x, %h when affine_set<(d0, d1)[s0] : (s0 - d0 - 2 >= 0, d1 - 24 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %x, %o when affine_set<(d0, d1)[s0] : (d0 - s0 + 1 == 0, d1 - 24 >= 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "third" discard [12, 8, 3] counts affine_map<()[s0] -> (s0, 8, 3)> (%layers) {
  ^bb0(%t: index, %i: index, %j: index):
    %x = dataflow.stream_read %slow when affine_set<(d0, d1, d2)[s0] : (s0 - d0 - 5 >= 0, d2 == 0)> : !dataflow.stream<f32> -> f32
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %o : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
