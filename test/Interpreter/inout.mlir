// RUN: streamtensor-run %s --elements=8 | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase > %t && streamtensor-run %t --elements=8 | FileCheck %s
// RUN: streamtensor-run %t --pipelined --elements=8 | FileCheck %s
// RUN: sed 's/orders %kv : !dataflow.port<4x2xi32>//; s/inout "kv"/inout "kv" next_launch/' %s > %t.unordered
// RUN: not streamtensor-run %t.unordered 2>&1 | FileCheck %s --check-prefix=UNORDERED
// RUN: sed 's/(i - 1 == 0)/(i == 0)/' %s > %t.early
// RUN: not streamtensor-run %t.early 2>&1 | FileCheck %s --check-prefix=EARLY

// A cache of rows: one launch adds rows 2 and 3 behind those of the last, and reads all four of them when
// a token says that the new ones are in memory. The tensor is taken and given back by the launch.

// The token stands for both rows: it may not come with the first.
// EARLY: [port.order] reads element 6 of 'kv', which leaf 'append' writes in the same launch, and no token orders the two
// UNORDERED: [port.order] {{reads|writes}} element 4 of 'kv'

#first = affine_set<(i) : (i == 0)>
dataflow.design @append {
  %new = dataflow.port in "new" : !dataflow.port<2x2xi32>
  %kv = dataflow.port inout "kv" : !dataflow.port<4x2xi32>
  %sums = dataflow.port out "sums" : !dataflow.port<4xi32>
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
    %go = dataflow.stream_read %done when #first : !dataflow.stream<i1, 2> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i, 0)> : !dataflow.port<4x2xi32> -> vector<1x2xi32>
    %a = vector.extract %v[0, 0] : i32 from vector<1x2xi32>
    %b = vector.extract %v[0, 1] : i32 from vector<1x2xi32>
    %sum = arith.addi %a, %b : i32
    dataflow.store %sum, %sums affine_map<(i) -> (i)> : i32, !dataflow.port<4xi32>
  }
}

// CHECK: result0 tensor<4x2xi32> [1, 1, 2, 2, 7, 8, 9, 10]
// CHECK: result1 tensor<4xi32> [2, 4, 15, 19]
// The operand itself is a value and stays as it was.
// CHECK: result2 tensor<4x2xi32> [1, 1, 2, 2, 3, 3, 4, 4]
func.func @main() -> (tensor<4x2xi32>, tensor<4xi32>, tensor<4x2xi32>) {
  %new = arith.constant dense<[[7, 8], [9, 10]]> : tensor<2x2xi32>
  %old = arith.constant dense<[[1, 1], [2, 2], [3, 3], [4, 4]]> : tensor<4x2xi32>
  %kv, %sums = dataflow.launch @append(%new, %old) : (tensor<2x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4xi32>)
  return %kv, %sums, %old : tensor<4x2xi32>, tensor<4xi32>, tensor<4x2xi32>
}
