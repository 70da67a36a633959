// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t/scheduled.mlir
// RUN: streamtensor-translate %t/scheduled.mlir --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/layers_head_loop.cpp
// RUN: FileCheck %s --input-file=%t/hls/layers.cpp --check-prefix=LAYERS
// RUN: FileCheck %s --input-file=%t/hls/layers_head_loop_native.cpp --check-prefix=CALL
// RUN: FileCheck %s --input-file=%t/host/program.h --check-prefix=PROGRAM
// RUN: FileCheck %s --input-file=%t/interface.json --check-prefix=JSON
// RUN: FileCheck %s --input-file=%t/vitis/layers_head_loop-hls.cfg --check-prefix=HLS
// RUN: FileCheck %s --input-file=%t/vitis/layers_head_loop.cfg --check-prefix=LINK
// RUN: %cxx -std=c++17 -fsyntax-only -I%runtime/include -I%runtime/native -I%runtime/host %t/hls/layers_head_loop_native.cpp

// A loop of a program over launches is one kernel: its top function calls the designs in turn. Tensors that a turn hands
// to the next lie in one place, so that both designs get the same address. One design is called in a trip of a loop.

// CHECK: // Kernel 'layers_head_loop': one start for 2 designs in turn.
// CHECK: #include "layers_head_loop.h"
// CHECK: extern "C" void layers_head_loop(const std::int32_t *layers_h, std::int32_t *layers_s,
// CHECK-NEXT: const std::int32_t *head_s, std::int32_t *head_h,
// CHECK-NEXT: std::int32_t *head_log, int tokens, int position, int turns,
// CHECK-NEXT: int heads) {
// CHECK: #pragma HLS interface mode=m_axi port=layers_h bundle=gmem_
// CHECK: #pragma HLS interface mode=m_axi port=head_s bundle=gmem_
// CHECK: #pragma HLS interface mode=s_axilite port=turns bundle=control
// CHECK: #pragma HLS interface mode=s_axilite port=return bundle=control
// CHECK-NEXT:   for (int turn = 0; turn < turns; ++turn) {
// CHECK-NEXT: #pragma HLS pipeline off
// CHECK-NEXT: #pragma HLS loop_tripcount max=4
// CHECK-NEXT:     for (int turn_step = 0; turn_step < 2; ++turn_step) {
// CHECK-NEXT: #pragma HLS pipeline off
// CHECK-NEXT:       if (turn_step == 0) {
// CHECK-NEXT:         layers(layers_h, layers_s, tokens, position + turn);
// CHECK-NEXT:       }
// CHECK-NEXT:       else if (turn_step == 1) {
// CHECK-NEXT:         for (int turn_1 = 0; turn_1 < heads; ++turn_1) {
// CHECK-NEXT: #pragma HLS pipeline off
// CHECK-NEXT: #pragma HLS loop_tripcount max=1
// CHECK-NEXT:           head(head_s, head_h, head_log, position + turn);
// CHECK-NEXT:         }

// What another function calls states no interface.
// LAYERS: extern "C" void layers(
// LAYERS-NEXT: #pragma HLS inline off
// LAYERS-NEXT: #pragma HLS dataflow

// The last turn has a position of the design's range, too.
// CALL: layers_head_loop(static_cast<const std::int32_t *>(st_ports[0]),
// CALL: st::scalar("tokens", st_ports[5], 1, 4),
// CALL: st::scalar("position", st_ports[6], 0, 4),
// CALL: st::scalar("turns", st_ports[7], 1, 4),
// CALL: st::scalar("heads", st_ports[8], 0, 1)

// PROGRAM: {"layers_head_loop",
// PROGRAM-NEXT: {{[{][{]}}"h", st::Direction::inout, {{.*}}{0, 0}, {3, 0}
// PROGRAM-NEXT: {"s", st::Direction::out, {{.*}}{1, 0}, {2, 0}
// PROGRAM-NEXT: {"log", st::Direction::out, {{.*}}{4, 0}
// PROGRAM: {st::Step::launch, {0}, {1, 2, 3}, 0, {{[{][{]}}0, 0}, {1, 0}, {2, 0}, {3, 0}}},

