// RUN: sed 's/"masters": 32/"masters": 7/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports=loss=0 | FileCheck %s --check-prefix=ENOUGH
// RUN: sed 's/"masters": 32/"masters": 6/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports=loss=0 | FileCheck %s --check-prefix=SHORT

// Rows of four words could come from four masters, a word each, in 1024 cycles. With those of the biases and of the
// result that makes seven; a card that has so many leaves each bias its own. With one less the biases share: in turn
// they take 2 x (64 + 77 + 48) cycles, less than half of what the rows take.

// ENOUGH-DAG: dataflow.interface "gmem_w_s3"
// ENOUGH-DAG: dataflow.interface "gmem_a"
// ENOUGH-DAG: dataflow.interface "gmem_b"
// ENOUGH: dataflow.leaf "b_load"

// SHORT-DAG: dataflow.interface "gmem_w_s3"
// SHORT-DAG: dataflow.interface "gmem_a_and_1"
// SHORT: dataflow.leaf "a_load_and_1"
// SHORT-NOT: dataflow.leaf "b_load"

dataflow.design @rows {
  %a = dataflow.port in "a" : !dataflow.port<1024xf32>
  %b = dataflow.port in "b" : !dataflow.port<1024xf32>
  %w = dataflow.port in "w" : !dataflow.port<1024x64xf32>
  %y = dataflow.port out "y" : !dataflow.port<1024xf32>
  %af = dataflow.stream "af" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "a_load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %a affine_map<(i) -> (i * 16)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %af : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %bf = dataflow.stream "bf" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "b_load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i * 16)> : !dataflow.port<1024xf32> -> vector<16xf32>
    dataflow.stream_write %v, %bf : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "w_load" load [1024] {
  ^bb0(%i: index):
    %v = dataflow.load %w affine_map<(i) -> (i, 0)> : !dataflow.port<1024x64xf32> -> vector<1x64xf32>
    %f = vector.shape_cast %v : vector<1x64xf32> to vector<64xf32>
    dataflow.stream_write %f, %wf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  dataflow.leaf "sum" compute [64, 16] {
  ^bb0(%j: index, %i: index):
    %p = dataflow.stream_read %wf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %v = dataflow.stream_read %af when affine_set<(j, i) : (i == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %u = dataflow.stream_read %bf when affine_set<(j, i) : (i == 0)> : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %q = vector.extract_strided_slice %p {offsets = [0], sizes = [16], strides = [1]} : vector<64xf32> to vector<16xf32>
    %s = arith.addf %q, %v : vector<16xf32>
    %t = arith.addf %s, %u : vector<16xf32>
    dataflow.store %t, %y affine_map<(j, i) -> (j * 16)> when affine_set<(j, i) : (i - 15 == 0)> : vector<16xf32>, !dataflow.port<1024xf32>
  }
}
