// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase -o %t
// RUN: streamtensor-sim %t --json | FileCheck %s
// RUN: streamtensor-sim %t --json --scalar rows=5 | FileCheck %s --check-prefix=FEWER
// RUN: streamtensor-sim %t --json --activity=8 | FileCheck %s --check-prefix=ACTIVITY

// Sums of two squares: 2 multiply-adds for each of 8 rows, or of as many as a launch says. A product of floats takes 3
// DSPs and a sum 2: 2 x 3 + 2 for 2 lanes. 6,228 DSPs can be placed on the card, and its 32 channels sustain 13.28 GB/s
// each: 53.12 bytes in a cycle. 64 bytes are read and 32 written in 102 cycles; 64 / 53.12 / 102 is 0.01181.

// CHECK: "roofline": {
// CHECK-NEXT: "bytes_per_second": 424960000000,
// CHECK-NEXT: "dsps_per_lane": 4,
// CHECK-NEXT: "external_bytes": 96,
// CHECK-NEXT: "lanes": 2,
// CHECK-NEXT: "multiply_adds": 16,
// CHECK-NEXT: "placeable_lanes": 1557,
// CHECK-NEXT: "used_bytes_per_second": 26560000000
// CHECK: "ports": [
// CHECK: "bytes": 64,
// CHECK: "utilisation": 0.01181
// CHECK: "multiply_add_lanes": 2,
// CHECK-NEXT: "multiply_adds": 16,
// CHECK-NOT: "activity"
// FEWER: "multiply_adds": 10,

// Eight parts of 16 cycles hold 102. The task never waits.
// ACTIVITY: "part_cycles": 16
// ACTIVITY: "activity": {},
// ACTIVITY: "start_stall": 0

dataflow.design @squares {
  %x = dataflow.port in "x" : !dataflow.port<8x2xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %rows = dataflow.scalar "rows" from 1 to 8 : index
  dataflow.leaf "sums" compute [8] counts affine_map<()[s0] -> (s0)> (%rows) {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<8x2xf32> -> vector<1x2xf32>
    %f = vector.shape_cast %v : vector<1x2xf32> to vector<2xf32>
    %p = arith.mulf %f, %f : vector<2xf32>
    %a = vector.extract %p[0] : f32 from vector<2xf32>
    %b = vector.extract %p[1] : f32 from vector<2xf32>
    %s = arith.addf %a, %b : f32
    dataflow.store %s, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