// JSON: "sources": [
// JSON-NEXT: "hls/layers_head_loop.cpp",
// JSON-NEXT: "hls/layers.cpp",
// JSON-NEXT: "hls/head.cpp",
// JSON-NEXT: "hls/layers_head_loop_native.cpp"

// HLS: syn.top=layers_head_loop
// HLS-NEXT: syn.file=@OUT@/hls/layers_head_loop.cpp
// HLS: syn.file=@OUT@/hls/layers.cpp
// HLS: syn.file=@OUT@/hls/head.cpp

// LINK: nk=layers_head_loop:1:layers_head_loop_1
// LINK: sp=layers_head_loop_1.m_axi_gmem_

dataflow.design @layers {
  %h = dataflow.port in "h" : !dataflow.port<4xi32>
  %s = dataflow.port out "s" : !dataflow.port<4xi32>
  %tokens = dataflow.scalar "tokens" from 1 to 4 : index
  %position = dataflow.scalar "position" from 0 to 7 : index
  %a = dataflow.stream "a" : !dataflow.stream<i32, 2>
  dataflow.leaf "add" load [4] counts affine_map<()[s0, s1] -> (s0)> (%tokens, %position) {
  ^bb0(%i: index):
    %v = dataflow.load %h affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    %n = arith.index_cast %position : index to i32
    %w = arith.addi %v, %n : i32
    dataflow.stream_write %w, %a : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "store" store [4] counts affine_map<()[s0] -> (s0)> (%tokens) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<i32, 2> -> i32
    dataflow.store %v, %s affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
  }
}
dataflow.design @head {
  %s = dataflow.port in "s" : !dataflow.port<4xi32>
  %h = dataflow.port out "h" : !dataflow.port<4xi32>
  %log = dataflow.port out "log" : !dataflow.port<8xi32>
  %position = dataflow.scalar "position" from 0 to 7 : index
  dataflow.leaf "double" compute [4] counts affine_map<()[s0] -> (4)> (%position) {
  ^bb0(%i: index):
    %v = dataflow.load %s affine_map<(d0) -> (d0)> : !dataflow.port<4xi32> -> i32
    %w = arith.addi %v, %v : i32
    dataflow.store %w, %h affine_map<(d0) -> (d0)> : i32, !dataflow.port<4xi32>
    dataflow.store %v, %log affine_map<(d0)[s0] -> (s0)> when affine_set<(d0) : (d0 == 0)> : i32, !dataflow.port<8xi32>
  }
}
func.func @main(%h: tensor<4xi32>, %tokens: index, %position: index, %turns: index {streamtensor.name = "turns", streamtensor.turns = array<i64: 1, 4>}, %heads: index {streamtensor.name = "heads", streamtensor.turns = array<i64: 0, 1>}) -> (tensor<4xi32>, tensor<4xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tensor.empty() : tensor<4xi32>
  %log = tensor.empty() : tensor<8xi32>
  %r:3 = scf.for %turn = %c0 to %turns step %c1 iter_args(%before = %h, %state = %s, %known = %log) -> (tensor<4xi32>, tensor<4xi32>, tensor<8xi32>) {
    %at = arith.addi %position, %turn : index
    %found = dataflow.launch @layers(%before) scalars(%tokens, %at) : (tensor<4xi32>) -> tensor<4xi32>
    %next:2 = scf.for %once = %c0 to %heads step %c1 iter_args(%old = %before, %list = %known) -> (tensor<4xi32>, tensor<8xi32>) {
      %made:2 = dataflow.launch @head(%found) scalars(%at) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<8xi32>)
      scf.yield %made#0, %made#1 : tensor<4xi32>, tensor<8xi32>
    }
    scf.yield %next#0, %found, %next#1 : tensor<4xi32>, tensor<4xi32>, tensor<8xi32>
  }
  return %r#0, %r#1, %r#2 : tensor<4xi32>, tensor<4xi32>, tensor<8xi32>
}
