// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase -mlir-print-debuginfo | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/guarded.cpp
// RUN: FileCheck %s --check-prefix=PARTS --input-file=%t/hls/guarded_parts.cpp

// A word that is read in some iterations is held over the others: its guard opens and closes around the read alone.
dataflow.design @guarded {
  %x = dataflow.port in "x" : !dataflow.port<4x16xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x2x16xf32>
  %s = dataflow.stream "s" : !dataflow.stream<vector<16xf32>, 2>
  // CHECK: hls::vector<float, 16> [[WORD:x[a-z_]*]];
  // CHECK: if (i1 == 0) {
  // CHECK-NEXT: [[WORD]] = x[i0];
  // CHECK-NEXT: }
  // CHECK-NEXT: s.write([[WORD]]);
  dataflow.leaf "load_x" load [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, 0)> when affine_set<(i, j) : (j == 0)> : !dataflow.port<4x16xf32> -> vector<1x16xf32>
    %t = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %t, %s : vector<16xf32>, !dataflow.stream<vector<16xf32>, 2>
  }
  dataflow.leaf "store_y" store [4, 2] {
  ^bb0(%i: index, %j: index):
    %t = dataflow.stream_read %s : !dataflow.stream<vector<16xf32>, 2> -> vector<16xf32>
    %v = vector.shape_cast %t : vector<16xf32> to vector<1x1x16xf32>
    dataflow.store %v, %y affine_map<(i, j) -> (i, j, 0)> : vector<1x1x16xf32>, !dataflow.port<4x2x16xf32>
  }
}

// Elements that are taken out of two words are held too, and taken where the words are read.
dataflow.design @guarded_parts {
  %x = dataflow.port in "x" : !dataflow.port<4x32xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x2x32xf32>
  %s = dataflow.stream "s" : !dataflow.stream<vector<32xf32>, 2>
  // PARTS: if (i1 == 0) {
  // PARTS-NEXT: hls::vector<float, 16> x_word[2];
  // PARTS: x_value[u1] = x_word[u1 / 16][u1 % 16];
  // PARTS-NEXT: }
  // PARTS-NEXT: }
  // PARTS-NEXT: s.write(x_value);
  dataflow.leaf "load_x" load [4, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, 0)> when affine_set<(i, j) : (j == 0)> : !dataflow.port<4x32xf32> -> vector<1x32xf32>
    %t = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %t, %s : vector<32xf32>, !dataflow.stream<vector<32xf32>, 2>
  }
  dataflow.leaf "store_y" store [4, 2] {
  ^bb0(%i: index, %j: index):
    %t = dataflow.stream_read %s : !dataflow.stream<vector<32xf32>, 2> -> vector<32xf32>
    %v = vector.shape_cast %t : vector<32xf32> to vector<1x1x32xf32>
    dataflow.store %v, %y affine_map<(i, j) -> (i, j, 0)> : vector<1x1x32xf32>, !dataflow.port<4x2x32xf32>
  }
}
