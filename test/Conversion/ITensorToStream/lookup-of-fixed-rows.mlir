// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=2 unroll=4 decision=rules stop-after=stream" | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=2 unroll=4 decision=rules" --validate --validate-dir=%t -o /dev/null

// A row that the body does not compute is a part of the address: for a constant it is the nearest
// row of the table.

// CHECK: dataflow.load %{{.*}} affine_map<(d0, d1, d2) -> (4, d1 * 2)> : !dataflow.port<5x6xf32>
// CHECK: dataflow.load %{{.*}} affine_map<(d0) -> (2, d0 * 2)> : !dataflow.port<5x6xf32>

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%table: tensor<5x6xf32>, %x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>) {
  %empty = tensor.empty() : tensor<4x6xf32>
  %added = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %row = arith.constant 7 : index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<5x6xf32>
    %sum = arith.addf %element, %in : f32
    linalg.yield %sum : f32
  } -> tensor<4x6xf32>
  %vector = tensor.empty() : tensor<6xf32>
  %third = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%vector : tensor<6xf32>) {
  ^bb0(%out: f32):
    %row = arith.constant 2 : index
    %column = linalg.index 0 : index
    %element = tensor.extract %table[%row, %column] : tensor<5x6xf32>
    linalg.yield %element : f32
  } -> tensor<6xf32>
  return %added, %third : tensor<4x6xf32>, tensor<6xf32>
}
