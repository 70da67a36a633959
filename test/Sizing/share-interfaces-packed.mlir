// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s

// A row of 48 four-bit numbers takes 24 bytes of a word of 256 bits: it shares a master with another such row, not with
// rows of 16 integers of 32 bits, whose words have 512. Words that hold padding cannot be cut to the width of others.

// CHECK: %[[PAIR:.*]] = dataflow.interface "gmem_a_and_1"
// CHECK: %[[B:.*]] = dataflow.interface "gmem_b"
// CHECK-NOT: dataflow.interface
// CHECK: dataflow.port in "a" via %[[PAIR]]
// CHECK: dataflow.port in "b" via %[[B]]
// CHECK: dataflow.port in "c" via %[[PAIR]]
// CHECK: dataflow.nest "a_load" [4]
// CHECK: dataflow.load {{.*}} lanes = 64, used = 48,
// CHECK: dataflow.nest "c_load" [4]
// CHECK: dataflow.load {{.*}} lanes = 64, used = 48,
// CHECK: dataflow.leaf "b_load"
// CHECK: dataflow.load {{.*}} lanes = 16, used = 16,

dataflow.design @rows {
  %a = dataflow.port in "a" : !dataflow.port<4x64xi4>
  %b = dataflow.port in "b" : !dataflow.port<4x16xi32>
  %c = dataflow.port in "c" : !dataflow.port<4x64xi4>
  %af = dataflow.stream "af" : !dataflow.stream<vector<48xi4>>
  dataflow.leaf "a_load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(i) -> (i, 0)> : !dataflow.port<4x64xi4> -> vector<1x48xi4>
    %t = vector.shape_cast %v : vector<1x48xi4> to vector<48xi4>
    dataflow.stream_write %t, %af : vector<48xi4>, !dataflow.stream<vector<48xi4>>
  }
  %bf = dataflow.stream "bf" : !dataflow.stream<vector<16xi32>>
  dataflow.leaf "b_load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i, 0)> : !dataflow.port<4x16xi32> -> vector<1x16xi32>
    %t = vector.shape_cast %v : vector<1x16xi32> to vector<16xi32>
    dataflow.stream_write %t, %bf : vector<16xi32>, !dataflow.stream<vector<16xi32>>
  }
  %cf = dataflow.stream "cf" : !dataflow.stream<vector<48xi4>>
  dataflow.leaf "c_load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %c affine_map<(i) -> (i, 0)> : !dataflow.port<4x64xi4> -> vector<1x48xi4>
    %t = vector.shape_cast %v : vector<1x48xi4> to vector<48xi4>
    dataflow.stream_write %t, %cf : vector<48xi4>, !dataflow.stream<vector<48xi4>>
  }
  dataflow.leaf "use" compute [1024, 1024] {
  ^bb0(%j: index, %i: index):
    %p = dataflow.stream_read %af when affine_set<(j, i) : (j == 0, i - 1020 >= 0)> : !dataflow.stream<vector<48xi4>> -> vector<48xi4>
    %q = dataflow.stream_read %bf when affine_set<(j, i) : (j == 0, i - 1020 >= 0)> : !dataflow.stream<vector<16xi32>> -> vector<16xi32>
    %r = dataflow.stream_read %cf when affine_set<(j, i) : (j == 0, i - 1020 >= 0)> : !dataflow.stream<vector<48xi4>> -> vector<48xi4>
  }
}
