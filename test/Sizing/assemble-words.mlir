// RUN: streamtensor-opt %s %u55c --dataflow-assemble-words --dataflow-partition-buffers --dataflow-assign-memories | FileCheck %s

// What is written one by one and read by eights: words are put together where they are written one after the other and
// spare UltraRAMs, from halves too, and in the rows that a guard lets through.

// CHECK-DAG: #[[ROW_AND_LAST:.*]] = affine_set<(d0, d1, d2) : (-d0 + 1000 >= 0, d2 - 7 == 0)>

// Of rows that are written column by column no word is complete before the last columns come.
// CHECK-LABEL: dataflow.design @columns
// CHECK: dataflow.buffer "columns_block" {{.*}}uram partition [1, 8] ports
dataflow.design @columns {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<vector<8xf32>>
  %columns_block = dataflow.buffer "columns_block" blocks 1 : !dataflow.buffer<1024x64xf32>
  dataflow.leaf "f_give" compute [65536] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "in" convert_in [64, 1024] writes(%columns_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i0: index, %i1: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %columns_block affine_map<(d0, d1) -> (d1, d0)> : f32, !dataflow.buffer<1024x64xf32>
  }
  dataflow.leaf "out" convert_out [1024, 8] reads(%columns_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %columns_block affine_map<(d0, d1) -> (d0, d1 * 8)> : !dataflow.buffer<1024x64xf32> -> vector<1x8xf32>
    %w = vector.shape_cast %v : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %w, %g : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "g_take" compute [8192] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
  }
}

// 8 banks of 1,024 floats take 8 block RAMs of 36 bits, and so do 1,024 words of 256 bits.
// CHECK-LABEL: dataflow.design @few
// CHECK: dataflow.buffer "few_block" {{.*}}bram partition [1, 8] ports
dataflow.design @few {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<vector<8xf32>>
  %few_block = dataflow.buffer "few_block" blocks 1 : !dataflow.buffer<128x64xf32>
  dataflow.leaf "f_give" compute [8192] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "in" convert_in [128, 64] writes(%few_block at 0 : !dataflow.buffer<128x64xf32>) {
  ^bb0(%i0: index, %i1: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %few_block affine_map<(d0, d1) -> (d0, d1)> : f32, !dataflow.buffer<128x64xf32>
  }
  dataflow.leaf "out" convert_out [128, 8] reads(%few_block at 0 : !dataflow.buffer<128x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %few_block affine_map<(d0, d1) -> (d0, d1 * 8)> : !dataflow.buffer<128x64xf32> -> vector<1x8xf32>
    %w = vector.shape_cast %v : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %w, %g : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "g_take" compute [1024] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
  }
}

// CHECK-LABEL: dataflow.design @halves
// CHECK: dataflow.buffer "halves_block" {{.*}}uram partition [1, 8] word 8 ports
// CHECK: dataflow.store %{{.*}} affine_map<(d0, d1, d2) -> (0, d2 * 4)> : vector<1x4xf32>, !dataflow.private<1x8xf32>
// CHECK: dataflow.store %{{.*}}, %halves_block affine_map<(d0, d1, d2) -> (d0, d1 * 8)> when {{.*}} : vector<1x8xf32>
dataflow.design @halves {
  %f = dataflow.stream "f" : !dataflow.stream<vector<4xf32>>
  %g = dataflow.stream "g" : !dataflow.stream<vector<8xf32>>
  %halves_block = dataflow.buffer "halves_block" blocks 1 : !dataflow.buffer<1024x64xf32>
  dataflow.leaf "f_give" compute [16384] {
  ^bb0(%i: index):
    %one = arith.constant dense<1.0> : vector<4xf32>
    dataflow.stream_write %one, %f : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "in" convert_in [1024, 8, 2] writes(%halves_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %w = vector.shape_cast %v : vector<4xf32> to vector<1x4xf32>
    dataflow.store %w, %halves_block affine_map<(d0, d1, d2) -> (d0, d1 * 8 + d2 * 4)> : vector<1x4xf32>, !dataflow.buffer<1024x64xf32>
  }
  dataflow.leaf "out" convert_out [1024, 8] reads(%halves_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %halves_block affine_map<(d0, d1) -> (d0, d1 * 8)> : !dataflow.buffer<1024x64xf32> -> vector<1x8xf32>
    %w = vector.shape_cast %v : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %w, %g : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "g_take" compute [8192] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
  }
}

// A row of 64 goes through two loops, and only the inner one through a word.
// CHECK-LABEL: dataflow.design @guarded_rows
// CHECK: dataflow.buffer "guarded_rows_block" {{.*}}uram partition [1, 8] word 8 ports
// CHECK: dataflow.store %{{.*}} affine_map<(d0, d1, d2) -> (0, d2)> : f32, !dataflow.private<1x8xf32>
// CHECK: dataflow.store %{{.*}}, %guarded_rows_block affine_map<(d0, d1, d2) -> (d0, d1 * 8)> when #[[ROW_AND_LAST:.*]] : vector<1x8xf32>
dataflow.design @guarded_rows {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<vector<8xf32>>
  %guarded_rows_block = dataflow.buffer "guarded_rows_block" blocks 1 : !dataflow.buffer<1024x64xf32>
  dataflow.leaf "f_give" compute [65536] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "in" convert_in [1024, 8, 8] writes(%guarded_rows_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %guarded_rows_block affine_map<(d0, d1, d2) -> (d0, d1 * 8 + d2)> when affine_set<(d0, d1, d2) : (1000 - d0 >= 0)> : f32, !dataflow.buffer<1024x64xf32>
  }
  dataflow.leaf "out" convert_out [1024, 8] reads(%guarded_rows_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %guarded_rows_block affine_map<(d0, d1) -> (d0, d1 * 8)> : !dataflow.buffer<1024x64xf32> -> vector<1x8xf32>
    %w = vector.shape_cast %v : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %w, %g : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "g_take" compute [8192] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
  }
}

// CHECK-LABEL: dataflow.design @guarded_elements
// CHECK: dataflow.buffer "guarded_elements_block" {{.*}}uram partition [1, 8] ports
dataflow.design @guarded_elements {
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %g = dataflow.stream "g" : !dataflow.stream<vector<8xf32>>
  %guarded_elements_block = dataflow.buffer "guarded_elements_block" blocks 1 : !dataflow.buffer<1024x64xf32>
  dataflow.leaf "f_give" compute [65536] {
  ^bb0(%i: index):
    %one = arith.constant 1.0 : f32
    dataflow.stream_write %one, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "in" convert_in [1024, 8, 8] writes(%guarded_elements_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i0: index, %i1: index, %i2: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %guarded_elements_block affine_map<(d0, d1, d2) -> (d0, d1 * 8 + d2)> when affine_set<(d0, d1, d2) : (6 - d2 >= 0)> : f32, !dataflow.buffer<1024x64xf32>
  }
  dataflow.leaf "out" convert_out [1024, 8] reads(%guarded_elements_block at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %guarded_elements_block affine_map<(d0, d1) -> (d0, d1 * 8)> : !dataflow.buffer<1024x64xf32> -> vector<1x8xf32>
    %w = vector.shape_cast %v : vector<1x8xf32> to vector<8xf32>
    dataflow.stream_write %w, %g : vector<8xf32>, !dataflow.stream<vector<8xf32>>
  }
  dataflow.leaf "g_take" compute [8192] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %g : !dataflow.stream<vector<8xf32>> -> vector<8xf32>
  }
}
