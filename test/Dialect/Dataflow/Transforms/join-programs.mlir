// RUN: rm -rf %t && split-file %s %t
// RUN: streamtensor-opt %t/double.mlir %u55c --streamtensor-schedule-phase -o %t/double-sized.mlir
// RUN: streamtensor-opt %t/main.mlir %u55c --streamtensor-join-phase -o %t/joined.mlir
// RUN: FileCheck %s --input-file=%t/joined.mlir

// A function without a body stands for the program of a file: calls of it become its launches, in the layouts of that
// program, and its design has the function's name. What a loop carries lies as the launches read it.

// CHECK: dataflow.design @twice
// CHECK: dataflow.leaf "double"
// CHECK-NOT: func.func private
// CHECK: func.func @main(%[[X:.*]]: tensor<2x2xi32>, %[[TURNS:.*]]: index
// CHECK: %[[PACKED:.*]] = itensor.pack %[[X]] strides [1, 2]
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[PACKED]]) -> (tensor<2x2xi32>) {
// CHECK-NEXT: %[[AFTER:.*]] = dataflow.launch @twice(%[[BEFORE]])
// CHECK-NEXT: scf.yield %[[AFTER]]
// CHECK: %[[Y:.*]] = itensor.unpack %[[ALL]] strides [1, 2]
// CHECK: return %[[Y]]

//--- double.mlir
dataflow.design @accelerator {
  %x = dataflow.port inout "x" : !dataflow.port<2x2xi32>
  %f = dataflow.stream "f" orders %x : !dataflow.port<2x2xi32> : !dataflow.stream<i32, 4>
  dataflow.leaf "double" load [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<2x2xi32> -> i32
    %w = arith.addi %v, %v : i32
    dataflow.stream_write %w, %f : i32, !dataflow.stream<i32, 4>
  }
  dataflow.leaf "store" store [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %f : !dataflow.stream<i32, 4> -> i32
    dataflow.store %v, %x affine_map<(i, j) -> (i, j)> : i32, !dataflow.port<2x2xi32>
  }
}
func.func @main(%x: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = itensor.pack %x strides [1, 2] offset 0 : tensor<2x2xi32> -> tensor<2x2xi32>
  %1 = dataflow.launch @accelerator(%0) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %2 = itensor.unpack %1 strides [1, 2] : tensor<2x2xi32> -> tensor<2x2xi32>
  return %2 : tensor<2x2xi32>
}

//--- main.mlir
func.func private @twice(tensor<2x2xi32>) -> tensor<2x2xi32> attributes {streamtensor.program = "double-sized.mlir"}
func.func @main(%x: tensor<2x2xi32>, %turns: index {streamtensor.name = "turns", streamtensor.turns = array<i64: 1, 4>}) -> tensor<2x2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = scf.for %turn = %c0 to %turns step %c1 iter_args(%before = %x) -> (tensor<2x2xi32>) {
    %after = func.call @twice(%before) : (tensor<2x2xi32>) -> tensor<2x2xi32>
    scf.yield %after : tensor<2x2xi32>
  }
  return %all : tensor<2x2xi32>
}
