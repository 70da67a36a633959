// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s

// Two leaves read `x`, one a word in each iteration, the other two words over two masters. The host cuts the tensor into
// stripes for the second, so it lies in memory twice, and neither waits for channels of the other.

// CHECK-DAG: dataflow.interface "gmem_x" {{.*}} on %hbm0
// CHECK-DAG: dataflow.interface "gmem_x_1_s0" {{.*}} on %hbm1
// CHECK-DAG: dataflow.interface "gmem_x_1_s1" {{.*}} on %hbm2
// CHECK-DAG: dataflow.interface "gmem_z" {{.*}} on %hbm3
func.func @main(%x: tensor<100x32xf32>) -> tensor<1xf32> {
  %z = dataflow.launch @twice(%x) : (tensor<100x32xf32>) -> tensor<1xf32>
  return %z : tensor<1xf32>
}

dataflow.design @twice {
  %x = dataflow.port in "x" : !dataflow.port<100x32xf32>
  %z = dataflow.port out "z" : !dataflow.port<1xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<16xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<32xf32>>
  %c = dataflow.stream "c" : !dataflow.stream<f32>
  dataflow.leaf "half_load" load [100] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<100x32xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %a : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "whole_load" load [100] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<100x32xf32> -> vector<1x32xf32>
    %w = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %w, %b : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "take" compute [100] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %w = dataflow.stream_read %b : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %e = vector.extract %v[3] : f32 from vector<16xf32>
    %f = vector.extract %w[3] : f32 from vector<32xf32>
    %s = arith.addf %e, %f : f32
    dataflow.stream_write %s, %c when affine_set<(d0) : (d0 - 99 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "z_store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : f32, !dataflow.port<1xf32>
  }
}
