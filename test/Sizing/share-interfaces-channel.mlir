// RUN: sed 's/"ports_per_channel": 15/"ports_per_channel": 2/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports=loss=0 | FileCheck %s
// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports=loss=0 | FileCheck %s --check-prefix=MORE

// A tensor lies in one channel. Three steps of a sequence read the weights, each over a port of its own; where a
// channel has two ports, two of them take turns with one master: the two that read least, whose words come without a
// loop. A card with ports enough keeps three masters.

// CHECK-DAG: dataflow.interface "gmem_w" {{.*}} on %[[CHANNEL:.*]]
// CHECK-DAG: dataflow.interface "gmem_w_1_and_1" {{.*}} on %[[CHANNEL]]
// CHECK: dataflow.leaf "first_load" load [64]
// CHECK: dataflow.leaf "second_load_and_1" load []
// CHECK-NEXT: dataflow.nest "second_load" []
// CHECK: dataflow.nest "third_load" []

// MORE: dataflow.interface "gmem_w" {{.*}} on %[[CHANNEL:.*]]
// MORE: dataflow.interface "gmem_w_1" {{.*}} on %[[CHANNEL]]
// MORE: dataflow.interface "gmem_w_2" {{.*}} on %[[CHANNEL]]

dataflow.design @steps {
  %w0 = dataflow.port in "w" : !dataflow.port<1024xf32>
  %w1 = dataflow.port in "w_1" : !dataflow.port<1024xf32>
  %w2 = dataflow.port in "w_2" : !dataflow.port<1024xf32>
  %y = dataflow.port out "y" : !dataflow.port<1024xf32>
  %f0 = dataflow.stream "first" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "first_load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %w0 affine_map<(i) -> (i * 16)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %f0 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %f1 = dataflow.stream "second" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "second_load" load [] {
    %v = dataflow.load %w1 affine_map<() -> (0)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %f1 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %f2 = dataflow.stream "third" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "third_load" load [] {
    %v = dataflow.load %w2 affine_map<() -> (0)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %f2 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "sum" compute [64] {
  ^bb0(%i: index):
    %a = dataflow.stream_read %f0 : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %b = dataflow.stream_read %f1 when affine_set<(d0) : (d0 == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %c = dataflow.stream_read %f2 when affine_set<(d0) : (d0 == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %s = arith.addf %b, %c : vector<16xf32>
    %t = arith.addf %a, %s : vector<16xf32>
    dataflow.store %t, %y affine_map<(i) -> (i * 16)> : vector<16xf32>, !dataflow.port<1024xf32>
  }
}

func.func @main(%w: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = dataflow.launch @steps(%w, %w, %w) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}
