// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR < %t.mlir
// RUN: streamtensor-translate %t.mlir --output-dir=%t
// RUN: FileCheck %s < %t/hls/pairs.cpp

// Rows of weights that share a row of activations: two products in a statement, which are one DSP. What shares nothing
// is printed product by product.

// IR: arith.muli {{.*}} on "mul_pair_int">{{.*}} : vector<4x2xi32>
// IR: arith.muli {{.*}} on "mul_int" as "dsp">{{.*}} : vector<2xi32>

// CHECK: std::int32_t product[4][2];
// CHECK: for (int u0 = 0; u0 < 2; ++u0) {
// CHECK: for (int u1 = 0; u1 < 2; ++u1) {
// CHECK: st::multiply_pair<4, 8, 3>({{.*}}[u0 * 4 + u1]{{.*}}, {{.*}}[u0 * 4 + u1 + 2]{{.*}}, {{.*}}[u1]{{.*}}, product[u0 * 2][u1], product[u0 * 2 + 1][u1]);
// CHECK-NOT: multiply_pair
dataflow.design @pairs {
  %w = dataflow.port in "w" : !dataflow.port<8x4x2xi4>
  %a = dataflow.port in "a" : !dataflow.port<8x2xi8>
  %y = dataflow.port out "y" : !dataflow.port<8x4x2xi32>
  %z = dataflow.port out "z" : !dataflow.port<8x2xi32>
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<8xi4>>
  %af = dataflow.stream "af" : !dataflow.stream<vector<2xi8>>
  %yf = dataflow.stream "yf" : !dataflow.stream<vector<8xi32>>
  %zf = dataflow.stream "zf" : !dataflow.stream<vector<2xi32>>
  dataflow.leaf "w_load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %w affine_map<(d0) -> (d0, 0, 0)> : !dataflow.port<8x4x2xi4> -> vector<1x4x2xi4>
    %r = vector.shape_cast %v : vector<1x4x2xi4> to vector<8xi4>
    dataflow.stream_write %r, %wf : vector<8xi4>, !dataflow.stream<vector<8xi4>>
  }
  dataflow.leaf "a_load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(d0) -> (d0, 0)> : !dataflow.port<8x2xi8> -> vector<1x2xi8>
    %r = vector.shape_cast %v : vector<1x2xi8> to vector<2xi8>
    dataflow.stream_write %r, %af : vector<2xi8>, !dataflow.stream<vector<2xi8>>
  }
  dataflow.leaf "products" compute [8] {
  ^bb0(%i: index):
    %ws = dataflow.stream_read %wf : !dataflow.stream<vector<8xi4>> -> vector<8xi4>
    %as = dataflow.stream_read %af : !dataflow.stream<vector<2xi8>> -> vector<2xi8>
    %own = vector.shape_cast %ws : vector<8xi4> to vector<4x2xi4>
    %row = vector.broadcast %as : vector<2xi8> to vector<4x2xi8>
    %x = arith.extsi %own : vector<4x2xi4> to vector<4x2xi32>
    %f = arith.extsi %row : vector<4x2xi8> to vector<4x2xi32>
    %p = arith.muli %f, %x : vector<4x2xi32>
    %q = vector.shape_cast %p : vector<4x2xi32> to vector<8xi32>
    %s = arith.extsi %as : vector<2xi8> to vector<2xi32>
    %t = arith.muli %s, %s : vector<2xi32>
    dataflow.stream_write %q, %yf : vector<8xi32>, !dataflow.stream<vector<8xi32>>
    dataflow.stream_write %t, %zf : vector<2xi32>, !dataflow.stream<vector<2xi32>>
  }
  dataflow.leaf "y_store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %yf : !dataflow.stream<vector<8xi32>> -> vector<8xi32>
    %r = vector.shape_cast %v : vector<8xi32> to vector<1x4x2xi32>
    dataflow.store %r, %y affine_map<(d0) -> (d0, 0, 0)> : vector<1x4x2xi32>, !dataflow.port<8x4x2xi32>
  }
  dataflow.leaf "z_store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %zf : !dataflow.stream<vector<2xi32>> -> vector<2xi32>
    %r = vector.shape_cast %v : vector<2xi32> to vector<1x2xi32>
    dataflow.store %r, %z affine_map<(d0) -> (d0, 0)> : vector<1x2xi32>, !dataflow.port<8x2xi32>
  }
}
