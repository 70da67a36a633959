// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-sim --json | FileCheck %s --check-prefix=CYCLES

// An iteration moves 5 rows of 16 floats, 5 words. 5 masters cannot have equal parts of a row of 16, but of one of 80: all
// that an iteration moves is a row, since it lies in one piece. Rows 5 to 9 of a tile begin a row like rows 0 to 4.

// CHECK: func.func @main
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %{{.*}} : tensor<10x10x16xf32> into tensor<1600xf32>
// CHECK: %[[LAID:.*]] = tensor.expand_shape %[[ROWS]] {{.*}} : tensor<1600xf32> into tensor<20x80xf32>
// CHECK: dataflow.launch @words(%[[LAID]]) : (tensor<20x80xf32>)
// CHECK: dataflow.port in "x" via %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{[^,]*}} : <20x80xf32>
// CHECK: dataflow.leaf "x_load" load [3, 10, 2]
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1, d2) -> (d1 * 2 + d2, 0)> {{.*}}words = #dataflow.words<count = 1, lanes = 16

// Three bursts of 20 words in each of the channels, which sustain 53.12 of a word's 64 bytes a cycle: a burst begins 24.1
// cycles after the one before, the last of 60 iterations 2 + 48.2 + 19 cycles after the start, at cycle 70. 78 cycles later
// its token stands in the FIFO, a cycle later it is taken, and 10 after that stored. One master would take 300 words.
// CYCLES: "cycles": 159,
func.func @main(%x: tensor<10x10x16xf32>) -> tensor<1xf32> {
  %z = dataflow.launch @words(%x) : (tensor<10x10x16xf32>) -> tensor<1xf32>
  return %z : tensor<1xf32>
}

dataflow.design @words {
  %x = dataflow.port in "x" : !dataflow.port<10x10x16xf32>
  %z = dataflow.port out "z" : !dataflow.port<1xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<80xf32>>
  %c = dataflow.stream "c" : !dataflow.stream<f32>
  dataflow.leaf "x_load" load [3, 10, 2] {
  ^bb0(%again: index, %tile: index, %half: index):
    %v = dataflow.load %x affine_map<(d0, d1, d2) -> (d1, d2 * 5, 0)> : !dataflow.port<10x10x16xf32> -> vector<1x5x16xf32>
    %w = vector.shape_cast %v : vector<1x5x16xf32> to vector<80xf32>
    dataflow.stream_write %w, %a : vector<80xf32>, !dataflow.stream<vector<80xf32>>
  }
  dataflow.leaf "take" compute [60] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<80xf32>> -> vector<80xf32>
    %e = vector.extract %v[3] : f32 from vector<80xf32>
    dataflow.stream_write %e, %c when affine_set<(d0) : (d0 - 59 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "z_store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : f32, !dataflow.port<1xf32>
  }
}
