// RUN: sed 's/"masters": 32/"masters": 15/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s --check-prefix=MORE
// RUN: sed 's/"masters": 32, "ports_per_channel": 15/"masters": 15, "ports_per_channel": 1/; s/"channels": 32/"channels": 12/' %devices/u55c.json >%t.few.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.few.json --dataflow-plan-ports 2>&1 | FileCheck %s --check-prefix=FAULT

// A plan that does not come about says so, whatever becomes of the next.
// FAULT: warning: loads are not dealt to 4 masters, with which the design would be at fault: {{.*}}[design.channel] finds no channel
// FAULT: error: {{.*}}[design.channel] finds no channel: each of the 12 channels of HBM has 1 ports

// Loads under a loop whose count the launch gives, the layers of a model. Two weights of which an iteration moves 4
// words share 4 masters, three biases one: in each layer they take turns, the third though it is shorter than a burst.
// A table that is read once for the launch has other loops than these, and a master of its own. Scales go to the leaf
// that takes what the reader of the first weight hands on: in turn with it they would come when it has ended, so they
// have masters of their own. So has a weight whose reader works side by side with that of the first: in turn, all 16
// MiB of the one would stand in a FIFO until the other comes. What takes turns on a master moves its bytes over one
// channel, so that each of the 15 has a channel of its own. A card of 32 masters has 4 more, with which the two weights
// are loaded side by side: the task of the second is at work while that of the first is.

// CHECK-DAG: %[[LAYERS:.*]] = dataflow.scalar "layers"
// CHECK-DAG: %[[STRIPE:.*]] = dataflow.interface "gmem_w_and_1_s0"
// CHECK-DAG: dataflow.interface "gmem_w_and_1_s3" {{.*}} on %hbm3
// CHECK-DAG: dataflow.interface "gmem_scales_s0"
// CHECK-DAG: dataflow.interface "gmem_u_s0" {{.*}} on %hbm4
// CHECK-DAG: dataflow.interface "gmem_a_and_2" {{.*}} on %hbm12
// CHECK-DAG: dataflow.interface "gmem_t"
// CHECK: dataflow.leaf "w_load_and_1" load [24] counts affine_map<()[s0] -> (s0)> (%[[LAYERS]])
// CHECK-NEXT: ^bb0(%[[LAYER:.*]]: index):
// CHECK-NEXT: dataflow.nest "w_load" [65536]
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1)[s0] -> (d0, d1 * 4, 0)>
// CHECK: dataflow.nest "v_load" [65536]
// CHECK: dataflow.leaf "a_load_and_2" load [24] counts affine_map<()[s0] -> (s0)> (%[[LAYERS]])
// CHECK: dataflow.nest "a_load" [64]
// CHECK: dataflow.nest "b_load" [64]
// CHECK: dataflow.nest "c_load" [8]
// CHECK: dataflow.leaf "t_load" load [64] {
// CHECK: dataflow.leaf "scales_load" load [24, 65536]

// MORE-DAG: dataflow.interface "gmem_w_s3"
// MORE-DAG: dataflow.interface "gmem_v_s3"
// MORE-DAG: dataflow.interface "gmem_scales_s3"
// MORE-DAG: dataflow.interface "gmem_u_s3"
// MORE: dataflow.leaf "w_load" load [24, 65536]
// MORE: dataflow.leaf "v_load" load [24, 65536]
dataflow.design @layers {
  %w = dataflow.port in "w" : !dataflow.port<24x262144x16xf32>
  %v = dataflow.port in "v" : !dataflow.port<24x262144x16xf32>
  %a = dataflow.port in "a" : !dataflow.port<24x1024xf32>
  %b = dataflow.port in "b" : !dataflow.port<24x1024xf32>
  %c = dataflow.port in "c" : !dataflow.port<24x128xf32>
  %u = dataflow.port in "u" : !dataflow.port<24x262144x16xf32>
  %t = dataflow.port in "t" : !dataflow.port<1024xf32>
  %scales = dataflow.port in "scales" : !dataflow.port<24x262144x16xf32>
  %y = dataflow.port out "y" : !dataflow.port<24xf32>
  %layers = dataflow.scalar "layers" from 1 to 24 : index
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "w_load" load [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %w affine_map<(l, i)[s0] -> (l, i * 4, 0)> : !dataflow.port<24x262144x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %wf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %vf = dataflow.stream "vf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "v_load" load [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %v affine_map<(l, i)[s0] -> (l, i * 4, 0)> : !dataflow.port<24x262144x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %vf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %af = dataflow.stream "af" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "a_load" load [24, 64] counts affine_map<()[s0] -> (s0, 64)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %a affine_map<(l, i)[s0] -> (l, i * 16)> : !dataflow.port<24x1024xf32> -> vector<1x16xf32>
    %f = vector.shape_cast %e : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %f, %af : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %bf = dataflow.stream "bf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "b_load" load [24, 64] counts affine_map<()[s0] -> (s0, 64)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %b affine_map<(l, i)[s0] -> (l, i * 16)> : !dataflow.port<24x1024xf32> -> vector<1x16xf32>
    %f = vector.shape_cast %e : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %f, %bf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %cf = dataflow.stream "cf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "c_load" load [24, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %c affine_map<(l, i)[s0] -> (l, i * 16)> : !dataflow.port<24x128xf32> -> vector<1x16xf32>
    %f = vector.shape_cast %e : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %f, %cf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %uf = dataflow.stream "uf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "u_load" load [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %u affine_map<(l, i)[s0] -> (l, i * 4, 0)> : !dataflow.port<24x262144x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %uf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %tf = dataflow.stream "tf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "t_load" load [64] {
  ^bb0(%i: index):
    %e = dataflow.load %t affine_map<(i) -> (i * 16)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %e, %tf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %sf = dataflow.stream "sf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "scales_load" load [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %scales affine_map<(l, i)[s0] -> (l, i * 4, 0)> : !dataflow.port<24x262144x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %sf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %scaled = dataflow.stream "scaled" : !dataflow.stream<vector<64xf32>>
  %products = dataflow.stream "products" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "first" compute [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %wf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %f = dataflow.stream_read %af when affine_set<(l, i)[s0] : (63 - i >= 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    dataflow.stream_write %p, %products : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  dataflow.leaf "scale" compute [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %products : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %q = dataflow.stream_read %sf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %d = dataflow.stream_read %bf when affine_set<(l, i)[s0] : (63 - i >= 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %e = dataflow.stream_read %tf when affine_set<(l, i)[s0] : (l == 0, 63 - i >= 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    dataflow.stream_write %p, %scaled : vector<64xf32>, !dataflow.stream<vector<64xf32>>
    %s = vector.extract %p[0] : f32 from vector<64xf32>
    dataflow.store %s, %y affine_map<(l, i)[s0] -> (l)> when affine_set<(l, i)[s0] : (i - 65535 == 0)> : f32, !dataflow.port<24xf32>
  }
  dataflow.leaf "second" compute [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %vf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %q = dataflow.stream_read %scaled : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
  }
  dataflow.leaf "beside" compute [24, 65536] counts affine_map<()[s0] -> (s0, 65536)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %uf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %c1 = dataflow.stream_read %cf when affine_set<(l, i)[s0] : (7 - i >= 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
  }
}
