// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-sim --json | FileCheck %s --check-prefix=CYCLES

// A master moves 64 bytes a cycle, a channel 53.12. The design takes a word of `x` in each of 10,000 cycles, so one
// channel would keep it waiting: two bring half of each word. It takes as many words of `y`, each four times, so that
// their load has time.

// CHECK-DAG: dataflow.port in "x" via %[[FIRST:.*]], %[[SECOND:.*]] : <10000x16xf32>
// CHECK-DAG: dataflow.port in "y" via %{{[^,]*}} : <2500x16xf32>
// CHECK: dataflow.leaf "x_load"
// CHECK: words = #dataflow.words<count = 1, lanes = 8, used = 8, burst = 128, outstanding = 2>

// The last iteration of the load begins at cycle 10,391: 2 to start, 9,999 before it, and 78 gaps of 5 cycles, as 4 KiB
// are 128 half words. 78 cycles later its token stands in the FIFO, a cycle later it is taken, and 10 after that stored.
// Over one channel 10,000 words take 12,048 cycles.
// CYCLES: "cycles": 10480,
dataflow.design @halves {
  %x = dataflow.port in "x" : !dataflow.port<10000x16xf32>
  %y = dataflow.port in "y" : !dataflow.port<2500x16xf32>
  %z = dataflow.port out "z" : !dataflow.port<1xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<16xf32>>
  %b = dataflow.stream "b" : !dataflow.stream<vector<16xf32>>
  %c = dataflow.stream "c" : !dataflow.stream<f32>
  dataflow.leaf "x_load" load [10000] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<10000x16xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %a : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "y_load" load [2500] {
  ^bb0(%i: index):
    %v = dataflow.load %y affine_map<(d0) -> (d0, 0)> : !dataflow.port<2500x16xf32> -> vector<1x16xf32>
    %w = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %w, %b : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "take" compute [2500, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %a : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %w = dataflow.stream_read %b when affine_set<(d0, d1) : (d1 == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %e = vector.extract %v[3] : f32 from vector<16xf32>
    dataflow.stream_write %e, %c when affine_set<(d0, d1) : (d0 - 2499 == 0, d1 - 3 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "z_store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : f32, !dataflow.port<1xf32>
  }
}
