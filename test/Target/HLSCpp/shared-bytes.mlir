// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t.mlir
// RUN: streamtensor-translate %t.mlir --output-dir=%t
// RUN: FileCheck %s < %t/hls/nibbles.cpp
// RUN: FileCheck %s --check-prefix=FACE < %t/interface.json
// RUN: FileCheck %s --check-prefix=PROGRAM < %t/host/program.h

// Two integers of 4 bits share a byte: 128 of them are a word of 512 bits. Where single ones are
// moved, each has a byte.

// CHECK: void load(const hls::vector<std::uint8_t, 64> *x
// CHECK: ap_int<4>(x_word[u1 / 2] >> ((u1 % 2) * 4))
// CHECK: hls::vector<std::uint8_t, 64> y_word{};
// CHECK: y_word[u1 / 2] |= std::uint8_t(ap_uint<4>({{.*}})) << ((u1 % 2) * 4);
// CHECK: ap_int<4> *z

// FACE: "bits": 4
// FACE: "name": "x"
// FACE: "bits": 4
// FACE: "name": "y"
// FACE: "bits": 8
// FACE: "name": "z"

// PROGRAM: {"x", st::Direction::in, 4, 64, {"HBM[0]"},
// PROGRAM: {"y", st::Direction::out, 4, 64, {"HBM[1]"},
// PROGRAM: {"z", st::Direction::out, 0, 8, {"HBM[2]"},

dataflow.design @nibbles {
  %x = dataflow.port in "x" : !dataflow.port<8x128xi4>
  %y = dataflow.port out "y" : !dataflow.port<8x128xi4>
  %z = dataflow.port out "z" : !dataflow.port<8xi4>
  %a = dataflow.stream "a" : !dataflow.stream<vector<128xi4>, 2>
  %b = dataflow.stream "b" : !dataflow.stream<i4, 2>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<8x128xi4> -> vector<1x128xi4>
    %w = vector.shape_cast %v : vector<1x128xi4> to vector<128xi4>
    dataflow.stream_write %w, %a : vector<128xi4>, !dataflow.stream<vector<128xi4>, 2>
    %first = vector.extract %w[0] : i4 from vector<128xi4>
    dataflow.stream_write %first, %b : i4, !dataflow.stream<i4, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<128xi4>, 2> -> vector<128xi4>
    %w = vector.shape_cast %v : vector<128xi4> to vector<1x128xi4>
    dataflow.store %w, %y affine_map<(d0) -> (d0, 0)> : vector<1x128xi4>, !dataflow.port<8x128xi4>
  }
  dataflow.leaf "store_first" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %b : !dataflow.stream<i4, 2> -> i4
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : i4, !dataflow.port<8xi4>
  }
}

func.func @main(%x: tensor<8x128xi4>) -> (tensor<8x128xi4>, tensor<8xi4>) {
  %y, %z = dataflow.launch @nibbles(%x) : (tensor<8x128xi4>) -> (tensor<8x128xi4>, tensor<8xi4>)
  return %y, %z : tensor<8x128xi4>, tensor<8xi4>
}
