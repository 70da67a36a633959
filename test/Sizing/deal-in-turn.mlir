// RUN: sed 's/"masters": 32/"masters": 4/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports >%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-size-phase --validate >%t.sized.mlir
// RUN: streamtensor-sim %t.sized.mlir --scalar layers=1 --on-chip-io | FileCheck %s --check-prefix=ONE
// RUN: streamtensor-sim %t.sized.mlir --scalar layers=4 --on-chip-io | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/"bits": 512/"bits": 256/; s/"masters": 32/"masters": 7/' %devices/u55c.json >%t.narrow.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.narrow.json --dataflow-plan-ports | FileCheck %s --check-prefix=NARROW

// Of weights an iteration moves 4 words, one for each of 4 FIFOs; 3 masters are left for it. A layer has 10 tokens, 40
// words, which are 14 rows of 3; after 4 rows the first FIFO has the first word of a row again, and the host puts zeros
// behind, up to the end of the fourth such group. Word w of a layer goes to FIFO w mod 4: the first one has word 0 of row
// 0 (w = 0), word 1 of row 1 (w = 4), word 2 of row 2 (w = 8), and waits in row 3, whose words are 9, 10, 11. In the
// last group only words 36 to 39 come, three in its first row and one in its second.

// CHECK-DAG: #[[$ROW1:.*]] = affine_set<(d0, d1, d2) : (d2 - 1 == 0)>
// CHECK-DAG: #[[$ROW2:.*]] = affine_set<(d0, d1, d2) : (d2 - 2 == 0)>
// CHECK-DAG: #[[$UPTO1:.*]] = affine_set<(d0, d1, d2) : (-d1 + 2 >= 0, -d2 + 1 >= 0)>
// CHECK-DAG: #[[$UPTO2:.*]] = affine_set<(d0, d1, d2) : (-d1 + 2 >= 0, -d2 + 2 >= 0)>
// CHECK-DAG: #[[$FROM3:.*]] = affine_set<(d0, d1, d2) : (-d1 + 2 >= 0, d2 - 3 >= 0)>
// CHECK-DAG: #[[$LAST0:.*]] = affine_set<(d0, d1, d2) : (d1 - 3 >= 0, -d2 >= 0)>
// CHECK-DAG: #[[$LAST1:.*]] = affine_set<(d0, d1, d2) : (d1 - 3 >= 0, d2 - 1 >= 0, -d2 + 1 >= 0)>
// CHECK-COUNT-3: dataflow.interface "gmem_w_s
// CHECK: dataflow.port in "w" via %{{[a-z_0-9]*}}, %{{[a-z_0-9]*}}, %{{[a-z_0-9]*}} : <4x16x48xf32>
// CHECK: dataflow.leaf "w_load" load [4, 4, 4] counts affine_map<()[s0] -> (s0, 4, 4)>
// CHECK: %[[ROW:.*]] = dataflow.load %{{.*}} affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2, 0)> {words = #dataflow.words<count = 1, lanes = 16, used = 16
// CHECK: %[[FLAT:.*]] = vector.shape_cast %[[ROW]]
// CHECK: %[[P0:.*]] = vector.extract_strided_slice %[[FLAT]] {offsets = [0]
// CHECK: %[[P1:.*]] = vector.extract_strided_slice %[[FLAT]] {offsets = [16]
// CHECK: %[[P2:.*]] = vector.extract_strided_slice %[[FLAT]] {offsets = [32]
// CHECK: %[[IS1:.*]] = dataflow.test #[[$ROW1]]
// CHECK: %[[V01:.*]] = arith.select %[[IS1]], %[[P1]], %[[P0]]
// CHECK: %[[IS2:.*]] = dataflow.test #[[$ROW2]]
// CHECK: %[[V0:.*]] = arith.select %[[IS2]], %[[P2]], %[[V01]]
// CHECK: stream_write %[[V0]], %f0 when #[[$UPTO2]]
// CHECK: stream_write %[[V0]], %f0 when #[[$LAST0]]

