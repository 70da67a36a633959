// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s

// The interface of a port has its name, or the next that is not taken.

// CHECK: dataflow.interface "gmem_x"
// CHECK: dataflow.interface "gmem_x_1"
// CHECK: dataflow.interface "gmem_y"
// CHECK: dataflow.interface "gmem_x_2"
// CHECK: dataflow.interface "gmem_y_1"
// CHECK: dataflow.port in "x" via %gmem_x_2
// CHECK: dataflow.port in "z" via %gmem_x :
// CHECK: dataflow.port in "w" via %gmem_x_1
// CHECK: dataflow.port in "v" via %gmem_y :
// CHECK: dataflow.port out "y" via %gmem_y_1
dataflow.design @names {
  %one = dataflow.interface "gmem_x" <bits = 512, read = 77, write = 7, gap = 5>
  %two = dataflow.interface "gmem_x_1" <bits = 512, read = 77, write = 7, gap = 5>
  %three = dataflow.interface "gmem_y" <bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %z = dataflow.port in "z" via %one : !dataflow.port<8xf32>
  %w = dataflow.port in "w" via %two : !dataflow.port<8xf32>
  %v = dataflow.port in "v" via %three : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  dataflow.leaf "sum" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %b = dataflow.load %z affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %c = dataflow.load %w affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %d = arith.addf %a, %b : f32
    %e = arith.addf %c, %d : f32
    %f = dataflow.load %v affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %g = arith.addf %e, %f : f32
    dataflow.store %g, %y affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
}
