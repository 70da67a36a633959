// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports=loss=0 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/"masters": 32/"masters": 3/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports=loss=0 | FileCheck %s --check-prefix=FORCED
// RUN: sed 's/"masters": 32/"masters": 1/' %devices/u55c.json >%t.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports 2>&1 | FileCheck %s --check-prefix=ERROR

// Two biases share a master and a leaf that loads them in turn; the weights, which are always on the way, have one of
// their own. What is merged takes 2 x (64 + 77 + 48) cycles, less than 1 % of the slowest leaf. Without time for it
// nothing is merged, unless the card has too few masters; then it is what takes the fewest cycles.

// CHECK: %[[SHARED:.*]] = dataflow.interface "gmem_a_and_1"
// CHECK: %[[W:.*]] = dataflow.interface "gmem_w"
// CHECK: %[[A:.*]] = dataflow.port in "a" via %[[SHARED]]
// CHECK: %[[B:.*]] = dataflow.port in "b" via %[[SHARED]]
// CHECK: dataflow.port in "w" via %[[W]]
// CHECK: dataflow.stream "bf"
// CHECK-NEXT: dataflow.leaf "a_load_and_1" load []
// CHECK: dataflow.nest "a_load" [64]
// CHECK: dataflow.load %[[A]] {{.*}}outstanding = 3
// CHECK: dataflow.nest "b_load" [64]
// CHECK: dataflow.load %[[B]] {{.*}}outstanding = 3
// The merged leaf stands where the first of them stood, in front of all readers.
// CHECK: dataflow.leaf "w_load"
// CHECK-NOT: dataflow.leaf "b_load"
// CHECK: dataflow.leaf "sum"

// NONE-COUNT-4: dataflow.interface
// NONE: dataflow.leaf "b_load"

// FORCED-COUNT-3: dataflow.interface
// FORCED-NOT: dataflow.interface
// FORCED: dataflow.leaf "a_load_and_1"

// ERROR: error: 'dataflow.design' op [design.masters] has 2 AXI masters and device 'u55c' takes 1: concatenate tensors that are read alike, or compile parts of the module as designs of their own

dataflow.design @biases {
  %a = dataflow.port in "a" : !dataflow.port<1024xf32>
  %b = dataflow.port in "b" : !dataflow.port<1024xf32>
  %w = dataflow.port in "w" : !dataflow.port<1024x1024xf32>
  %y = dataflow.port out "y" : !dataflow.port<1024xf32>
  %af = dataflow.stream "af" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "a_load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(i) -> (i * 16)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %af : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "w_load" load [64, 1024] {
  ^bb0(%j: index, %i: index):
    %v = dataflow.load %w affine_map<(j, i) -> (i, j * 16)> : !dataflow.port<1024x1024xf32> -> vector<1x16xf32>
    %f = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %f, %wf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %bf = dataflow.stream "bf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "b_load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i * 16)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %bf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "sum" compute [64, 1024] {
  ^bb0(%j: index, %i: index):
    %p = dataflow.stream_read %wf : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %v = dataflow.stream_read %af when affine_set<(j, i) : (i == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %u = dataflow.stream_read %bf when affine_set<(j, i) : (i == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %s = arith.addf %p, %v : vector<16xf32>
    %t = arith.addf %s, %u : vector<16xf32>
    dataflow.store %t, %y affine_map<(j, i) -> (j * 16)> when affine_set<(j, i) : (i - 1023 == 0)> : vector<16xf32>, !dataflow.port<1024xf32>
  }
}