// The second one waits in row 2 of a group, so it has two accesses in whole groups; the last one comes once more.
// CHECK: stream_write %[[V1:.*]], %f1 when #[[$UPTO1]]
// CHECK: stream_write %[[V1]], %f1 when #[[$FROM3]]
// CHECK: stream_write %[[V1]], %f1 when #[[$LAST0]]
// CHECK: stream_write %{{.*}}, %f3 when #[[$LAST1]]

// CHECK: %[[PADDED:.*]] = itensor.pack %{{.*}} strides [640, 1] offset 0 lanes 640 : tensor<4x10x4x16xf32> -> tensor<4x768xf32>
// CHECK-NEXT: tensor.collapse_shape %[[PADDED]]
// CHECK-NEXT: tensor.expand_shape {{.*}} into tensor<4x16x48xf32>

// Where a word is half of what a FIFO takes, three of these are six words.
// NARROW-COUNT-6: dataflow.interface "gmem_w_s
// NARROW: dataflow.port in "w" via {{.*}} : <4x16x48xf32>
// NARROW: dataflow.leaf "w_load" load [4, 4, 4] counts

// A row a cycle: each further layer takes the 16 of its 4 groups.
// ONE: {{^}}37 cycles
// FOUR: {{^}}85 cycles

dataflow.design @layers {
  %w = dataflow.port in "w" : !dataflow.port<4x10x4x16xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x10x16xf32>
  %layers = dataflow.scalar "layers" from 1 to 4 : index
  %f0 = dataflow.stream "f0" : !dataflow.stream<vector<16xf32>>
  %f1 = dataflow.stream "f1" : !dataflow.stream<vector<16xf32>>
  %f2 = dataflow.stream "f2" : !dataflow.stream<vector<16xf32>>
  %f3 = dataflow.stream "f3" : !dataflow.stream<vector<16xf32>>
  dataflow.leaf "w_load" load [4, 10] counts affine_map<()[s0] -> (s0, 10)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %w affine_map<(l, i) -> (l, i, 0, 0)> : !dataflow.port<4x10x4x16xf32> -> vector<1x1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x1x4x16xf32> to vector<64xf32>
    %p0 = vector.extract_strided_slice %f {offsets = [0], sizes = [16], strides = [1]} : vector<64xf32> to vector<16xf32>
    dataflow.stream_write %p0, %f0 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
    %p1 = vector.extract_strided_slice %f {offsets = [16], sizes = [16], strides = [1]} : vector<64xf32> to vector<16xf32>
    dataflow.stream_write %p1, %f1 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
    %p2 = vector.extract_strided_slice %f {offsets = [32], sizes = [16], strides = [1]} : vector<64xf32> to vector<16xf32>
    dataflow.stream_write %p2, %f2 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
    %p3 = vector.extract_strided_slice %f {offsets = [48], sizes = [16], strides = [1]} : vector<64xf32> to vector<16xf32>
    dataflow.stream_write %p3, %f3 : vector<16xf32>, !dataflow.stream<vector<16xf32>>
  }
  dataflow.leaf "sum" compute [4, 10] counts affine_map<()[s0] -> (s0, 10)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p0 = dataflow.stream_read %f0 : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %p1 = dataflow.stream_read %f1 : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %p2 = dataflow.stream_read %f2 : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %p3 = dataflow.stream_read %f3 : !dataflow.stream<vector<16xf32>> -> vector<16xf32>
    %a = arith.subf %p0, %p1 : vector<16xf32>
    %b = arith.mulf %p2, %p3 : vector<16xf32>
    %s = arith.divf %a, %b : vector<16xf32>
    %t = vector.shape_cast %s : vector<16xf32> to vector<1x1x16xf32>
    dataflow.store %t, %y affine_map<(l, i) -> (l, i, 0)> : vector<1x1x16xf32>, !dataflow.port<4x10x16xf32>
  }
}
func.func @main(%w: tensor<4x10x4x16xf32>, %layers: index) -> tensor<4x10x16xf32> {
  %y = dataflow.launch @layers(%w) scalars(%layers) : (tensor<4x10x4x16xf32>) -> tensor<4x10x16xf32>
  return %y : tensor<4x10x16xf32>
}
