// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | sed 's/"HBM"\[2\]/"HBM"[9]/' | streamtensor-opt --dataflow-plan-ports | FileCheck %s --check-prefix=KEPT

// Each port gets an interface, each tensor a channel: the two ports of `x`, bound to one tensor, share a channel. A
// tensor that two leaves read comes in by a port for each. What is stated is kept.

// KEPT: dataflow.channel "HBM"[9]
// KEPT-NOT: dataflow.channel "HBM"[2]

// CHECK-LABEL: func.func @main
// CHECK: dataflow.launch @twice(%[[X:.*]], %[[X]], %[[B:.*]], %[[X]])
func.func @main(%x: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %z = dataflow.launch @twice(%x, %b, %x) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// CHECK: %hbm0 = dataflow.channel "HBM"[0] <bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
// CHECK-NEXT: %hbm1 = dataflow.channel "HBM"[1]
// CHECK-NEXT: %hbm2 = dataflow.channel "HBM"[2]
// CHECK-NEXT: %hbm3 = dataflow.channel "HBM"[3]
// CHECK-NOT: dataflow.channel
// CHECK-DAG: %[[GX:gmem_x]] = dataflow.interface "gmem_x" <bits = 512, read = 77, write = 7, gap = 5> on %hbm0
// CHECK-DAG: %[[GX1:gmem_x_1]] = dataflow.interface "gmem_x_1" {{.*}} on %hbm0
// CHECK-DAG: %[[GB:gmem_b]] = dataflow.interface "gmem_b" {{.*}} on %hbm1
// CHECK-DAG: %[[GA:gmem_again]] = dataflow.interface "gmem_again" {{.*}} on %hbm0
// CHECK-DAG: %[[GY:gmem_y]] = dataflow.interface "gmem_y" {{.*}} on %hbm2
// CHECK-DAG: %[[GZ:gmem_z]] = dataflow.interface "gmem_z" {{.*}} on %hbm3
// CHECK: dataflow.port in "x" via %[[GX]]
// CHECK-NEXT: %[[X1:.*]] = dataflow.port in "x_1" via %[[GX1]]
// CHECK-NEXT: dataflow.port in "b" via %[[GB]]
// CHECK-NEXT: dataflow.port in "again" via %[[GA]]
// CHECK-NEXT: dataflow.port out "y" via %[[GY]]
// CHECK-NEXT: dataflow.port out "z" via %[[GZ]]
// CHECK: dataflow.leaf "other"
// CHECK: dataflow.load %[[X1]] {{.*}}words = #dataflow.words<count = 1, lanes = 1, used = 1, burst = 2, outstanding = 14>
dataflow.design @twice {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %b = dataflow.port in "b" : !dataflow.port<4xf32>
  %c = dataflow.port in "again" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %z = dataflow.port out "z" : !dataflow.port<4xf32>
  dataflow.leaf "one" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    %w = dataflow.load %b affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    %u = dataflow.load %c affine_map<(i) -> (3 - i)> : !dataflow.port<4xf32> -> f32
    %s = arith.addf %v, %w : f32
    %t = arith.addf %s, %u : f32
    dataflow.store %t, %y affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
  dataflow.leaf "other" compute [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (3 - i)> : !dataflow.port<4xf32> -> f32
    dataflow.store %v, %z affine_map<(i) -> (i)> : f32, !dataflow.port<4xf32>
  }
}
