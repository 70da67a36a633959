// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports=cache-stripes=4 | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-sim --json | FileCheck %s --check-prefix=UNSIZED

// Of each of 32 heads up to 64 rows of a cache, as many as a launch says, four of them in an iteration. Over two stripes
// a word of each comes at a time: the word of the inner iteration lies in a row of its own, at a sum of indices. So all
// rows of a head are one burst, and its loops stand apart from that over heads: waiting for memory 32 times takes
// fewer cycles than the gaps of 1024 requests.

// CHECK: dataflow.leaf "keys_load" load [32, 16, 2] counts affine_map<()[s0] -> (32, s0, 2)> (%{{.*}}) attributes {serial = 1 : i64}
// CHECK: dataflow.load %keys affine_map<(d0, d1, d2)[s0] -> (d0, d1 * 2 + d2, 0)> {words = #dataflow.words<count = 1, lanes = 64, used = 64, burst = 32, outstanding = 4>}

// A design whose FIFOs have no depths yet is simulated without bounds, and they take no memory.
// UNSIZED: "memory": "unset",

dataflow.design @cache {
  %new = dataflow.port in "new" : !dataflow.port<32x64xi8>
  %keys = dataflow.port inout "keys" : !dataflow.port<32x64x64xi8>
  %y = dataflow.port out "y" : !dataflow.port<32x64x64xi8>
  %blocks = dataflow.scalar "blocks" from 1 to 16 : index
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<256xi8>>
  %read = dataflow.stream "read" orders %keys : !dataflow.port<32x64x64xi8> : !dataflow.stream<i1>
  dataflow.leaf "keys_load" load [32, 16] counts affine_map<()[s0] -> (32, s0)> (%blocks) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %keys affine_map<(d0, d1)[s0] -> (d0, d1 * 4, 0)> : !dataflow.port<32x64x64xi8> -> vector<1x4x64xi8>
    %w = vector.shape_cast %v : vector<1x4x64xi8> to vector<256xi8>
    dataflow.stream_write %w, %fifo : vector<256xi8>, !dataflow.stream<vector<256xi8>>
    %true = arith.constant true
    dataflow.stream_write %true, %read when affine_set<(d0, d1)[s0] : (d0 - 31 == 0, d1 - s0 + 1 == 0)> : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "take" store [32, 16, 4] counts affine_map<()[s0] -> (32, s0, 4)> (%blocks) {
  ^bb0(%i: index, %j: index, %k: index, %rows: !dataflow.private<256xi8>):
    %v = dataflow.stream_read %fifo when affine_set<(d0, d1, d2)[s0] : (d2 == 0)> : !dataflow.stream<vector<256xi8>> -> vector<256xi8>
    dataflow.store %v, %rows affine_map<(d0, d1, d2)[s0] -> (0)> when affine_set<(d0, d1, d2)[s0] : (d2 == 0)> : vector<256xi8>, !dataflow.private<256xi8>
    %w = dataflow.load %rows affine_map<(d0, d1, d2)[s0] -> (d2 * 64)> : !dataflow.private<256xi8> -> vector<64xi8>
    %row = vector.shape_cast %w : vector<64xi8> to vector<1x1x64xi8>
    dataflow.store %row, %y affine_map<(d0, d1, d2)[s0] -> (d0, d1 * 4 + d2, 0)> : vector<1x1x64xi8>, !dataflow.port<32x64x64xi8>
  }
  dataflow.leaf "rows_store" store [32] counts affine_map<()[s0] -> (32)> (%blocks) {
  ^bb0(%i: index):
    %go = dataflow.stream_read %read when affine_set<(d0)[s0] : (d0 == 0)> : !dataflow.stream<i1> -> i1
    %v = dataflow.load %new affine_map<(d0)[s0] -> (d0, 0)> : !dataflow.port<32x64xi8> -> vector<1x64xi8>
    %w = vector.shape_cast %v : vector<1x64xi8> to vector<1x1x64xi8>
    dataflow.store %w, %keys affine_map<(d0)[s0] -> (d0, s0 * 4 - 1, 0)> : vector<1x1x64xi8>, !dataflow.port<32x64x64xi8>
  }
}

func.func @main(%old: tensor<32x64x64xi8>, %new: tensor<32x64xi8>, %blocks: index) -> (tensor<32x64x64xi8>, tensor<32x64x64xi8>) {
  %kv, %y = dataflow.launch @cache(%new, %old) scalars(%blocks) : (tensor<32x64xi8>, tensor<32x64x64xi8>) -> (tensor<32x64x64xi8>, tensor<32x64x64xi8>)
  return %kv, %y : tensor<32x64x64xi8>, tensor<32x64x64xi8>
}
