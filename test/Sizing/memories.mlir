// RUN: streamtensor-opt %s --dataflow-partition-buffers %u55c --dataflow-assign-memories | FileCheck %s

// Written as columns of 4, read as rows of 8: banks for both. 2 x 32 banks of 32
// words go to LUTRAM. 8,192 words of 8 floats are 256 bits, or 4 of an UltraRAM's
// words beside each other, twice 4,096 deep: 8 UltraRAMs, where a bank for each float
// would ask for 16. Banks of one word are registers.

dataflow.design @memories {
  %in = dataflow.port in "x" : !dataflow.port<32x64xf32>
  %out = dataflow.port out "y" : !dataflow.port<1024x64xf32>
  // CHECK: dataflow.buffer "tile" blocks 2 {storage = #dataflow.storage<lutram partition [4, 8] ports 4 write_ports 1 read 1 write 1>}
  %tile = dataflow.buffer "tile" blocks 2 : !dataflow.buffer<16x64xf32>
  // CHECK: dataflow.buffer "whole" blocks 1 {storage = #dataflow.storage<uram partition [1, 8] word 8 ports 2 read 3 write 1>}
  %whole = dataflow.buffer "whole" blocks 1 : !dataflow.buffer<1024x64xf32>
  // CHECK: dataflow.leaf "fill"
  dataflow.leaf "fill" fill [2, 4, 64] writes(%tile at 1 : !dataflow.buffer<16x64xf32>) {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.load %in affine_map<(d0, d1, d2) -> (d0 * 16 + d1 * 4, d2)> : !dataflow.port<32x64xf32> -> vector<4x1xf32>
    dataflow.store %v, %tile affine_map<(d0, d1, d2) -> (d1 * 4, d2)> : vector<4x1xf32>, !dataflow.buffer<16x64xf32>
  }
  // CHECK: dataflow.leaf "drain"
  // CHECK-SAME: storages = [#dataflow.storage<registers partition [8] write 1>]
  dataflow.leaf "drain" drain [2, 16, 8] reads(%tile at 1 : !dataflow.buffer<16x64xf32>) writes(%whole at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index, %k: index, %m: !dataflow.private<8xf32>):
    %v = dataflow.load %tile affine_map<(d0, d1, d2) -> (d1, d2 * 8)> : !dataflow.buffer<16x64xf32> -> vector<1x8xf32>
    dataflow.store %v, %whole affine_map<(d0, d1, d2) -> (d0 * 16 + d1, d2 * 8)> : vector<1x8xf32>, !dataflow.buffer<1024x64xf32>
    %w = vector.shape_cast %v : vector<1x8xf32> to vector<8xf32>
    dataflow.store %w, %m affine_map<(d0, d1, d2) -> (0)> : vector<8xf32>, !dataflow.private<8xf32>
  }
  dataflow.leaf "store" store [1024, 8] reads(%whole at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %whole affine_map<(d0, d1) -> (d0, d1 * 8)> : !dataflow.buffer<1024x64xf32> -> vector<1x8xf32>
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1 * 8)> : vector<1x8xf32>, !dataflow.port<1024x64xf32>
  }
}
