// RUN: %roundtrip %s | FileCheck %s

// Channels, interfaces and ports: a shared interface, stripes, and a tensor that is read and written.

// CHECK-LABEL: dataflow.design @next_launch
dataflow.design @next_launch {
  %hbm3 = dataflow.channel "HBM"[3] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %gmem_x = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %hbm3
  %gmem_0 = dataflow.interface "gmem_0" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %hbm3
  %gmem_1 = dataflow.interface "gmem_1" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  // CHECK: %x = dataflow.port in "x" via %gmem_x : <64xf32>
  // CHECK: %kv = dataflow.port inout "kv" next_launch via %gmem_0, %gmem_1 : <128x32xf32>
  %x = dataflow.port in "x" via %gmem_x : !dataflow.port<64xf32>
  %kv = dataflow.port inout "kv" next_launch via %gmem_0, %gmem_1 : !dataflow.port<128x32xf32>
  dataflow.leaf "move" compute [63] {
  ^bb0(%i: index):
    %v = dataflow.load %kv affine_map<(i) -> (i, 0)> : !dataflow.port<128x32xf32> -> vector<1x32xf32>
    dataflow.store %v, %kv affine_map<(i) -> (i + 64, 0)> : vector<1x32xf32>, !dataflow.port<128x32xf32>
  }
}

// CHECK-LABEL: dataflow.design @ordered
dataflow.design @ordered {
  %h0 = dataflow.interface "gmem_w0" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h1 = dataflow.interface "gmem_w1" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %hbm3 = dataflow.channel "HBM"[3] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %g = dataflow.interface "gmem_0" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %hbm3
  %x = dataflow.port in "x" via %g : !dataflow.port<64xf32>
  %w = dataflow.port in "w" via %h0, %h1 : !dataflow.port<4096x32xf32>
  %kv = dataflow.port inout "kv" via %g : !dataflow.port<128x16xf32>
  %done = dataflow.stream "done" orders %kv : !dataflow.port<128x16xf32> : !dataflow.stream<i1, 2>
  // CHECK: dataflow.stream "done" orders %kv : !dataflow.port<128x16xf32> : <i1, 2>
  dataflow.leaf "write" store [1] {
  ^bb0(%i: index):
    %true = arith.constant true
    %zero = arith.constant dense<0.0> : vector<1x16xf32>
    dataflow.store %zero, %kv affine_map<(i) -> (127, 0)> : vector<1x16xf32>, !dataflow.port<128x16xf32>
    dataflow.stream_write %true, %done : i1, !dataflow.stream<i1, 2>
  }
  dataflow.leaf "read" load [4] {
  ^bb0(%i: index):
    %go = dataflow.stream_read %done when affine_set<(i) : (i == 0)> : !dataflow.stream<i1, 2> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i * 16, 0)> : !dataflow.port<128x16xf32> -> vector<1x16xf32>
    %u = dataflow.load %x affine_map<(i) -> (i * 16)> : !dataflow.port<64xf32> -> vector<16xf32>
  }
}
