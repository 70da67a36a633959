// RUN: sed 's/"masters": 32/"masters": 9/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports | FileCheck %s
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-size-phase --validate -o %t.mlir
// RUN: sed 's/"masters": 32/"masters": 8/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --dataflow-plan-ports | FileCheck %s --check-prefix=TURNS

// Two weights of layers, of which an iteration moves 4 words. Rows of the one task come to the other as they are
// made, so that both take their weights at the same time: on 4 masters, in turn, those of the second come when the first has ended. Side by
// side they have 8, which leaves one for all others. Words of `a` become as wide as those of `b`, with a leaf behind
// that cuts them; `x`, which only the first layer reads, comes again in each layer, before what is needed later; and `y`
// goes out through the master. What the design computes stays as it is.

// CHECK-DAG: %[[SMALL:.*]] = dataflow.interface "gmem_x_and_3"
// CHECK-DAG: dataflow.interface "gmem_w_s3"
// CHECK-DAG: dataflow.interface "gmem_v_s3"
// CHECK-DAG: dataflow.port in "a" via %[[SMALL]]
// CHECK-DAG: dataflow.port in "b" via %[[SMALL]]
// CHECK-DAG: dataflow.port in "x" via %[[SMALL]]
// CHECK-DAG: dataflow.port out "y" via %[[SMALL]]
// CHECK: dataflow.leaf "x_load_and_2" load [4] counts affine_map<()[s0] -> (s0)> (%{{.*}}) {
// CHECK: dataflow.nest "x_load" [8] {
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1) -> (d1 * 8)>
// CHECK: dataflow.nest "a_load" [8] {
// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1) -> (d0, d1 * 8)> {words = #dataflow.words<count = 1, lanes = 8
// CHECK: dataflow.stream_write %{{.*}}, %[[WORDS:.*]] : vector<8xf32>
// CHECK: dataflow.nest "b_load" [8] {
// CHECK: dataflow.leaf "enter" fork [4, 8]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: dataflow.stream_read %{{.*}} : <vector<8xf32>> -> vector<8xf32>
// CHECK: dataflow.leaf "a_load_regroup" regroup [4, 8, 2] counts affine_map<()[s0] -> (s0, 8, 2)> (%{{.*}})
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[HELD:.*]]: !dataflow.private<8xf32>):
// CHECK-NEXT: %[[WORD:.*]] = dataflow.stream_read %[[WORDS]] when #[[$FIRST:.*]] : <vector<8xf32>> -> vector<8xf32>
// CHECK-NEXT: dataflow.store %[[WORD]], %[[HELD]] affine_map<(d0, d1, d2) -> (0)> when #[[$FIRST]]
// CHECK-NEXT: dataflow.load %[[HELD]] affine_map<(d0, d1, d2) -> (d2 * 4)>
// CHECK-NEXT: dataflow.stream_write
// CHECK: dataflow.leaf "w_load" load [4, 1024]
// CHECK: dataflow.leaf "v_load" load [4, 1024]

// With one master less they take turns, and all others are as they were.

// TURNS-DAG: dataflow.interface "gmem_w_and_1_s3"
// TURNS-DAG: dataflow.interface "gmem_a"
// TURNS-DAG: dataflow.interface "gmem_b"
// TURNS-DAG: dataflow.interface "gmem_x"
// TURNS-DAG: dataflow.interface "gmem_y"
// TURNS: dataflow.leaf "x_load" load [8]
// TURNS: dataflow.stream_read %{{.*}} when
// TURNS: dataflow.leaf "a_load" load [4, 16]
// TURNS-NOT: regroup
// TURNS: dataflow.leaf "w_load_and_1" load [4]

