// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// The reader waits for the token that says that the writes are in memory, each 7 cycles after it began.
//
//   append  enters at 2; the second row is read (77), written at stage 77 and there at stage 84: iteration 1
//           issues at 3 and gives its token at 3 + 84 = 87
//   read    reads it at 88; 3 iterations later the last issues at 91, has its row 77 later, writes it in 7:
//           over at 91 + 84 = 175
// CHECK: {{(^|: )}}175 cycles

dataflow.design @append {
  %new = dataflow.port in "new" : !dataflow.port<2x2xi32>
  %kv = dataflow.port inout "kv" : !dataflow.port<4x2xi32>
  %y = dataflow.port out "y" : !dataflow.port<4x2xi32>
  %done = dataflow.stream "done" orders %kv : !dataflow.port<4x2xi32> : !dataflow.stream<i1, 2>
  dataflow.leaf "append" store [2] {
  ^bb0(%i: index):
    %v = dataflow.load %new affine_map<(i) -> (i, 0)> : !dataflow.port<2x2xi32> -> vector<1x2xi32>
    dataflow.store %v, %kv affine_map<(i) -> (i + 2, 0)> : vector<1x2xi32>, !dataflow.port<4x2xi32>
    %true = arith.constant true
    dataflow.stream_write %true, %done when affine_set<(i) : (i - 1 == 0)> : i1, !dataflow.stream<i1, 2>
  }
  dataflow.leaf "read" load [4] {
  ^bb0(%i: index):
    %go = dataflow.stream_read %done when affine_set<(i) : (i == 0)> : !dataflow.stream<i1, 2> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i, 0)> : !dataflow.port<4x2xi32> -> vector<1x2xi32>
    dataflow.store %v, %y affine_map<(i) -> (i, 0)> : vector<1x2xi32>, !dataflow.port<4x2xi32>
  }
}
