// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase 2>&1 | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos="loss=0.2" 2>&1 | FileCheck %s --implicit-check-not=warning --check-prefix=SHALLOW
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos="strategy=highwater" 2>&1 | FileCheck %s --implicit-check-not=warning --check-prefix=DEEP
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos="force-depth=32768" 2>&1 | FileCheck %s --implicit-check-not=warning --check-prefix=DEEP
// RUN: not streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-size-fifos="strict" 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | sed 's/"SLR0", uram = 320/"SLR0", uram = 640/; s/"SLR\([12]\)", uram = 320/"SLR\1", uram = 160/g' \
// RUN:   | streamtensor-opt --dataflow-size-fifos="strict" 2>&1 | FileCheck %s --implicit-check-not=warning --implicit-check-not=error --check-prefix=HELD

// 32768 tokens of 128 floats in a FIFO: 57 columns of URAM, each 8 blocks deep, are 456 of the 720 that can be placed,
// 63 %. Where so much is taken depths that cost time are tried.

// A reader that comes late. With one block of each column the writer waits for it 30720 of 360448 cycles, 9 %, which
// spares seven eighths of the memory.

// CHECK-NOT: {{they may cost 3%}}
// CHECK: warning: [fifo.memory] FIFOs that keep the design within 1% of its best time take more of the memory than dies can hold: they may cost 10%
// CHECK-NOT: {{they may cost}}

// Where so much is allowed anyway nobody is told. A strategy that looks at no cycles has no other depths, nor has one
// depth for all.

// SHALLOW: dataflow.stream "late" {{.*}}, 2048>
// DEEP: dataflow.stream "late" {{.*}}, 32768>

// Who would rather have another design asks for an error.

// STRICT: error: [fifo.memory] FIFOs that keep the design within 1% of its best time take more of the memory than dies can hold{{$}}

// A die with as many blocks as two others together holds the FIFO: then it costs no time.

// HELD: dataflow.stream "late" {{.*}}, 32768>

// CHECK: dataflow.stream "late" {{.*}}, 2048>

#first_row = affine_set<(d0, d1) : (d0 == 0)>
#other_rows = affine_set<(d0, d1) : (d0 - 1 >= 0)>
#first = affine_set<(d0) : (d0 == 0)>
#last = affine_set<(d0) : (d0 - 32767 == 0)>

dataflow.design @late {
  %in = dataflow.port in "x" : !dataflow.port<11x32768xf32>
  %slow = dataflow.port in "w" : !dataflow.port<32768xf32>
  %out = dataflow.port out "y" : !dataflow.port<32768xf32>
  %all = dataflow.port out "z" : !dataflow.port<10x32768xf32>
  %late = dataflow.stream "late" : !dataflow.stream<vector<128xf32>>
  %soon = dataflow.stream "soon" : !dataflow.stream<f32>
  %end = dataflow.stream "end" : !dataflow.stream<f32>
  dataflow.leaf "fork" fork [11, 32768] {
  ^bb0(%i: index, %j: index):
    %e = dataflow.load %in affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<11x32768xf32> -> f32
    %f = vector.broadcast %e : f32 to vector<128xf32>
    dataflow.stream_write %f, %late when #first_row : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    dataflow.stream_write %e, %soon when #other_rows : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "wait" compute [32768] {
  ^bb0(%i: index):
    %w = dataflow.load %slow affine_map<(d0) -> (d0)> : !dataflow.port<32768xf32> -> f32
    dataflow.stream_write %w, %end when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "soon_reader" compute [10, 32768] {
  ^bb0(%i: index, %j: index):
    %e = dataflow.stream_read %soon : !dataflow.stream<f32> -> f32
    dataflow.store %e, %all affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.port<10x32768xf32>
  }
  dataflow.leaf "late_reader" compute [32768] {
  ^bb0(%i: index):
    %w = dataflow.stream_read %end when #first : !dataflow.stream<f32> -> f32
    %v = dataflow.stream_read %late : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %s = vector.extract %v[0] : f32 from vector<128xf32>
    dataflow.store %s, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<32768xf32>
  }
}
