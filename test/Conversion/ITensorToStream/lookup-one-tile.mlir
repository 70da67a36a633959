// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=8 unroll=4 decision=rules" --validate | FileCheck %s

// One tile is all of the tensor, which the operation takes as an input and looks rows up in: the table stays in memory.

// CHECK: dataflow.leaf "op" compute [6]
// CHECK: %{{.*}} = dataflow.stream_read
// CHECK: dataflow.load %arg0 row %{{.*}} affine_map<(d0) -> (0)>

#id = affine_map<(d0) -> (d0)>
func.func @main(%table: tensor<6xi64>) -> tensor<6xi64> {
  %empty = tensor.empty() : tensor<6xi64>
  %next = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%table : tensor<6xi64>) outs(%empty : tensor<6xi64>) {
  ^bb0(%place: i64, %out: i64):
    %row = arith.index_cast %place : i64 to index
    %found = tensor.extract %table[%row] : tensor<6xi64>
    linalg.yield %found : i64
  } -> tensor<6xi64>
  return %next : tensor<6xi64>
}
