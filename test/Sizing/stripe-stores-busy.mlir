// RUN: sed 's/"masters": 32/"masters": 4/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-size-phase | FileCheck %s

// Of four masters `x` has two, and each of the results one. `x` keeps its own busy for 4,096 words each, and the rows of
// `y` would take them 2,048 more, 7,402 cycles at 53.12 bytes of 64. Alone, `y` takes 4,096 for its two words a row.
// CHECK: dataflow.port in "x" via %{{[^,]*}}, %{{[^,]*}} :
// CHECK: dataflow.port out "y" via %{{[^,]*}} : <2048x32xf32>
dataflow.design @busy {
  %x = dataflow.port in "x" : !dataflow.port<4096x32xf32>
  %y = dataflow.port out "y" : !dataflow.port<2048x32xf32>
  %z = dataflow.port out "z" : !dataflow.port<1xf32>
  %rows = dataflow.stream "rows" : !dataflow.stream<vector<32xf32>>
  %made = dataflow.stream "made" : !dataflow.stream<vector<32xf32>>
  %last = dataflow.stream "last" : !dataflow.stream<f32>
  dataflow.leaf "x_load" load [4096] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<4096x32xf32> -> vector<1x32xf32>
    %w = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %w, %rows : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "take" compute [4096] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %rows : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %e = vector.extract %v[3] : f32 from vector<32xf32>
    dataflow.stream_write %e, %last when affine_set<(d0) : (d0 - 4095 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "make" compute [2048] {
  ^bb0(%i: index):
    %v = arith.constant dense<1.0> : vector<32xf32>
    dataflow.stream_write %v, %made : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "y_store" store [2048] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %made : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %w = vector.shape_cast %v : vector<32xf32> to vector<1x32xf32>
    dataflow.store %w, %y affine_map<(d0) -> (d0, 0)> : vector<1x32xf32>, !dataflow.port<2048x32xf32>
  }
  dataflow.leaf "z_store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %last : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : f32, !dataflow.port<1xf32>
  }
}
