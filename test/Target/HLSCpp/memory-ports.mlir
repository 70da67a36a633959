// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t.mlir
// RUN: rm -rf %t && mkdir %t && streamtensor-translate %t.mlir --output-dir=%t
// RUN: cat %t/hls/*.cpp | FileCheck %s

// An array of LUTs that is read twice in a cycle is a memory of one write and several reads, which synthesis builds as
// often as it is read (UG1399, bind_storage). A block of memory has two ports: for two writes in a cycle both write.

dataflow.design @memories {
  %in = dataflow.port in "x" : !dataflow.port<32xf32>
  %more = dataflow.port in "v" : !dataflow.port<2048xf32>
  %out = dataflow.port out "y" : !dataflow.port<32xf32>
  %all = dataflow.port out "w" : !dataflow.port<4096xf32>
  // CHECK: float local[32];
  // CHECK-NEXT: #pragma HLS bind_storage variable=local type=ram_1wnr impl=lutram
  dataflow.leaf "twice" compute [1] {
  ^bb0(%t: index, %rows: !dataflow.private<32xf32>):
    dataflow.nest "fill" [32] {
    ^bb0(%i: index):
      %v = dataflow.load %in affine_map<(t, i) -> (i)> : !dataflow.port<32xf32> -> f32
      dataflow.store %v, %rows affine_map<(t, i) -> (i)> : f32, !dataflow.private<32xf32>
    }
    dataflow.nest "drain" [32] {
    ^bb0(%i: index):
      %a = dataflow.load %rows affine_map<(t, i) -> (i)> : !dataflow.private<32xf32> -> f32
      %b = dataflow.load %rows affine_map<(t, i) -> (31 - i)> : !dataflow.private<32xf32> -> f32
      %sum = arith.addf %a, %b : f32
      dataflow.store %sum, %out affine_map<(t, i) -> (i)> : f32, !dataflow.port<32xf32>
    }
  }
  // CHECK: float local[4096];
  // CHECK-NEXT: #pragma HLS bind_storage variable=local type=ram_t2p impl={{bram|uram}}
  dataflow.leaf "both" compute [1] {
  ^bb0(%t: index, %rows: !dataflow.private<4096xf32>):
    dataflow.nest "fill" [2048] {
    ^bb0(%i: index):
      %v = dataflow.load %more affine_map<(t, i) -> (i)> : !dataflow.port<2048xf32> -> f32
      %w = arith.addf %v, %v : f32
      dataflow.store %w, %rows affine_map<(t, i) -> (i)> : f32, !dataflow.private<4096xf32>
      dataflow.store %w, %rows affine_map<(t, i) -> (i + 2048)> : f32, !dataflow.private<4096xf32>
    }
    dataflow.nest "drain" [4096] {
    ^bb0(%i: index):
      %a = dataflow.load %rows affine_map<(t, i) -> (i)> : !dataflow.private<4096xf32> -> f32
      dataflow.store %a, %all affine_map<(t, i) -> (i)> : f32, !dataflow.port<4096xf32>
    }
  }
}
