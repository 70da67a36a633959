// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/cache.cpp
// RUN: FileCheck %s --input-file=%t/vitis/cache.cfg --check-prefix=LINK
// RUN: FileCheck %s --input-file=%t/interface.json --check-prefix=JSON
// RUN: FileCheck %s --input-file=%t/host/program.h --check-prefix=PROGRAM
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-sim --json | FileCheck %s --check-prefix=REPORT

// A row of `new` lies in two stripes, a word of each; the cache is read and written by pointers of its own to
// one place, over one master, in the channel that the design states.

// CHECK: void append(const hls::vector<std::int32_t, 2> *new_s0, const hls::vector<std::int32_t, 2> *new_s1,
// CHECK:   hls::vector<std::int32_t, 2> new_s0_word[2];
// CHECK-NEXT: #pragma HLS array_partition variable=new_s0_word type=complete dim=0
// CHECK-NEXT: new_s0_word[0] = new_s0[i0];
// CHECK-NEXT: new_s0_word[1] = new_s1[i0];
// CHECK: = new_s0_word[u1 / 2][u1 % 2];
// CHECK: extern "C" void cache(const hls::vector<std::int32_t, 2> *new_s0,
// CHECK-NEXT: const hls::vector<std::int32_t, 2> *new_s1,
// CHECK-NEXT: hls::vector<std::int32_t, 4> *kv_written,
// CHECK-NEXT: const hls::vector<std::int32_t, 4> *kv_read,
// CHECK-NEXT: hls::vector<std::int32_t, 4> *y) {
// CHECK-NEXT: interface mode=m_axi port=new_s0 bundle=gmem_0 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
// CHECK-NEXT: interface mode=m_axi port=new_s1 bundle=gmem_1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
// CHECK-NEXT: interface mode=m_axi port=kv_written bundle=gmem_kv offset=slave depth=4 max_write_burst_length=2 num_write_outstanding=2
// CHECK-NEXT: interface mode=m_axi port=kv_read bundle=gmem_kv offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10

// LINK: sp=cache_1.m_axi_gmem_0:HBM[1]
// LINK-NEXT: sp=cache_1.m_axi_gmem_1:HBM[2]
// LINK-NEXT: sp=cache_1.m_axi_gmem_kv:HBM[17]
// LINK-NEXT: sp=cache_1.m_axi_gmem_y:HBM[0]
// LINK-NOT: sp=

// JSON: "name": "new"
// JSON: "stripes": [
// JSON-NEXT: 0,
// JSON-NEXT: 1
// JSON-NEXT: ]
// JSON: "direction": "inout"
// JSON: "stripes": [
// JSON-NEXT: 0,
// JSON-NEXT: 0
// JSON-NEXT: ]

// PROGRAM: {"new", st::Direction::in, 0, 8, {"HBM[1]", "HBM[2]"}, {{[{][{]}}0, 0}, {1, 1}}},
// PROGRAM-NEXT: {"kv", st::Direction::inout, 0, 16, {"HBM[17]"}, {{[{][{]}}2, 0}, {3, 0}}},
// PROGRAM: {st::Step::launch, {0, 1}, {2, 3}, 0, {}},

// The report says of each way what its pragma says.
// REPORT: "ports": [
// REPORT: "bits": 128,
// REPORT-NEXT: "burst": 4,
// REPORT-NEXT: "bytes": 64,
// REPORT-NEXT: "channel": "HBM[17]",
// REPORT-NEXT: "design": "cache",
// REPORT-NEXT: "interface": "gmem_kv",
// REPORT-NEXT: "outstanding": 10,
// REPORT: "way": "read"
// REPORT: "bits": 128,
// REPORT-NEXT: "burst": 2,
// REPORT-NEXT: "bytes": 32,
// REPORT-NEXT: "channel": "HBM[17]",
// REPORT-NEXT: "design": "cache",
// REPORT-NEXT: "interface": "gmem_kv",
// REPORT-NEXT: "outstanding": 2,
// REPORT: "way": "write"

func.func @main(%new: tensor<2x4xi32>, %old: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  %kv, %y = dataflow.launch @cache(%new, %old) : (tensor<2x4xi32>, tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>)
  return %kv, %y : tensor<4x4xi32>, tensor<4x4xi32>
}

dataflow.design @cache {
  %hbm17 = dataflow.channel "HBM"[17] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %g = dataflow.interface "gmem_0" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %h = dataflow.interface "gmem_1" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %k = dataflow.interface "gmem_kv" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %hbm17
  %new = dataflow.port in "new" via %g, %h : !dataflow.port<2x4xi32>
  %kv = dataflow.port inout "kv" via %k : !dataflow.port<4x4xi32>
  %y = dataflow.port out "y" : !dataflow.port<4x4xi32>
  %done = dataflow.stream "done" orders %kv : !dataflow.port<4x4xi32> : !dataflow.stream<i1, 2>
  dataflow.leaf "append" store [2] {
  ^bb0(%i: index):
    %v = dataflow.load %new affine_map<(i) -> (i, 0)> : !dataflow.port<2x4xi32> -> vector<1x4xi32>
    dataflow.store %v, %kv affine_map<(i) -> (i + 2, 0)> : vector<1x4xi32>, !dataflow.port<4x4xi32>
    %true = arith.constant true
    dataflow.stream_write %true, %done when affine_set<(i) : (i - 1 == 0)> : i1, !dataflow.stream<i1, 2>
  }
  dataflow.leaf "read" load [4] {
  ^bb0(%i: index):
    %go = dataflow.stream_read %done when affine_set<(i) : (i == 0)> : !dataflow.stream<i1, 2> -> i1
    %v = dataflow.load %kv affine_map<(i) -> (i, 0)> : !dataflow.port<4x4xi32> -> vector<1x4xi32>
    dataflow.store %v, %y affine_map<(i) -> (i, 0)> : vector<1x4xi32>, !dataflow.port<4x4xi32>
  }
}
