// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s --check-prefix=APART
// RUN: sed 's/"lut": 1189/"lut": 40000/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports | FileCheck %s --check-prefix=JOINED
// RUN: sed 's/"ff": 3740/"ff": 80000/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports | FileCheck %s --check-prefix=JOINED

// Two loads of 4,096 words have time to take turns on one master: 2 x 4,221 of 1,048,576 cycles. But then a FIFO has to
// hold all that the first loads, 2,097,152 bits on the chip, which is more than a master and its words on the way. Only
// where masters take more logic than that, 3 % of the card's LUTs or flip-flops, they share one.

// APART-COUNT-4: dataflow.interface
// APART: dataflow.leaf "a_load"
// APART: dataflow.leaf "b_load"

// JOINED: dataflow.interface "gmem_a_and_1"
// JOINED: dataflow.leaf "a_load_and_1"

dataflow.design @tables {
  %a = dataflow.port in "a" : !dataflow.port<65536xf32>
  %b = dataflow.port in "b" : !dataflow.port<65536xf32>
  %w = dataflow.port in "w" : !dataflow.port<4096x4096xf32>
  %y = dataflow.port out "y" : !dataflow.port<65536xf32>
  %af = dataflow.stream "af" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "a_load" load [4096] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(i) -> (i * 16)> : !dataflow.port<65536xf32> -> vector<16xf32>
    dataflow.stream_write %v, %af : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "w_load" load [256, 4096] {
  ^bb0(%j: index, %i: index):
    %v = dataflow.load %w affine_map<(j, i) -> (i, j * 16)> : !dataflow.port<4096x4096xf32> -> vector<1x16xf32>
    %f = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %f, %wf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %bf = dataflow.stream "bf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "b_load" load [4096] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i * 16)> : !dataflow.port<65536xf32> -> vector<16xf32>
    dataflow.stream_write %v, %bf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "sum" compute [4096, 256] {
  ^bb0(%i: index, %j: index):
    %p = dataflow.stream_read %wf : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %v = dataflow.stream_read %af when affine_set<(i, j) : (j == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %u = dataflow.stream_read %bf when affine_set<(i, j) : (j == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %s = arith.addf %p, %v : vector<16xf32>
    %t = arith.addf %s, %u : vector<16xf32>
    dataflow.store %t, %y affine_map<(i, j) -> (i * 16)> when affine_set<(i, j) : (j - 255 == 0)> : vector<16xf32>, !dataflow.port<65536xf32>
  }
}
