// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-sim --json | FileCheck %s

// 120 LUTs and 40 for each of two loops; four banks of eight words of 32 bits, 80; a word read comes from one of the
// four, 4 * 32 / 4.
// CHECK: "name": "banks",
// CHECK: "lut": 312,

// Three loops; a memory of 32 words of 32 bits, 20 LUTs, which two nests write, 2 * 32 / 4 for the words and 2 * 5 / 4,
// rounded up with the rest, for the addresses; the third nest reads it.
// CHECK: "name": "writers",
// CHECK: "lut": 279,

dataflow.design @memories {
  %x = dataflow.port in "x" : !dataflow.port<32xf32>
  %z = dataflow.port in "z" : !dataflow.port<16xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<4xf32>, 8>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 32>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 16>
  %d = dataflow.stream "d" : !dataflow.stream<f32, 32>
  dataflow.leaf "load_x" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0 * 4)> : !dataflow.port<32xf32> -> vector<4xf32>
    dataflow.stream_write %v, %a : vector<4xf32>, !dataflow.stream<vector<4xf32>, 8>
  }
  dataflow.leaf "load_z" load [16] {
  ^bb0(%i: index):
    %v = dataflow.load %z affine_map<(d0) -> (d0)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %v, %c : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "banks" compute [] {
  ^bb0(%m: !dataflow.private<32xf32>):
    dataflow.nest "fill" [8] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %a : !dataflow.stream<vector<4xf32>, 8> -> vector<4xf32>
      dataflow.store %v, %m affine_map<(d0) -> (d0 * 4)> : vector<4xf32>, !dataflow.private<32xf32>
    }
    dataflow.nest "drain" [32] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(d0) -> (d0)> : !dataflow.private<32xf32> -> f32
      dataflow.stream_write %v, %b : f32, !dataflow.stream<f32, 32>
    }
  }
  dataflow.leaf "writers" compute [] {
  ^bb0(%m: !dataflow.private<32xf32>):
    dataflow.nest "first" [32] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %b : !dataflow.stream<f32, 32> -> f32
      dataflow.store %v, %m affine_map<(d0) -> (d0)> : f32, !dataflow.private<32xf32>
    }
    dataflow.nest "second" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %c : !dataflow.stream<f32, 16> -> f32
      dataflow.store %v, %m affine_map<(d0) -> (d0 + 16)> : f32, !dataflow.private<32xf32>
    }
    dataflow.nest "third" [32] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(d0) -> (d0)> : !dataflow.private<32xf32> -> f32
      dataflow.stream_write %v, %d : f32, !dataflow.stream<f32, 32>
    }
  }
  dataflow.leaf "store" store [32] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %d : !dataflow.stream<f32, 32> -> f32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : f32, !dataflow.port<32xf32>
  }
}
