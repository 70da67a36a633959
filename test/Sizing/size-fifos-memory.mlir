// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase 2>&1 | FileCheck %s --implicit-check-not=fifo.memory

// The last of 32768 tokens goes around the others, so all of them wait in a FIFO, 63 % of the URAM that can be placed.
// Depths that may cost time spare none of it, so they are not taken (when they do: size-fifos-memory-errors.mlir).

// CHECK: dataflow.stream "direct" {{.*}}memory = #dataflow.memory<uram>{{.*}}<vector<128xf32>, 32768>

#first = affine_set<(d0) : (d0 == 0)>
#last = affine_set<(d0) : (d0 - 32767 == 0)>

dataflow.design @around {
  %in = dataflow.port in "x" : !dataflow.port<32768x128xf32>
  %out = dataflow.port out "y" : !dataflow.port<32768xf32>
  %direct = dataflow.stream "direct" : !dataflow.stream<vector<128xf32>>
  %end = dataflow.stream "end" : !dataflow.stream<f32>
  dataflow.leaf "fork" fork [32768] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0, 0)> : !dataflow.port<32768x128xf32> -> vector<1x128xf32>
    %f = vector.shape_cast %v : vector<1x128xf32> to vector<128xf32>
    %e = vector.extract %f[0] : f32 from vector<128xf32>
    dataflow.stream_write %f, %direct : vector<128xf32>, !dataflow.stream<vector<128xf32>>
    dataflow.stream_write %e, %end when #last : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "join" compute [32768] {
  ^bb0(%i: index):
    %e = dataflow.stream_read %end when #first : !dataflow.stream<f32> -> f32
    %v = dataflow.stream_read %direct : !dataflow.stream<vector<128xf32>> -> vector<128xf32>
    %s = vector.extract %v[0] : f32 from vector<128xf32>
    dataflow.store %s, %out affine_map<(d0) -> (d0)> : f32, !dataflow.port<32768xf32>
  }
}
