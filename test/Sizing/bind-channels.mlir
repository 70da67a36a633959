// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s
// RUN: sed -e 's/"channels": 32/"channels": 2/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports | FileCheck %s --check-prefix=TWO
// RUN: sed -e 's/"channels": 32/"channels": 1/' -e 's/"ports_per_channel": 15/"ports_per_channel": 4/' %devices/u55c.json >%t.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports 2>&1 | FileCheck %s --check-prefix=ERROR

// `x` becomes `y` in the next launch and lies in one place with it; together they move most, 512 bytes, then `c` (256),
// `b` and `z` (64 each). On a card of two channels `c`, `b` and `z` lie beside each other.

// CHECK-DAG: dataflow.interface "gmem_x" {{.*}} on %hbm0
// CHECK-DAG: dataflow.interface "gmem_y" {{.*}} on %hbm0
// CHECK-DAG: dataflow.interface "gmem_c" {{.*}} on %hbm1
// CHECK-DAG: dataflow.interface "gmem_b" {{.*}} on %hbm2
// CHECK-DAG: dataflow.interface "gmem_z" {{.*}} on %hbm3

// TWO-DAG: dataflow.interface "gmem_x" {{.*}} on %hbm0
// TWO-DAG: dataflow.interface "gmem_y" {{.*}} on %hbm0
// TWO-DAG: dataflow.interface "gmem_c" {{.*}} on %hbm1
// TWO-DAG: dataflow.interface "gmem_b" {{.*}} on %hbm1
// TWO-DAG: dataflow.interface "gmem_z" {{.*}} on %hbm1

// ERROR: [design.channel] finds no channel: each of the 1 channels of HBM has 4 ports; compile parts of the module as designs of their own

func.func @main(%x: tensor<64xf32> {streamtensor.next = 0 : i64}, %b: tensor<16xf32>, %c: tensor<64xf32>) -> (tensor<64xf32>, tensor<16xf32>) {
  %y, %z = dataflow.launch @step(%x, %b, %c) : (tensor<64xf32>, tensor<16xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<16xf32>)
  return %y, %z : tensor<64xf32>, tensor<16xf32>
}
dataflow.design @step {
  %x = dataflow.port in "x" : !dataflow.port<64xf32>
  %b = dataflow.port in "b" : !dataflow.port<16xf32>
  %c = dataflow.port in "c" : !dataflow.port<64xf32>
  %y = dataflow.port out "y" : !dataflow.port<64xf32>
  %z = dataflow.port out "z" : !dataflow.port<16xf32>
  dataflow.leaf "one" compute [64] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<64xf32> -> f32
    %w = dataflow.load %c affine_map<(i) -> (i)> : !dataflow.port<64xf32> -> f32
    %s = arith.addf %v, %w : f32
    dataflow.store %s, %y affine_map<(i) -> (i)> : f32, !dataflow.port<64xf32>
  }
  dataflow.leaf "other" compute [16] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
    dataflow.store %v, %z affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
  }
}
