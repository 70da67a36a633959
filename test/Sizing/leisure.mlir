// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-sim --json | FileCheck %s --check-prefix=COUNTS

// One addition of 6 cycles in each of 8192 iterations, and seven, one behind the other, in each of four that end a row.
// Those may begin eight cycles apart and take 4 * 8 of 8192 cycles, a 256th: seven of them find one adder, as many as the
// other nest has.
// CHECK: dataflow.leaf "rare"
// CHECK: dataflow.nest "core" [8192] attributes {depth = 8 : i64, ii = 1 : i64}
// CHECK: dataflow.nest "drain" [4] attributes {depth = 44 : i64, ii = 7 : i64, limit = "its operators are shared, as it takes little of its task's time"}
// COUNTS: "name": "rare",
// COUNTS: "resources"
// COUNTS-NEXT: "bram": 0,
// COUNTS-NEXT: "dsp": 2,

// Half as many iterations of the first nest leave four cycles: two adders.
// CHECK: dataflow.leaf "scarce"
// CHECK: dataflow.nest "drain" [4] attributes {depth = 44 : i64, ii = 4 : i64
// COUNTS: "name": "scarce",
// COUNTS: "resources"
// COUNTS-NEXT: "bram": 0,
// COUNTS-NEXT: "dsp": 4,

// A launch decides how many iterations the first nest has: they may be few.
// CHECK: dataflow.leaf "counted"
// CHECK: dataflow.nest "drain" [4] attributes {depth = 44 : i64, ii = 1 : i64}

dataflow.design @leisure {
  %rare_x = dataflow.port in "rare_x" : !dataflow.port<8196xf32>
  %scarce_x = dataflow.port in "scarce_x" : !dataflow.port<4100xf32>
  %counted_x = dataflow.port in "counted_x" : !dataflow.port<8196xf32>
  %rare_y = dataflow.port out "rare_y" : !dataflow.port<8196xf32>
  %scarce_y = dataflow.port out "scarce_y" : !dataflow.port<4100xf32>
  %counted_y = dataflow.port out "counted_y" : !dataflow.port<8196xf32>
  %few = dataflow.scalar "few" from 1 to 8192 : index
  %rare_in = dataflow.stream "rare_in" : !dataflow.stream<f32, 16>
  %rare_out = dataflow.stream "rare_out" : !dataflow.stream<f32, 16>
  %scarce_in = dataflow.stream "scarce_in" : !dataflow.stream<f32, 16>
  %scarce_out = dataflow.stream "scarce_out" : !dataflow.stream<f32, 16>
  %counted_in = dataflow.stream "counted_in" : !dataflow.stream<f32, 16>
  %counted_out = dataflow.stream "counted_out" : !dataflow.stream<f32, 16>
  dataflow.leaf "rare_load" load [8196] {
  ^bb0(%i: index):
    %v = dataflow.load %rare_x affine_map<(d0) -> (d0)> : !dataflow.port<8196xf32> -> f32
    dataflow.stream_write %v, %rare_in : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "rare" compute [] {
    dataflow.nest "core" [8192] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %rare_in : !dataflow.stream<f32, 16> -> f32
      %s = arith.addf %v, %v : f32
      dataflow.stream_write %s, %rare_out : f32, !dataflow.stream<f32, 16>
    }
    dataflow.nest "drain" [4] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %rare_in : !dataflow.stream<f32, 16> -> f32
      %s0 = arith.addf %v, %v : f32
      %s1 = arith.addf %s0, %v : f32
      %s2 = arith.addf %s1, %v : f32
      %s3 = arith.addf %s2, %v : f32
      %s4 = arith.addf %s3, %v : f32
      %s5 = arith.addf %s4, %v : f32
      %s6 = arith.addf %s5, %v : f32
      dataflow.stream_write %s6, %rare_out : f32, !dataflow.stream<f32, 16>
    }
  }
  dataflow.leaf "rare_store" store [8196] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %rare_out : !dataflow.stream<f32, 16> -> f32
    dataflow.store %v, %rare_y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8196xf32>
  }
  dataflow.leaf "scarce_load" load [4100] {
  ^bb0(%i: index):
    %v = dataflow.load %scarce_x affine_map<(d0) -> (d0)> : !dataflow.port<4100xf32> -> f32
    dataflow.stream_write %v, %scarce_in : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "scarce" compute [] {
    dataflow.nest "core" [4096] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %scarce_in : !dataflow.stream<f32, 16> -> f32
      %s = arith.addf %v, %v : f32
      dataflow.stream_write %s, %scarce_out : f32, !dataflow.stream<f32, 16>
    }
    dataflow.nest "drain" [4] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %scarce_in : !dataflow.stream<f32, 16> -> f32
      %s0 = arith.addf %v, %v : f32
      %s1 = arith.addf %s0, %v : f32
      %s2 = arith.addf %s1, %v : f32
      %s3 = arith.addf %s2, %v : f32
      %s4 = arith.addf %s3, %v : f32
      %s5 = arith.addf %s4, %v : f32
      %s6 = arith.addf %s5, %v : f32
      dataflow.stream_write %s6, %scarce_out : f32, !dataflow.stream<f32, 16>
    }
  }
  dataflow.leaf "scarce_store" store [4100] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %scarce_out : !dataflow.stream<f32, 16> -> f32
    dataflow.store %v, %scarce_y affine_map<(d0) -> (d0)> : f32, !dataflow.port<4100xf32>
  }
  dataflow.leaf "counted_load" load [8196] counts affine_map<()[s0] -> (s0 + 4)> (%few) {
  ^bb0(%i: index):
    %v = dataflow.load %counted_x affine_map<(d0) -> (d0)> : !dataflow.port<8196xf32> -> f32
    dataflow.stream_write %v, %counted_in : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "counted" compute [] counts affine_map<()[s0] -> ()> (%few) {
    dataflow.nest "core" [8192] counts affine_map<()[s0] -> (s0)> {
    ^bb0(%i: index):
      %v = dataflow.stream_read %counted_in : !dataflow.stream<f32, 16> -> f32
      %s = arith.addf %v, %v : f32
      dataflow.stream_write %s, %counted_out : f32, !dataflow.stream<f32, 16>
    }
    dataflow.nest "drain" [4] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %counted_in : !dataflow.stream<f32, 16> -> f32
      %s0 = arith.addf %v, %v : f32
      %s1 = arith.addf %s0, %v : f32
      %s2 = arith.addf %s1, %v : f32
      %s3 = arith.addf %s2, %v : f32
      %s4 = arith.addf %s3, %v : f32
      %s5 = arith.addf %s4, %v : f32
      %s6 = arith.addf %s5, %v : f32
      dataflow.stream_write %s6, %counted_out : f32, !dataflow.stream<f32, 16>
    }
  }
  dataflow.leaf "counted_store" store [8196] counts affine_map<()[s0] -> (s0 + 4)> (%few) {
  ^bb0(%i: index):
    %v = dataflow.stream_read %counted_out : !dataflow.stream<f32, 16> -> f32
    dataflow.store %v, %counted_y affine_map<(d0) -> (d0)> : f32, !dataflow.port<8196xf32>
  }
}
