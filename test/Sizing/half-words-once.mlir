// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-sim --json | FileCheck %s --check-prefix=CYCLES

// The design takes two words of `x` in each of 10,000 cycles and passes it once. A master moves 64 bytes a cycle, a channel
// 53.12, so two would keep it waiting: four bring half of a word each. No other load takes turns with this one.

// CHECK: dataflow.port in "x" via %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : <10000x32xf32>
// CHECK: words = #dataflow.words<count = 1, lanes = 8, used = 8, burst = 128, outstanding = 2>

// The last iteration of the load begins at cycle 10,391: 2 to start, 9,999 before it, and 78 gaps of 5 cycles, as 4 KiB
// are 128 half words. 77 cycles later it writes a FIFO of two slots, a cycle later the token is taken, and 10 after that
// it is stored.
// Over two channels 10,000 words each take 12,048 cycles.
// CYCLES: "cycles": 10479,
dataflow.design @halves {
  %x = dataflow.port in "x" : !dataflow.port<10000x32xf32>
  %z = dataflow.port out "z" : !dataflow.port<1xf32>
  %a = dataflow.stream "a" : !dataflow.stream<vector<32xf32>>
  %c = dataflow.stream "c" : !dataflow.stream<f32>
  dataflow.leaf "x_load" load [10000] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0, 0)> : !dataflow.port<10000x32xf32> -> vector<1x32xf32>
    %w = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %w, %a : vector<32xf32>, !dataflow.stream<vector<32xf32>>
  }
  dataflow.leaf "last" compute [10000] {
  ^bb0(%i: index):
    %u = dataflow.stream_read %a : !dataflow.stream<vector<32xf32>> -> vector<32xf32>
    %e = vector.extract %u[3] : f32 from vector<32xf32>
    dataflow.stream_write %e, %c when affine_set<(d0) : (d0 - 9999 == 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "z_store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32> -> f32
    dataflow.store %v, %z affine_map<(d0) -> (d0)> : f32, !dataflow.port<1xf32>
  }
}
