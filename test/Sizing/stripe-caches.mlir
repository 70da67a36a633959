// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports=cache-stripes=4 | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase > %t
// RUN: streamtensor-sim %t --scalar=position=5 | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-test-sim %t --device %devices/u55c.json --scalar=position=5 | FileCheck %s --check-prefix=CYCLES
// RUN: rm -rf %t.out && streamtensor-translate %t --output-dir=%t.out && FileCheck %s --input-file=%t.out/hls/cache.cpp --check-prefix=CPP

// Four rows of the cache, a word each, are read in an iteration. Over one channel all 64 take 78 cycles, while what they
// are read for takes 64: two stripes bring them in time, of which each holds every second row. The writer stores a row
// into the one where it lies. A word of each comes at a time, and a leaf behind puts two of them together.

// CHECK-DAG: #[[END:set[0-9]*]] = affine_set<(d0, d1) : (d0 - 15 == 0, d1 - 1 == 0)>
// CHECK-DAG: #[[LAST:set[0-9]*]] = affine_set<(d0, d1) : (d1 - 1 == 0)>
// CHECK-DAG: dataflow.port inout "keys" via %gmem_keys_s0, %gmem_keys_s1 : <32x128xi8>
// CHECK: dataflow.leaf "keys_load" load [16, 2]
// CHECK: dataflow.load %keys affine_map<(d0, d1) -> (d0 * 2 + d1, 0)> {words = #dataflow.words<count = 1, lanes = 64, used = 64,
// CHECK-SAME: -> vector<1x128xi8>
// CHECK: dataflow.stream_write {{.*}}, %keys_load_words : vector<128xi8>
// CHECK: dataflow.stream_write %true, %read when #[[END]]
// CHECK: dataflow.leaf "keys_load_regroup" regroup [16, 2]
// CHECK: dataflow.stream_read %keys_load_words
// CHECK: dataflow.store {{.*}} affine_map<(d0, d1) -> (d1 * 128)>
// CHECK: dataflow.load {{.*}} when #[[LAST]] {{.*}} -> vector<256xi8>
// CHECK: dataflow.stream_write {{.*}}, %fifo when #[[LAST]]
// CHECK: dataflow.leaf "rows_store"
// CHECK: dataflow.store %{{.*}}, %keys affine_map<(d0)[s0] -> ((d0 + s0) floordiv 2, d0 * 64 + ((d0 + s0) floordiv 2) * -128 + s0 * 64)> {words = #dataflow.words<count = 1, lanes = 64, used = 64,
// The program has rows as before.
// CHECK: func.func @main(%[[OLD:.*]]: tensor<64x64xi8>
// CHECK: dataflow.launch @cache({{.*}}) scalars({{.*}}) : (tensor<2x64xi8>, tensor<32x128xi8>) -> (tensor<32x128xi8>, tensor<64x64xi8>)
// CHECK: tensor.expand_shape {{.*}} : tensor<4096xi8> into tensor<64x64xi8>

// The last of 16 iterations, two cycles each, begins 30 behind the first, at 32; 78 later its token says that all rows
// are read. It is taken at 111, the second row is stored 1 behind the first, 77 behind its own load, and there 7 later:
// over at 111 + 1 + 84. With one master the last iteration would begin at 62.
// CYCLES: {{(^|: )}}196 cycles

// CPP: void rows_store(
// CPP: if ((i0 + position) % 2 == 0) {
// CPP-NEXT: keys_written_s0[(i0 + position) / 2] = new_1_word;
// CPP-NEXT: }
// CPP-NEXT: else if ((i0 + position) % 2 == 1) {
// CPP-NEXT: keys_written_s1[(i0 + position) / 2] = new_1_word;
dataflow.design @cache {
  %new = dataflow.port in "new" : !dataflow.port<2x64xi8>
  %keys = dataflow.port inout "keys" : !dataflow.port<64x64xi8>
  %y = dataflow.port out "y" : !dataflow.port<64x64xi8>
  %position = dataflow.scalar "position" from 0 to 62 : index
  %fifo = dataflow.stream "fifo" : !dataflow.stream<vector<256xi8>>
  %read = dataflow.stream "read" orders %keys : !dataflow.port<64x64xi8> : !dataflow.stream<i1>
  dataflow.leaf "keys_load" load [16] {
  ^bb0(%i: index):
    %v = dataflow.load %keys affine_map<(d0) -> (d0 * 4, 0)> : !dataflow.port<64x64xi8> -> vector<4x64xi8>
    %w = vector.shape_cast %v : vector<4x64xi8> to vector<256xi8>
    dataflow.stream_write %w, %fifo : vector<256xi8>, !dataflow.stream<vector<256xi8>>
    %true = arith.constant true
    dataflow.stream_write %true, %read when affine_set<(d0) : (d0 - 15 == 0)> : i1, !dataflow.stream<i1>
  }
  dataflow.leaf "take" store [16, 4] {
  ^bb0(%i: index, %j: index, %rows: !dataflow.private<256xi8>):
    %v = dataflow.stream_read %fifo when affine_set<(d0, d1) : (d1 == 0)> : !dataflow.stream<vector<256xi8>> -> vector<256xi8>
    dataflow.store %v, %rows affine_map<(d0, d1) -> (0)> when affine_set<(d0, d1) : (d1 == 0)> : vector<256xi8>, !dataflow.private<256xi8>
    %w = dataflow.load %rows affine_map<(d0, d1) -> (d1 * 64)> : !dataflow.private<256xi8> -> vector<64xi8>
    %row = vector.shape_cast %w : vector<64xi8> to vector<1x64xi8>
    dataflow.store %row, %y affine_map<(d0, d1) -> (d0 * 4 + d1, 0)> : vector<1x64xi8>, !dataflow.port<64x64xi8>
  }
  dataflow.leaf "rows_store" store [2] counts affine_map<()[s0] -> (2)> (%position) {
  ^bb0(%i: index):
    %go = dataflow.stream_read %read when affine_set<(d0)[s0] : (d0 == 0)> : !dataflow.stream<i1> -> i1
    %v = dataflow.load %new affine_map<(d0)[s0] -> (d0, 0)> : !dataflow.port<2x64xi8> -> vector<1x64xi8>
    dataflow.store %v, %keys affine_map<(d0)[s0] -> (d0 + s0, 0)> : vector<1x64xi8>, !dataflow.port<64x64xi8>
  }
}

func.func @main(%old: tensor<64x64xi8>, %new: tensor<2x64xi8>, %position: index) -> (tensor<64x64xi8>, tensor<64x64xi8>) {
  %kv, %y = dataflow.launch @cache(%new, %old) scalars(%position) : (tensor<2x64xi8>, tensor<64x64xi8>) -> (tensor<64x64xi8>, tensor<64x64xi8>)
  return %kv, %y : tensor<64x64xi8>, tensor<64x64xi8>
}
