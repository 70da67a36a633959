// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/rows.cpp
// RUN: FileCheck %s --input-file=%t/hls/rows_native.cpp --check-prefix=CALL
// RUN: FileCheck %s --input-file=%t/host/program.h --check-prefix=PROGRAM
// RUN: FileCheck %s --input-file=%t/interface.json --check-prefix=JSON

// Scalars are arguments of the top function and of the leaf tasks that depend on them.

// A nest within which they bound a loop is one loop with counters.
// CHECK: // load: at most 48 iterations, II 1
// CHECK-NEXT: void load(const float *x, hls::stream<float> &a, int tokens, int width) {
// CHECK-NEXT: #pragma HLS inline off
// CHECK-NEXT:   const int i1_count = st::ceil_div(width, 2);
// CHECK-NEXT:   int i0 = 0;
// CHECK-NEXT:   int i1 = 0;
// CHECK-NEXT:   int i2 = 0;
// CHECK-NEXT: load_iteration:
// CHECK-NEXT:   for (int iteration = 0; iteration < tokens * i1_count * 2; ++iteration) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=48
// CHECK-NEXT: #pragma HLS pipeline II=1 style=flp
// CHECK-NEXT:     const float x_word = x[-i0 * 6 + tokens * 6 + i1 * 2 + i2 - 6];
// CHECK-NEXT:     a.write(x_word);
// CHECK-NEXT:     if (++i2 == 2) {
// CHECK-NEXT:       i2 = 0;
// CHECK-NEXT:       if (++i1 == i1_count) {
// CHECK-NEXT:         i1 = 0;
// CHECK-NEXT:         ++i0;
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }

// So are two loops, the fewest that there are to flatten.
// CHECK: void last(
// CHECK: for (int [[N:iteration.*]] = 0; [[N]] < tokens * i1_count; ++[[N]]) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=48
// CHECK-NEXT: #pragma HLS pipeline II=1 style=flp
// CHECK: if (++i1 == i1_count) {
// CHECK-NEXT: i1 = 0;
// CHECK-NEXT: ++i0;

// A loop alone needs no counter.
// CHECK: void store(
// CHECK: const int i0_count = st::ceil_div(width, 2) * 2;
// CHECK: for (int i0 = 0; i0 < i0_count; ++i0) {
// CHECK-NEXT: #pragma HLS loop_tripcount max=6
// CHECK: if (i0 == st::ceil_div(width, 2) * 2 - 1) {
// CHECK: float(std::int32_t(width))

// CHECK: extern "C" void rows(const float *x, float *y, int tokens, int width) {
// CHECK: #pragma HLS interface mode=s_axilite port=tokens bundle=control
// CHECK: #pragma HLS interface mode=s_axilite port=width bundle=control
// CHECK: rows_tasks::load(x, a, tokens, width);

// CALL: st::scalar("tokens", st_ports[2], 1, 8)
// CALL: st::scalar("width", st_ports[3], 1, 6)

// PROGRAM: {{[{][{]}}"tokens", 1, 8}},
// PROGRAM: {{[{][{]}}"tokens", 1, 8}, {"width", 1, 6}},
// PROGRAM-NEXT: {{[{][{]}}"rows", {0, 1}, {0, 1}}}, true},
// PROGRAM: {st::Step::launch, {0}, {1}, 0, {{[{][{]}}0, 0}, {-1, 3}}},

// JSON: "argument_count": 4
// JSON: "scalars": [
// JSON: "high": 8,
// JSON-NEXT: "low": 1,
// JSON-NEXT: "name": "tokens",
// JSON-NEXT: "position": 2

dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<8x6xf32>
  %y = dataflow.port out "y" : !dataflow.port<1xf32>
  %tokens = dataflow.scalar "tokens" from 1 to 8 : index
  %width = dataflow.scalar "width" from 1 to 6 : index
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [8, 3, 2] counts affine_map<()[s0, s1] -> (s0, s1 ceildiv 2, 2)> (%tokens, %width) {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.load %x affine_map<(d0, d1, d2)[s0, s1] -> (s0 - d0 - 1, d1 * 2 + d2)> : !dataflow.port<8x6xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "last" compute [8, 6] counts affine_map<()[s0, s1] -> (s0, (s1 ceildiv 2) * 2)> (%tokens, %width) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %b when affine_set<(d0, d1)[s0, s1] : (d0 - s0 + 1 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [6] counts affine_map<()[s0] -> ((s0 ceildiv 2) * 2)> (%width) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32, 2> -> f32
    %n = arith.index_cast %width : index to i32
    %f = arith.sitofp %n : i32 to f32
    %w = arith.mulf %v, %f : f32
    dataflow.store %w, %y affine_map<(d0) -> (0)> when affine_set<(d0)[s0] : (d0 - (s0 ceildiv 2) * 2 + 1 == 0)> : f32, !dataflow.port<1xf32>
  }
}
func.func @main(%x: tensor<8x6xf32>, %tokens: index) -> tensor<1xf32> {
  %width = arith.constant 3 : index
  %y = dataflow.launch @rows(%x) scalars(%tokens, %width) : (tensor<8x6xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
