// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR < %t.mlir
// RUN: streamtensor-translate %t.mlir --output-dir=%t
// RUN: FileCheck %s < %t/hls/crosses.cpp

// Rows of weights that meet two tokens of activations: four products in a statement, which are one DSP.

// IR: arith.muli {{.*}} for 5 on "mul_cross_int">{{.*}} : vector<2x4x3xi32>

// CHECK: std::int32_t product[2][4][3];
// CHECK: for (int u1 = 0; u1 < 2; ++u1) {
// CHECK: for (int u2 = 0; u2 < 3; ++u2) {
// CHECK: st::multiply_cross<4, 8, 3>({{.*}}(wf_token[u1 * 6 + u2]), {{.*}}(wf_token[u1 * 6 + u2 + 3]), {{.*}}(af_token[u2]), {{.*}}(af_token[u2 + 3]), product[0][u1 * 2][u2], product[0][u1 * 2 + 1][u2], product[1][u1 * 2][u2], product[1][u1 * 2 + 1][u2]);
dataflow.design @crosses {
  %w = dataflow.port in "w" : !dataflow.port<8x4x3xi4>
  %a = dataflow.port in "a" : !dataflow.port<8x2x3xi8>
  %y = dataflow.port out "y" : !dataflow.port<8x2x4x3xi32>
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<12xi4>>
  %af = dataflow.stream "af" : !dataflow.stream<vector<6xi8>>
  %yf = dataflow.stream "yf" : !dataflow.stream<vector<24xi32>>
  dataflow.leaf "w_load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %w affine_map<(d0) -> (d0, 0, 0)> : !dataflow.port<8x4x3xi4> -> vector<1x4x3xi4>
    %r = vector.shape_cast %v : vector<1x4x3xi4> to vector<12xi4>
    dataflow.stream_write %r, %wf : vector<12xi4>, !dataflow.stream<vector<12xi4>>
  }
  dataflow.leaf "a_load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(d0) -> (d0, 0, 0)> : !dataflow.port<8x2x3xi8> -> vector<1x2x3xi8>
    %r = vector.shape_cast %v : vector<1x2x3xi8> to vector<6xi8>
    dataflow.stream_write %r, %af : vector<6xi8>, !dataflow.stream<vector<6xi8>>
  }
  dataflow.leaf "products" compute [8] {
  ^bb0(%i: index):
    %ws = dataflow.stream_read %wf : !dataflow.stream<vector<12xi4>> -> vector<12xi4>
    %as = dataflow.stream_read %af : !dataflow.stream<vector<6xi8>> -> vector<6xi8>
    %rows = vector.shape_cast %ws : vector<12xi4> to vector<4x3xi4>
    %every_row = vector.broadcast %rows : vector<4x3xi4> to vector<2x4x3xi4>
    %tokens = vector.shape_cast %as : vector<6xi8> to vector<2x1x3xi8>
    %every_token = vector.broadcast %tokens : vector<2x1x3xi8> to vector<2x4x3xi8>
    %x = arith.extsi %every_row : vector<2x4x3xi4> to vector<2x4x3xi32>
    %f = arith.extsi %every_token : vector<2x4x3xi8> to vector<2x4x3xi32>
    %p = arith.muli %f, %x : vector<2x4x3xi32>
    %q = vector.shape_cast %p : vector<2x4x3xi32> to vector<24xi32>
    dataflow.stream_write %q, %yf : vector<24xi32>, !dataflow.stream<vector<24xi32>>
  }
  dataflow.leaf "y_store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %yf : !dataflow.stream<vector<24xi32>> -> vector<24xi32>
    %r = vector.shape_cast %v : vector<24xi32> to vector<1x2x4x3xi32>
    dataflow.store %r, %y affine_map<(d0) -> (d0, 0, 0, 0)> : vector<1x2x4x3xi32>, !dataflow.port<8x2x4x3xi32>
  }
}
