// RUN: streamtensor-opt %s --dataflow-narrow-memories | FileCheck %s
// RUN: streamtensor-opt %s --dataflow-narrow-memories -o %t
// RUN: streamtensor-run %s %t | FileCheck %s --check-prefix=SAME
// SAME-NOT: differs
// SAME: result0

// Rows of twice an int8 wait in a memory until the leaf gives them backwards: 9 bits hold them. Sums that the leaf adds up
// in its memory keep their type.
// CHECK-LABEL: dataflow.design @backwards
// CHECK: ^bb0(%{{.*}}: index, %[[ROWS:.*]]: !dataflow.private<4x2xi9>, %[[SUM:.*]]: !dataflow.private<2xi32>):
// CHECK: %[[TWICE:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<1x2xi32>
// CHECK: %[[NARROW:.*]] = arith.trunci %[[TWICE]] : vector<1x2xi32> to vector<1x2xi9>
// CHECK: dataflow.store %[[NARROW]], %[[ROWS]]
// CHECK: dataflow.store %{{.*}}, %[[SUM]] affine_map<{{.*}}> : vector<2xi32>, !dataflow.private<2xi32>
// CHECK: %[[BACK:.*]] = dataflow.load %[[ROWS]] {{.*}} -> vector<1x2xi9>
// CHECK: arith.extsi %[[BACK]] : vector<1x2xi9> to vector<1x2xi32>
dataflow.design @backwards {
  %x = dataflow.port in "x" : !dataflow.port<4x2xi8>
  %y = dataflow.port out "y" : !dataflow.port<4x2xi32>
  %x_fifo = dataflow.stream "x_fifo" : <vector<2xi8>>
  %y_fifo = dataflow.stream "y_fifo" : <vector<2xi32>>
  dataflow.leaf "load" load [1, 4] {
  ^bb0(%b: index, %i: index):
    %v = dataflow.load %x affine_map<(b, i) -> (i, 0)> : !dataflow.port<4x2xi8> -> vector<1x2xi8>
    %t = vector.shape_cast %v : vector<1x2xi8> to vector<2xi8>
    dataflow.stream_write %t, %x_fifo : vector<2xi8>, <vector<2xi8>>
  }
  dataflow.leaf "turn" compute [1] {
  ^bb0(%b: index, %rows: !dataflow.private<4x2xi32>, %sum: !dataflow.private<2xi32>):
    dataflow.nest "in" [4] {
    ^bb0(%i: index):
      %t = dataflow.stream_read %x_fifo : <vector<2xi8>> -> vector<2xi8>
      %v = vector.shape_cast %t : vector<2xi8> to vector<1x2xi8>
      %w = arith.extsi %v : vector<1x2xi8> to vector<1x2xi32>
      %twice = arith.addi %w, %w : vector<1x2xi32>
      dataflow.store %twice, %rows affine_map<(b, i) -> (i, 0)> : vector<1x2xi32>, !dataflow.private<4x2xi32>
      %one = vector.shape_cast %w : vector<1x2xi32> to vector<2xi32>
      %zero = arith.constant dense<0> : vector<2xi32>
      %held = dataflow.load %sum affine_map<(b, i) -> (0)> : !dataflow.private<2xi32> -> vector<2xi32>
      %first = dataflow.test affine_set<(b, i) : (i == 0)>
      %before = arith.select %first, %zero, %held : vector<2xi32>
      %more = arith.addi %before, %one : vector<2xi32>
      dataflow.store %more, %sum affine_map<(b, i) -> (0)> : vector<2xi32>, !dataflow.private<2xi32>
    }
    dataflow.nest "out" [4] {
    ^bb0(%i: index):
      %v = dataflow.load %rows affine_map<(b, i) -> (3 - i, 0)> : !dataflow.private<4x2xi32> -> vector<1x2xi32>
      %t = vector.shape_cast %v : vector<1x2xi32> to vector<2xi32>
      dataflow.stream_write %t, %y_fifo : vector<2xi32>, <vector<2xi32>>
    }
  }
  dataflow.leaf "store" store [1, 4] {
  ^bb0(%b: index, %i: index):
    %t = dataflow.stream_read %y_fifo : <vector<2xi32>> -> vector<2xi32>
    %v = vector.shape_cast %t : vector<2xi32> to vector<1x2xi32>
    dataflow.store %v, %y affine_map<(b, i) -> (i, 0)> : vector<1x2xi32>, !dataflow.port<4x2xi32>
  }
}

func.func @main(%x: tensor<4x2xi8>) -> tensor<4x2xi32> {
  %y = dataflow.launch @backwards(%x) : (tensor<4x2xi8>) -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}
