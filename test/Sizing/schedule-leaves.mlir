// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | FileCheck %s

// A token read is registered (1), fp32 add takes 6 cycles, fp32 mul 3.

dataflow.design @schedules {
  %wide = dataflow.port in "wide" : !dataflow.port<64x64xf32>
  %out = dataflow.port out "sum" : !dataflow.port<16xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<32xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  %c = dataflow.stream "c" : !dataflow.stream<f32>

  // 32 floats are two words of a 512-bit port.
  // CHECK: dataflow.leaf "load_wide"
  // CHECK-SAME: ii = 2 : i64, limit = "2 words in one iteration on port 'wide'"
  dataflow.leaf "load_wide" load [64, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %wide affine_map<(d0, d1) -> (d0, d1 * 32)> : !dataflow.port<64x64xf32> -> vector<1x32xf32>
    %w = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %w, %a : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }

  // CHECK: dataflow.leaf "narrow"
  // CHECK-SAME: attributes {depth = 2 : i64, ii = 1 : i64}
  dataflow.leaf "narrow" compute [128] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %w = vector.extract %v[0] : f32 from vector<32xf32>
    dataflow.stream_write %w, %b : f32, !dataflow.stream<f32>
  }

  // Writes of one FIFO under guards that exclude each other keep their order: both
  // happen at the later stage.
  // CHECK: dataflow.leaf "concat"
  // CHECK-SAME: ii = 1 : i64
  // CHECK: dataflow.stream_write {{.*}}#dataflow.timing<at 4 for 0>
  // CHECK: dataflow.stream_write {{.*}}#dataflow.timing<at 4 for 0>
  dataflow.leaf "concat" concat [128] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %b : !dataflow.stream<f32> -> f32
    %w = arith.mulf %v, %v : f32
    dataflow.stream_write %w, %c when affine_set<(d0) : (d0 - 8 >= 0)> : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %c when affine_set<(d0) : (7 - d0 >= 0)> : f32, !dataflow.stream<f32>
  }

  // Sixteen accumulators in turn: the adder's latency does not set the interval. The
  // load waits for the token that its value meets.
  // CHECK: dataflow.leaf "split_sum"
  // CHECK-SAME: ii = 1 : i64
  // CHECK: dataflow.stream_read {{.*}}#dataflow.timing<at 0 for 1>
  // CHECK: dataflow.load {{.*}}#dataflow.timing<at 0 for 1>
  // CHECK: dataflow.store {{.*}}#dataflow.timing<at 7 for 1>
  dataflow.leaf "split_sum" store [8, 16] {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<16xf32>):
    %v = dataflow.stream_read %c : !dataflow.stream<f32> -> f32
    %old = dataflow.load %acc affine_map<(d0, d1) -> (d1)> : !dataflow.private<16xf32> -> f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0, d1) -> (d1)> : f32, !dataflow.private<16xf32>
    dataflow.store %new, %out affine_map<(d0, d1) -> (d1)> when affine_set<(d0, d1) : (d0 - 7 == 0)> : f32, !dataflow.port<16xf32>
  }
}
