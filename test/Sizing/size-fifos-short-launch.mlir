// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase -o %t
// RUN: FileCheck %s < %t
// RUN: streamtensor-sim %t --scalar tokens=1 | FileCheck %s --check-prefix=ONE

// In each of 16 layers a task does something else for 256 cycles and then takes 256 weights, each for all tokens of a
// launch. A weight takes two cycles to come. With 8 tokens it is there in time whatever the FIFO holds. With one, a layer
// takes little more than the 512 cycles of its weights as long as many of them are there when the task begins to take
// them: with the 64 that are enough for 8 tokens it took 11,381 cycles.

// CHECK: dataflow.stream "weights" {{.*}} : <vector<32xf32>, {{[1-9][0-9][0-9]}}>
// ONE: {{^}}9{{[0-9][0-9][0-9]}} cycles

#first = affine_set<(d0, d1, d2) : (d2 == 0)>

dataflow.design @layers {
  %w = dataflow.port in "w" : !dataflow.port<16x128x64xf32>
  %x = dataflow.port in "x" : !dataflow.port<16x256xf32>
  %y = dataflow.port out "y" : !dataflow.port<16x512xf32>
  %tokens = dataflow.scalar "tokens" from 1 to 8 : index
  %weights = dataflow.stream "weights" : !dataflow.stream<vector<32xf32>>
  %others = dataflow.stream "others" : !dataflow.stream<f32>
  %results = dataflow.stream "results" : !dataflow.stream<f32>
  dataflow.leaf "w_load" load [16, 128, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.load %w affine_map<(d0, d1, d2) -> (d0, d1, d2 * 32)> : !dataflow.port<16x128x64xf32> -> vector<1x1x32xf32>
    %r = vector.shape_cast %v : vector<1x1x32xf32> to vector<32xf32>
    dataflow.stream_write %r, %weights : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "x_load" load [16, 256] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<16x256xf32> -> f32
    dataflow.stream_write %v, %others : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "task" compute [16] counts affine_map<()[s0] -> (16)> (%tokens) {
  ^bb0(%i: index):
    dataflow.nest "other" [256] {
    ^bb0(%j: index):
      %v = dataflow.stream_read %others : !dataflow.stream<f32> -> f32
      dataflow.stream_write %v, %results : f32, !dataflow.stream<f32>
    }
    dataflow.nest "core" [256, 8] counts affine_map<()[s0] -> (256, s0)> {
    ^bb0(%j: index, %k: index):
      %v = dataflow.stream_read %weights when #first : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
      %s = vector.extract %v[0] : f32 from vector<32xf32>
      dataflow.stream_write %s, %results when #first : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "store" store [16, 512] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %results : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<16x512xf32>
  }
}
