// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=4 decision=rules stop-after=stream" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=4 decision=rules" -o %t.sized.mlir
// RUN: rm -rf %t && streamtensor-translate %t.sized.mlir --output-dir=%t
// RUN: FileCheck %s --check-prefix=CPP --input-file=%t/hls/accelerator.cpp
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=4 decision=rules" --validate -o %t.valid.mlir

// An embedding: rows of a table in external memory, at positions that arrive in a stream. The
// assertions about the position go: a design takes the nearest row. The task reads the table
// itself; lanes run along the row, the loops over its tiles are in the map.

// CHECK-NOT: cf.assert
// CHECK: %[[table:.*]] = dataflow.port in "arg1" : <10x8xf32>
// CHECK: dataflow.leaf "{{.*}}" compute [521, 2]
// CHECK: %[[position:.*]] = dataflow.stream_read %{{.*}} when
// CHECK: %[[row:.*]] = arith.index_cast %{{.*}} : {{.*}} to {{.*}}index
// CHECK: dataflow.load %[[table]] row %{{.*}} affine_map<(d0, d1) -> (0, d1 * 4)> : !dataflow.port<10x8xf32> -> vector<1x4xf32>
// CPP: = arg1[st::clamp_row({{.*}}, 10) * 2 + i1];

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%positions: tensor<521xi64>, %table: tensor<10x8xf32>) -> tensor<521x8xf32> {
  %c10 = arith.constant 10 : index
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<521x8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%positions : tensor<521xi64>) outs(%e : tensor<521x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = arith.index_cast %in : i64 to index
    %column = linalg.index 1 : index
    %below = arith.cmpi slt, %row, %c10 : index
    cf.assert %below, "index must be smaller than dim size"
    %above = arith.cmpi sge, %in, %c0 : i64
    cf.assert %above, "index must be larger or equal to 0"
    %v = tensor.extract %table[%row, %column] : tensor<10x8xf32>
    linalg.yield %v : f32
  } -> tensor<521x8xf32>
  return %r : tensor<521x8xf32>
}
