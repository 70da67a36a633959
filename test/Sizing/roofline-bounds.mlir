// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-sim --json | FileCheck %s

// The fewest there can be. One product of floats (3 DSPs) and its sum (2) are one lane, 6228 / 5 of which can be placed;
// products of 16 bits take one DSP each and their sum none. Where nothing is multiplied and added, no number of lanes can
// be placed. A channel that moves 4 bytes moves a beat of 32.

// CHECK: "roofline": {
// CHECK: "dsps_per_lane": 5,
// CHECK-NEXT: "external_bytes": 64,
// CHECK-NEXT: "lanes": 1,
// CHECK-NEXT: "multiply_adds": 1,
// CHECK-NEXT: "placeable_lanes": 1245,
// CHECK-NEXT: "used_bytes_per_second": 26560000000
// CHECK: "roofline": {
// CHECK: "dsps_per_lane": 1,
// CHECK-NEXT: "external_bytes": 64,
// CHECK-NEXT: "lanes": 2,
// CHECK-NEXT: "multiply_adds": 2,
// CHECK-NEXT: "placeable_lanes": 6228,
// CHECK: "roofline": {
// CHECK: "dsps_per_lane": 0,
// CHECK-NEXT: "external_bytes": 64,
// CHECK-NEXT: "lanes": 0,
// CHECK-NEXT: "multiply_adds": 0,
// CHECK-NEXT: "used_bytes_per_second": 26560000000

dataflow.design @once {
  %x = dataflow.port in "x" : !dataflow.port<1xf32>
  %y = dataflow.port out "y" : !dataflow.port<1xf32>
  dataflow.leaf "square" compute [1] {
  ^bb0(%i: index, %acc: !dataflow.private<1xf32>):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<1xf32> -> f32
    %p = arith.mulf %v, %v : f32
    %before = dataflow.load %acc affine_map<(d0) -> (0)> : !dataflow.private<1xf32> -> f32
    %s = arith.addf %before, %p : f32
    dataflow.store %s, %acc affine_map<(d0) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.store %s, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<1xf32>
  }
}
dataflow.design @integers {
  %x = dataflow.port in "x" : !dataflow.port<1x2xi16>
  %y = dataflow.port out "y" : !dataflow.port<1xi16>
  dataflow.leaf "sums" compute [1] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<1x2xi16> -> vector<1x2xi16>
    %f = vector.shape_cast %v : vector<1x2xi16> to vector<2xi16>
    %p = arith.muli %f, %f : vector<2xi16>
    %a = vector.extract %p[0] : i16 from vector<2xi16>
    %b = vector.extract %p[1] : i16 from vector<2xi16>
    %s = arith.addi %a, %b : i16
    dataflow.store %s, %y affine_map<(d0) -> (d0)> : i16, !dataflow.port<1xi16>
  }
}
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  dataflow.leaf "copy" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<8xf32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
