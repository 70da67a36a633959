// RUN: streamtensor-run %s --elements=16 | FileCheck %s
// RUN: sed 's/vector<4xi8>, 3>/vector<4xi8>, 2>/' %s > %t.mlir
// RUN: not streamtensor-run %t.mlir 2>&1 | FileCheck %s --check-prefix=DEADLOCK

// A hand-written kernel that takes all its rows before it gives the first one: it computes what its reference says, moves tokens when its declaration says, and reaches a FIFO of vectors
// as packed words. With a slot less, the rows that go around the kernel do not fit, and the run says so.

// CHECK: result0 tensor<3x4xi8> [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24]
// DEADLOCK: deadlock: {{.*}} tasks of design 'around' wait for each other
// DEADLOCK: 'fork' waits for a free slot of 'beside', which is full with 2

!rows = !itensor.itensor<1x4xi8, iter_space: [3] * [1], iter_map: (d0) -> (d0, 0)>
#take = affine_set<(phase, row) : (phase == 0)>
#give = affine_set<(phase, row) : (phase - 1 == 0)>
dataflow.extern @whole source "whole.h" nest [2, 3] ii 1 delay 2
    takes ["x" when #take : !rows as !dataflow.stream<i32>]
    gives ["y" when #give : !rows as !dataflow.stream<i32>] {
^bb0(%x: tensor<3x4xi8>):
  dataflow.yield %x : tensor<3x4xi8>
}
dataflow.design @around {
  %x = dataflow.port in "x" : !dataflow.port<3x4xi8>
  %y = dataflow.port out "y" : !dataflow.port<3x4xi8>
  %in = dataflow.stream "in" : !dataflow.stream<vector<4xi8>, 2>
  %through = dataflow.stream "through" : !dataflow.stream<vector<4xi8>, 2>
  %words = dataflow.stream_cast %through : !dataflow.stream<vector<4xi8>, 2> to !dataflow.stream<i32, 2>
  %beside = dataflow.stream "beside" : !dataflow.stream<vector<4xi8>, 3>
  %back = dataflow.stream "back" : !dataflow.stream<i32, 2>
  %lanes = dataflow.stream_cast %back : !dataflow.stream<i32, 2> to !dataflow.stream<vector<4xi8>, 2>
  dataflow.leaf "load" load [3] {
  ^bb0(%i: index):
    %t = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<3x4xi8> -> vector<1x4xi8>
    %v = vector.shape_cast %t : vector<1x4xi8> to vector<4xi8>
    dataflow.stream_write %v, %in : vector<4xi8>, !dataflow.stream<vector<4xi8>, 2>
  }
  dataflow.leaf "fork" fork [3] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %in : !dataflow.stream<vector<4xi8>, 2> -> vector<4xi8>
    dataflow.stream_write %t, %through : vector<4xi8>, !dataflow.stream<vector<4xi8>, 2>
    dataflow.stream_write %t, %beside : vector<4xi8>, !dataflow.stream<vector<4xi8>, 3>
  }
  dataflow.leaf "whole" extern [2, 3] {
  ^bb0(%phase: index, %row: index):
    %t = dataflow.stream_read %words when #take : !dataflow.stream<i32, 2> -> i32
    %r = dataflow.extern_step @whole(%t) : (i32) -> i32
    dataflow.stream_write %r, %back when #give : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "add" compute [3] {
  ^bb0(%i: index):
    %a = dataflow.stream_read %lanes : !dataflow.stream<vector<4xi8>, 2> -> vector<4xi8>
    %b = dataflow.stream_read %beside : !dataflow.stream<vector<4xi8>, 3> -> vector<4xi8>
    %s = arith.addi %a, %b : vector<4xi8>
    %v = vector.shape_cast %s : vector<4xi8> to vector<1x4xi8>
    dataflow.store %v, %y affine_map<(i) -> (i, 0)> : vector<1x4xi8>, !dataflow.port<3x4xi8>
  }
}
func.func @main() -> tensor<3x4xi8> {
  %x = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi8>
  %y = dataflow.launch @around(%x) : (tensor<3x4xi8>) -> tensor<3x4xi8>
  return %y : tensor<3x4xi8>
}
