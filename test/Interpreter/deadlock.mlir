// RUN: not streamtensor-run %s 2>&1 | FileCheck %s
// RUN: sed -e 's/f32, 3/f32, 4/' %s | streamtensor-run - | FileCheck %s --check-prefix=ENDS

// The second half of a row is needed before the first, which waits in its FIFO meanwhile. One slot
// less than a half has elements, and nobody can go on.

// CHECK: deadlock.mlir:[[#@LINE+5]]:1: error: deadlock: 2 tasks of design 'rotary' wait for each other; give the FIFOs that are full more slots
// CHECK: note: 'chunk' waits for a free slot of 'low', which is full with 3
// CHECK: note: 'rotate' waits for a token of 'high'
// ENDS: result0 tensor<2x8xf32> [4, 5, 6, 7, 0, 1, …]

dataflow.design @rotary {
  %x = dataflow.port in "x" : !dataflow.port<2x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<2x8xf32>
  %lo = dataflow.stream "low" : !dataflow.stream<f32, 3>
  %hi = dataflow.stream "high" : !dataflow.stream<f32, 2>
  dataflow.leaf "chunk" chunk [2, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j)> : !dataflow.port<2x8xf32> -> f32
    dataflow.stream_write %v, %lo when affine_set<(d0, d1) : (3 - d1 >= 0)> : f32, !dataflow.stream<f32, 3>
    dataflow.stream_write %v, %hi when affine_set<(d0, d1) : (d1 - 4 >= 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "rotate" concat [2, 2, 4] {
  ^bb0(%i: index, %h: index, %j: index):
    %b = dataflow.stream_read %hi when affine_set<(d0, d1, d2) : (d1 == 0)> : !dataflow.stream<f32, 2> -> f32
    %a = dataflow.stream_read %lo when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : !dataflow.stream<f32, 3> -> f32
    dataflow.store %b, %y affine_map<(i, h, j) -> (i, h * 4 + j)> when affine_set<(d0, d1, d2) : (d1 == 0)> : f32, !dataflow.port<2x8xf32>
    dataflow.store %a, %y affine_map<(i, h, j) -> (i, h * 4 + j)> when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : f32, !dataflow.port<2x8xf32>
  }
}

func.func @main() -> tensor<2x8xf32> {
  %x = arith.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]> : tensor<2x8xf32>
  %y = dataflow.launch @rotary(%x) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