dataflow.design @layers {
  %w = dataflow.port in "w" : !dataflow.port<4x4096x16xf32>
  %v = dataflow.port in "v" : !dataflow.port<4x4096x16xf32>
  %a = dataflow.port in "a" : !dataflow.port<4x64xf32>
  %b = dataflow.port in "b" : !dataflow.port<4x64xf32>
  %x = dataflow.port in "x" : !dataflow.port<64xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x64xf32>
  %layers = dataflow.scalar "layers" from 1 to 4 : index
  %xf = dataflow.stream "xf" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "x_load" load [8] {
  ^bb0(%i: index):
    %e = dataflow.load %x affine_map<(i) -> (i * 8)> : !dataflow.port<64xf32> -> vector<8xf32>
    dataflow.stream_write %e, %xf : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  %entered = dataflow.stream "entered" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "enter" fork [4, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.stream_read %xf when affine_set<(l, i) : (l == 0)> : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    %zeros = arith.constant dense<0.0> : vector<8xf32>
    %first = dataflow.test affine_set<(l, i) : (l == 0)>
    %f = arith.select %first, %e, %zeros : vector<8xf32>
    dataflow.stream_write %f, %entered : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  %af = dataflow.stream "af" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "a_load" load [4, 16] counts affine_map<()[s0] -> (s0, 16)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %a affine_map<(l, i) -> (l, i * 4)> : !dataflow.port<4x64xf32> -> vector<1x4xf32>
    %f = vector.shape_cast %e : vector<1x4xf32> to vector<4xf32>
    dataflow.stream_write %f, %af : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  %bf = dataflow.stream "bf" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "b_load" load [4, 8] counts affine_map<()[s0] -> (s0, 8)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %b affine_map<(l, i) -> (l, i * 8)> : !dataflow.port<4x64xf32> -> vector<1x8xf32>
    %f = vector.shape_cast %e : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %f, %bf : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  %wf = dataflow.stream "wf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "w_load" load [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %w affine_map<(l, i) -> (l, i * 4, 0)> : !dataflow.port<4x4096x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %wf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %vf = dataflow.stream "vf" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "v_load" load [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %e = dataflow.load %v affine_map<(l, i) -> (l, i * 4, 0)> : !dataflow.port<4x4096x16xf32> -> vector<1x4x16xf32>
    %f = vector.shape_cast %e : vector<1x4x16xf32> to vector<64xf32>
    dataflow.stream_write %f, %vf : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  %rows = dataflow.stream "rows" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "first" compute [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %wf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %e = dataflow.stream_read %entered when affine_set<(l, i) : (7 - i >= 0)> : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    %c = dataflow.stream_read %af when affine_set<(l, i) : (15 - i >= 0)> : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %q = vector.extract_strided_slice %p {offsets = [0], sizes = [8], strides = [1]} : vector<64xf32> to vector<8xf32>
    %d = vector.insert_strided_slice %c, %e {offsets = [0], strides = [1]} : vector<4xf32> into vector<8xf32>
    %s = arith.addf %q, %d : vector<8xf32>
    dataflow.stream_write %s, %rows : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  %rounded = dataflow.stream "rounded" : !dataflow.stream<vector<8xf32>>
  dataflow.leaf "between" compute [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %r = dataflow.stream_read %rows : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    dataflow.stream_write %r, %rounded : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "second" compute [4, 1024] counts affine_map<()[s0] -> (s0, 1024)> (%layers) {
  ^bb0(%l: index, %i: index):
    %p = dataflow.stream_read %vf : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %r = dataflow.stream_read %rounded : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    %c = dataflow.stream_read %bf when affine_set<(l, i) : (7 - i >= 0)> : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
    %q = vector.extract_strided_slice %p {offsets = [0], sizes = [8], strides = [1]} : vector<64xf32> to vector<8xf32>
    %s = arith.addf %q, %r : vector<8xf32>
    %t = arith.addf %s, %c : vector<8xf32>
    %u = vector.shape_cast %t : vector<8xf32> to vector<1x8xf32>
    dataflow.store %u, %y affine_map<(l, i) -> (l, i * 8)> when affine_set<(l, i) : (7 - i >= 0)> : vector<1x8xf32>, !dataflow.port<4x64xf32>
  }
}
func.func @main(%w: tensor<4x4096x16xf32>, %v: tensor<4x4096x16xf32>, %a: tensor<4x64xf32>, %b: tensor<4x64xf32>, %x: tensor<64xf32>) -> tensor<4x64xf32> {
  %layers = arith.constant 3 : index
  %y = dataflow.launch @layers(%w, %v, %a, %b, %x) scalars(%layers) : (tensor<4x4096x16xf32>, tensor<4x4096x16xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}
