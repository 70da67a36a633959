// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: rm -rf %t && mkdir %t && streamtensor-translate %t.mlir --output-dir=%t
// RUN: cat %t/hls/*.cpp | FileCheck %s --check-prefix=CPP

// A memory of LUTs has one port that writes, however many read. Two writes of an iteration that go to one bank take
// it two cycles; block RAM, whose ports both write, takes them in one, so that is what a memory becomes where
// nothing is said.

dataflow.design @write_ports {
  %in = dataflow.stream "in" : !dataflow.stream<f32, 2>
  %between = dataflow.stream "between" : !dataflow.stream<f32, 2>
  %out = dataflow.stream "out" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [64] {
  ^bb0(%i: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %in : f32, !dataflow.stream<f32, 2>
  }
  // CHECK: dataflow.leaf "stated"
  // CHECK: dataflow.nest "fill"
  // CHECK-SAME: ii = 2 : i64, limit = "accesses to a bank of private memory 1 with 4 ports, of which 1 writes"
  // CPP-LABEL: void stated(
  // CPP: #pragma HLS bind_storage variable=local type=ram_2p impl=lutram
  dataflow.leaf "stated" compute [1] attributes {storages = [#dataflow.storage<lutram partition [1] ports 4 write_ports 1 read 1 write 1>]} {
  ^bb0(%o: index, %m: !dataflow.private<128xf32>):
    dataflow.nest "fill" [64] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %in : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %m affine_map<(o, i) -> (i)> : f32, !dataflow.private<128xf32>
      dataflow.store %v, %m affine_map<(o, i) -> (i + 64)> : f32, !dataflow.private<128xf32>
    }
    dataflow.nest "drain" [64] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(o, i) -> (i + 32)> : !dataflow.private<128xf32> -> f32
      dataflow.stream_write %v, %between : f32, !dataflow.stream<f32, 2>
    }
  }
  // CHECK: dataflow.leaf "chosen"
  // CHECK-SAME: storages = [#dataflow.storage<bram partition [1] ports 2 read 2 write 1>]
  // CHECK: dataflow.nest "fill"
  // CHECK-SAME: ii = 1 : i64
  // CPP-LABEL: void chosen(
  // CPP: #pragma HLS bind_storage variable=local type=ram_t2p impl=bram latency=2
  dataflow.leaf "chosen" compute [1] {
  ^bb0(%o: index, %m: !dataflow.private<128xf32>):
    dataflow.nest "fill" [64] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %between : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %m affine_map<(o, i) -> (i)> : f32, !dataflow.private<128xf32>
      dataflow.store %v, %m affine_map<(o, i) -> (i + 64)> : f32, !dataflow.private<128xf32>
    }
    dataflow.nest "drain" [64] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(o, i) -> (i + 32)> : !dataflow.private<128xf32> -> f32
      dataflow.stream_write %v, %out : f32, !dataflow.stream<f32, 2>
    }
  }
  dataflow.leaf "take" compute [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %out : !dataflow.stream<f32, 2> -> f32
  }
}
