// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s

// What an engine takes in turn comes through one FIFO, as wide as it is: nests that follow one another and take tokens
// of one type. Those of another type, and what an engine takes earlier than the one before, have FIFOs of their own.

// CHECK: %[[BOTH:.*]] = dataflow.stream "wf" : <vector<64xf32>>
// CHECK-NOT: dataflow.stream "vf"
// CHECK: %[[WIDE:.*]] = dataflow.stream "uf" : <vector<128xf32>>
// CHECK: %[[EARLY:.*]] = dataflow.stream "tf" : <vector<128xf32>>
// CHECK: dataflow.leaf "w_load_and_3" load [4]
// CHECK: dataflow.nest "w_load"
// CHECK: dataflow.stream_write %{{.*}}, %[[BOTH]]
// CHECK: dataflow.nest "v_load"
// CHECK: dataflow.stream_write %{{.*}}, %[[BOTH]]
// CHECK: dataflow.nest "u_load"
// CHECK: dataflow.stream_write %{{.*}}, %[[WIDE]]
// CHECK: dataflow.nest "t_load"
// CHECK: dataflow.stream_write %{{.*}}, %[[EARLY]]
// CHECK: dataflow.leaf "engine" compute [4]
// CHECK: dataflow.nest "first" [256]
// CHECK: dataflow.stream_read %[[BOTH]]
// CHECK: dataflow.nest "second" [256]
// CHECK: dataflow.stream_read %[[BOTH]]
// CHECK: dataflow.nest "third" [256]
// CHECK: dataflow.stream_read %[[EARLY]]
// CHECK: dataflow.nest "fourth" [256]
// CHECK: dataflow.stream_read %[[WIDE]]

dataflow.design @engines {
  %w = dataflow.port in "w" : !dataflow.port<4x1024x16xf32>
  %v = dataflow.port in "v" : !dataflow.port<4x1024x16xf32>
  %u = dataflow.port in "u" : !dataflow.port<4x2048x16xf32>
  %t = dataflow.port in "t" : !dataflow.port<4x2048x16xf32>
  %y = dataflow.port out "y" : !dataflow.port<4xf32>
  %layers = dataflow.scalar "layers" from 1 to 4 : index
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "w_load" load [4, 256] counts affine_map<()[s0] -> (s0, 256)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %w affine_map<(l, i) -> (l, i * 4, 0)> : !dataflow.port<4x1024x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %wf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %vf = dataflow.stream "vf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "v_load" load [4, 256] counts affine_map<()[s0] -> (s0, 256)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %v affine_map<(l, i) -> (l, i * 4, 0)> : !dataflow.port<4x1024x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %vf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %uf = dataflow.stream "uf" : !dataflow.stream<vector<128xf32>>
  dataflow.leaf "u_load" load [4, 256] counts affine_map<()[s0] -> (s0, 256)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %u affine_map<(l, i) -> (l, i * 8, 0)> : !dataflow.port<4x2048x16xf32> -> vector<1x8x16xf32>
    %f = vector.shape_cast %e : vector<1x8x16xf32> to vector<128xf32>
    dataflow.stream_write %f, %uf : vector<128xf32>, !dataflow.stream<vector<128xf32>>
  }
  %tf = dataflow.stream "tf" : !dataflow.stream<vector<128xf32>>
  dataflow.leaf "t_load" load [4, 256] counts affine_map<()[s0] -> (s0, 256)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %t affine_map<(l, i) -> (l, i * 8, 0)> : !dataflow.port<4x2048x16xf32> -> vector<1x8x16xf32>
    %f = vector.shape_cast %e : vector<1x8x16xf32> to vector<128xf32>
    dataflow.stream_write %f, %tf : vector<128xf32>, !dataflow.stream<vector<128xf32>>
  }
  dataflow.leaf "engine" compute [4] counts affine_map<()[s0] -> (s0)> (%layers) {
  ^bb0(%l: index):
    dataflow.nest "first" [256] {
    ^bb0(%i: index):
      %p = dataflow.stream_read %wf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
      %q = vector.extract %p[0] : f32 from vector<64xf32>
      dataflow.store %q, %y affine_map<(l, i) -> (l)> when affine_set<(l, i) : (i - 255 == 0)> : f32, !dataflow.port<4xf32>
    }
    dataflow.nest "second" [256] {
    ^bb0(%i: index):
      %p = dataflow.stream_read %vf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
      %q = vector.extract %p[0] : f32 from vector<64xf32>
      dataflow.store %q, %y affine_map<(l, i) -> (l)> when affine_set<(l, i) : (i - 255 == 0)> : f32, !dataflow.port<4xf32>
    }
    dataflow.nest "third" [256] {
    ^bb0(%i: index):
      %p = dataflow.stream_read %tf : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
      %q = vector.extract %p[0] : f32 from vector<128xf32>
      dataflow.store %q, %y affine_map<(l, i) -> (l)> when affine_set<(l, i) : (i - 255 == 0)> : f32, !dataflow.port<4xf32>
    }
    dataflow.nest "fourth" [256] {
    ^bb0(%i: index):
      %p = dataflow.stream_read %uf : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
      %q = vector.extract %p[0] : f32 from vector<128xf32>
      dataflow.store %q, %y affine_map<(l, i) -> (l)> when affine_set<(l, i) : (i - 255 == 0)> : f32, !dataflow.port<4xf32>
    }
  }
}
