// RUN: streamtensor-opt %s --pass-pipeline='builtin.module(func.func(dataflow-keep-layouts))' | FileCheck %s

dataflow.design @d {
  %x = dataflow.port inout "x" : !dataflow.port<2x3xi32>
  %s = dataflow.stream "s" orders %x : !dataflow.port<2x3xi32> : !dataflow.stream<i32, 8>
  dataflow.leaf "read" load [2, 3] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<2x3xi32> -> i32
    dataflow.stream_write %v, %s : i32, !dataflow.stream<i32, 8>
  }
  dataflow.leaf "write" store [2, 3] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %s : !dataflow.stream<i32, 8> -> i32
    dataflow.store %v, %x affine_map<(i, j) -> (i, j)> : i32, !dataflow.port<2x3xi32>
  }
}

// The layout stands around both loops, whose results are read unpacked.
// CHECK-LABEL: func.func @nested
// CHECK: %[[P:.*]] = itensor.pack %{{.*}} strides [1, 2]
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[P]]) -> (tensor<2x3xi32>) {
// CHECK-NEXT: %[[I:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (tensor<2x3xi32>) {
// CHECK-NEXT: %[[L:.*]] = dataflow.launch @d(%[[B]])
// CHECK-NEXT: scf.yield %[[L]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[I]]
// CHECK: %[[U:.*]] = itensor.unpack %[[R]] strides [1, 2]
// CHECK: return %[[U]]
func.func @nested(%x: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> (tensor<3x2xi32>) {
    %n = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> (tensor<3x2xi32>) {
      %p = itensor.pack %b strides [1, 2] offset 0 : tensor<3x2xi32> -> tensor<2x3xi32>
      %l = dataflow.launch @d(%p) : (tensor<2x3xi32>) -> tensor<2x3xi32>
      %u = itensor.unpack %l strides [1, 2] : tensor<2x3xi32> -> tensor<3x2xi32>
      scf.yield %u : tensor<3x2xi32>
    }
    scf.yield %n : tensor<3x2xi32>
  }
  return %r : tensor<3x2xi32>
}

// Row-major layouts are reshapes; what no turn changes is packed in front.
// CHECK-LABEL: func.func @reshapes
// CHECK: itensor.pack %arg1 strides [1, 2]
// CHECK: scf.for
// CHECK-NOT: pack
// CHECK: tensor.expand_shape
// CHECK: dataflow.launch
// CHECK: tensor.collapse_shape
// CHECK: return
func.func @reshapes(%x: tensor<6xi32>, %w: tensor<3x2xi32>) -> (tensor<6xi32>, tensor<2x3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<2x3xi32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x, %q = %e) -> (tensor<6xi32>, tensor<2x3xi32>) {
    %p = itensor.pack %a strides [3, 1] offset 0 : tensor<6xi32> -> tensor<2x3xi32>
    %l = dataflow.launch @d(%p) : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %u = itensor.unpack %l strides [3, 1] : tensor<2x3xi32> -> tensor<6xi32>
    %o = itensor.pack %w strides [1, 2] offset 0 : tensor<3x2xi32> -> tensor<2x3xi32>
    scf.yield %u, %o : tensor<6xi32>, tensor<2x3xi32>
  }
  return %r#0, %r#1 : tensor<6xi32>, tensor<2x3xi32>
}

// A tensor that something else reads as it was stays.
// CHECK-LABEL: func.func @others
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %arg1)
// CHECK-NEXT: %[[P:.*]] = itensor.pack %[[B]]
// CHECK-NEXT: %[[L:.*]] = dataflow.launch @d(%[[P]])
// CHECK-NEXT: %[[U:.*]] = itensor.unpack %[[L]]
// CHECK-NEXT: scf.yield %[[B]], %[[U]]
func.func @others(%x: tensor<3x2xi32>, %y: tensor<3x2xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
    %q = itensor.pack %b strides [1, 2] offset 0 : tensor<3x2xi32> -> tensor<2x3xi32>
    %m = dataflow.launch @d(%q) : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %u = itensor.unpack %m strides [1, 2] : tensor<2x3xi32> -> tensor<3x2xi32>
    scf.yield %b, %u : tensor<3x2xi32>, tensor<3x2xi32>
  }
  return %r#0, %r#1 : tensor<3x2xi32>, tensor<3x2xi32>
}
