// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s

// Two weights of layers, of which an iteration moves 4 words. The task of the second waits for the last rows of that of
// the first, so that one of them takes weights at a time, and the second takes two cycles for a row: side by side, on 8
// masters, the loads end sooner than in turn on 4, the tasks do not, whatever a card has.

// CHECK-COUNT-4: dataflow.interface "gmem_w_and_1_s
// CHECK-NEXT: dataflow.interface "gmem_y"
// CHECK: dataflow.leaf "w_load_and_1" load [4]
dataflow.design @layers {
  %w = dataflow.port in "w" : !dataflow.port<4x4096x16xf32>
  %v = dataflow.port in "v" : !dataflow.port<4x2048x16xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x64xf32>
  %layers = dataflow.scalar "layers" from 1 to 4 : index
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "w_load" load [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %w affine_map<(l, i) -> (l, i * 4, 0)> : !dataflow.port<4x4096x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %wf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %vf = dataflow.stream "vf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "v_load" load [4, 512] counts affine_map<()[s0] -> (s0, 512)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %v affine_map<(l, i) -> (l, i * 4, 0)> : !dataflow.port<4x2048x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %vf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %rows = dataflow.stream "rows" : !dataflow.stream<f32>
  dataflow.leaf "first" compute [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %wf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %q = vector.extract %p[0] : f32 from vector<64xf32>
    dataflow.stream_write %q, %rows when affine_set<(l, i) : (i - 960 >= 0)> : f32, !dataflow.stream<f32>
  }
  %held = dataflow.stream "held" : !dataflow.stream<f32>
  dataflow.leaf "hold" convert_out [4] counts affine_map<()[s0] -> (s0)> (%layers) attributes {storages = [#dataflow.storage<bram partition [1] ports 2 read 2 write 1>]} {
  ^bb0(%l: index, %all: !dataflow.private<64xf32>):
    dataflow.nest "take" [64] {
    ^bb0(%i: index):
      %r = dataflow.stream_read %rows : !dataflow.stream<f32> -> f32
      dataflow.store %r, %all affine_map<(l, i) -> (i)> : f32, !dataflow.private<64xf32>
    }
    dataflow.nest "give" [64] {
    ^bb0(%i: index):
      %r = dataflow.load %all affine_map<(l, i) -> (63 - i)> : !dataflow.private<64xf32> -> f32
      dataflow.stream_write %r, %held : f32, !dataflow.stream<f32>
    }
  }
  dataflow.leaf "second" compute [4, 512, 2] counts affine_map<()[s0] -> (s0, 512, 2)> (%layers) {
  ^bb0(%l: index, %i: index, %j: index):
    %p = dataflow.stream_read %vf when affine_set<(l, i, j) : (j == 0)> : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %r = dataflow.stream_read %held when affine_set<(l, i, j) : (63 - i >= 0, j == 0)> : !dataflow.stream<f32> -> f32
    %b = vector.broadcast %r : f32 to vector<64xf32>
    %s = arith.addf %p, %b : vector<64xf32>
    %u = vector.shape_cast %s : vector<64xf32> to vector<1x64xf32>
    %t = vector.extract_strided_slice %u {offsets = [0, 0], sizes = [1, 8], strides = [1, 1]} : vector<1x64xf32> to vector<1x8xf32>
    dataflow.store %t, %y affine_map<(l, i, j) -> (l, i * 8)> when affine_set<(l, i, j) : (7 - i >= 0, j == 0)> : vector<1x8xf32>, !dataflow.port<4x64xf32>
  }
}
