// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s <%t/hls/many.cpp

// Each loop of the nests counts in an int, all iterations of the two together do not.
// CHECK: int step = 0, turn = 0;
// CHECK: for (long long iteration = 0; iteration < 5000050000; ++iteration)
dataflow.design @many {
  %y = dataflow.port out "y" : !dataflow.port<1xf32>
  dataflow.leaf "count" compute [100000] attributes {together} {
  ^bb0(%b: index, %m: !dataflow.private<2x1xf32>):
    dataflow.nest "fill" [50000] {
    ^bb0(%i: index):
      %one = arith.constant 1.0 : f32
      dataflow.store %one, %m affine_map<(b, i) -> (b mod 2, 0)> : f32, !dataflow.private<2x1xf32>
    }
    dataflow.nest "use" [50000] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(b, i) -> (b mod 2, 0)> : !dataflow.private<2x1xf32> -> f32
      dataflow.store %v, %y affine_map<(b, i) -> (0)> when affine_set<(b, i) : (b - 99999 == 0, i - 49999 == 0)> : f32, !dataflow.port<1xf32>
    }
  }
}

// A turn counts the iterations of the longer nest.
// RUN: FileCheck %s --check-prefix=LONGEST <%t/hls/longest.cpp
// LONGEST: long long step = 0, turn = 0;
// LONGEST: for (long long iteration = 0; iteration < 2500050000; ++iteration)
dataflow.design @longest {
  %y = dataflow.port out "y" : !dataflow.port<1xf32>
  dataflow.leaf "count" compute [1] attributes {together} {
  ^bb0(%b: index, %m: !dataflow.private<2x1xf32>):
    dataflow.nest "fill" [50000, 50000] {
    ^bb0(%i: index, %j: index):
      %one = arith.constant 1.0 : f32
      dataflow.store %one, %m affine_map<(b, i, j) -> (0, 0)> : f32, !dataflow.private<2x1xf32>
    }
    dataflow.nest "use" [50000] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(b, i) -> (0, 0)> : !dataflow.private<2x1xf32> -> f32
      dataflow.store %v, %y affine_map<(b, i) -> (0)> when affine_set<(b, i) : (i - 49999 == 0)> : f32, !dataflow.port<1xf32>
    }
  }
}
