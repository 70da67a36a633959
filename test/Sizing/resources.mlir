// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-sim --json | FileCheck %s

// Three products of int8 by int8: a DSP each. Four by two numbers that they share: a DSP for two. A product of floats
// takes three, though its leaf begins an iteration every other cycle, as it reads two words of one port: of one operator
// there is no half.

// CHECK: "resources": {
// CHECK: "dsp": {
// CHECK-NEXT: "available": 9024,
// CHECK-NEXT: "placeable": 6228,
// CHECK-NEXT: "used": 8
dataflow.design @resources {
  %a = dataflow.port in "a" : !dataflow.port<8x4xi8>
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %c = dataflow.port in "c" : !dataflow.port<8x2x2xi8>
  %b = dataflow.port out "b" : !dataflow.port<8x4xi8>
  %d = dataflow.port out "d" : !dataflow.port<8x2x2xi8>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  dataflow.leaf "bytes" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(d0) -> (d0, 0)> : !dataflow.port<8x4xi8> -> vector<1x3xi8>
    %w = arith.muli %v, %v : vector<1x3xi8>
    dataflow.store %w, %b affine_map<(d0) -> (d0, 0)> : vector<1x3xi8>, !dataflow.port<8x4xi8>
  }
  dataflow.leaf "pairs" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %c affine_map<(d0) -> (d0, 0, 0)> : !dataflow.port<8x2x2xi8> -> vector<1x2x2xi8>
    %m = vector.shape_cast %v : vector<1x2x2xi8> to vector<2x2xi8>
    %f = vector.extract %m[0] : vector<2xi8> from vector<2x2xi8>
    %g = vector.broadcast %f : vector<2xi8> to vector<2x2xi8>
    %w = arith.muli %m, %g : vector<2x2xi8>
    %r = vector.shape_cast %w : vector<2x2xi8> to vector<1x2x2xi8>
    dataflow.store %r, %d affine_map<(d0) -> (d0, 0, 0)> : vector<1x2x2xi8>, !dataflow.port<8x2x2xi8>
  }
  dataflow.leaf "floats" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<16xf32> -> f32
    %w = dataflow.load %x affine_map<(d0) -> (d0 + 8)> : !dataflow.port<16xf32> -> f32
    %p = arith.mulf %v, %w : f32
    dataflow.store %p, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8xf32>
  }
}
