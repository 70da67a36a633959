// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: rm -rf %t && mkdir %t && streamtensor-translate %t.mlir --output-dir=%t
// RUN: cat %t/hls/*.cpp | FileCheck %s --check-prefix=CPP
// RUN: streamtensor-sim %t.mlir --device %devices/u55c.json --json | FileCheck %s --check-prefix=USED

// Adding takes six cycles, and the card's RAM blocks are read in two or more and written in one. Where an accumulator
// is met again after ten iterations, two of them slack, it lies in LUTs, which are read a cycle earlier, so that each
// cycle begins an iteration; where it is met again after sixteen, in UltraRAM, the smaller share of the card.

// Ten and sixteen times 1,024 floats are 40 and 64 KiB; 16,384 words of 32 bits lie in four UltraRAMs of 4,096.
// USED: "private_bytes": 106496
// USED: "uram": {
// USED-NEXT: "available": 960,
// USED-NEXT: "placeable": 720,
// USED-NEXT: "used": 4

dataflow.design @accumulators {
  %in = dataflow.port in "x" : !dataflow.port<4x2048xf32>
  %near_out = dataflow.port out "near" : !dataflow.port<10x64xf32>
  %far_out = dataflow.port out "far" : !dataflow.port<16x64xf32>
  // CHECK: dataflow.leaf "near"
  // CHECK-SAME: ii = 1
  // CHECK-SAME: storages = [#dataflow.storage<lutram partition [1, 1] ports 4 write_ports 1 read 1 write 1>]
  // CPP: float local[10][1024];
  // CPP-NEXT: #pragma HLS bind_storage variable=local type=ram_2p impl=lutram
  // CPP-NEXT: #pragma HLS dependence variable=local type=inter direction=RAW distance=10 dependent=true
  dataflow.leaf "near" compute [1024, 4, 10] {
  ^bb0(%n: index, %k: index, %m: index, %acc: !dataflow.private<10x1024xf32>):
    %x = dataflow.load %in affine_map<(d0, d1, d2) -> (d1, d0)> : !dataflow.port<4x2048xf32> -> f32
    %old = dataflow.load %acc affine_map<(d0, d1, d2) -> (d2, d0)> : !dataflow.private<10x1024xf32> -> f32
    %sum = arith.addf %old, %x : f32
    dataflow.store %sum, %acc affine_map<(d0, d1, d2) -> (d2, d0)> : f32, !dataflow.private<10x1024xf32>
    dataflow.store %sum, %near_out affine_map<(d0, d1, d2) -> (d2, d0 floordiv 16)> : f32, !dataflow.port<10x64xf32>
  }
  // CHECK: dataflow.leaf "far"
  // CHECK-SAME: ii = 1
  // CHECK-SAME: storages = [#dataflow.storage<uram partition [1, 1] ports 2 read 3 write 1>]
  // CPP: float local[16][1024];
  // CPP-NEXT: #pragma HLS bind_storage variable=local type=ram_2p impl=uram latency=3
  dataflow.leaf "far" compute [1024, 4, 16] {
  ^bb0(%n: index, %k: index, %m: index, %acc: !dataflow.private<16x1024xf32>):
    %x = dataflow.load %in affine_map<(d0, d1, d2) -> (d1, d0 + 1024)> : !dataflow.port<4x2048xf32> -> f32
    %old = dataflow.load %acc affine_map<(d0, d1, d2) -> (d2, d0)> : !dataflow.private<16x1024xf32> -> f32
    %sum = arith.addf %old, %x : f32
    dataflow.store %sum, %acc affine_map<(d0, d1, d2) -> (d2, d0)> : f32, !dataflow.private<16x1024xf32>
    dataflow.store %sum, %far_out affine_map<(d0, d1, d2) -> (d2, d0 floordiv 16)> : f32, !dataflow.port<16x64xf32>
  }
}
