// RUN: streamtensor-opt %s %u55c --dataflow-assemble-words -o %t.assembled.mlir
// RUN: FileCheck %s --input-file=%t.assembled.mlir
// RUN: streamtensor-run %s %t.assembled.mlir | FileCheck %s --check-prefix=SAME
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase -o %t.mlir
// RUN: FileCheck %s --check-prefix=SIZED --input-file=%t.mlir
// RUN: streamtensor-sim --json %t.mlir | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-test-sim %t.mlir --device %devices/u55c.json | FileCheck %s --check-prefix=STEPS
// SAME-NOT: differs
// SAME: result0

// 1,024 rows of 64 floats are written one by one, and read in columns of 8. In 8 banks of 8,192 words of 32 bits they
// take 16 UltraRAMs, of 4,096 words of 72 bits. 8 floats are 256 bits, 4 such words, of which 8,192 take 8 UltraRAMs: so
// 8 registers hold what is written, until there is a word of it.
// CHECK: #[[LAST:.*]] = affine_set<(d0, d1, d2) : (d2 - 7 == 0)>
// CHECK: dataflow.leaf "in" convert_in [1024, 8, 8]
// CHECK-SAME: storages = [#dataflow.storage<registers partition [1, 8] write 1>]
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[HELD:.*]]: !dataflow.private<1x8xf32>):
// CHECK-NEXT: %[[ELEMENT:.*]] = dataflow.stream_read %f
// CHECK-NEXT: dataflow.store %[[ELEMENT]], %[[HELD]] affine_map<(d0, d1, d2) -> (0, d2)> :
// CHECK-NEXT: %[[WORD:.*]] = dataflow.load %[[HELD]] affine_map<(d0, d1, d2) -> (0, 0)> when #[[LAST]]
// CHECK-NEXT: dataflow.store %[[WORD]], %rows affine_map<(d0, d1, d2) -> (d0, d1 * 8)> when #[[LAST]]

// SIZED: dataflow.buffer "rows" blocks 1 {storage = #dataflow.storage<uram partition [1, 8] word 8 ports 2 read 3 write 1>}

// The last of 65,536 elements is asked for at 2 + 65,535 + 5 for each of 255 gaps between bursts of 256 words: 66,812. It
// is in the FIFO 78 later, 66,890, in a register 2 and in the block 3 later. The swap takes a cycle: from 66,894 on a
// burst of one word of 8 floats begins every 6 cycles, the last after 8,191 of them, at 116,040, and its iteration is 10
// deep.
// CYCLES: "uram": 8,
// CYCLES: "cycles": 116050,
// CYCLES: "end": 66893,
// STEPS: 116050 cycles
dataflow.design @rows {
  %x = dataflow.port in "x" : !dataflow.port<1024x64xf32>
  %y = dataflow.port out "y" : !dataflow.port<1024x64xf32>
  %f = dataflow.stream "f" : !dataflow.stream<f32>
  %rows = dataflow.buffer "rows" blocks 1 : !dataflow.buffer<1024x64xf32>
  dataflow.leaf "x_load" load [1024, 64] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(d0, d1) -> (d0, d1)> : !dataflow.port<1024x64xf32> -> f32
    dataflow.stream_write %v, %f : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "in" convert_in [1024, 8, 8] writes(%rows at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index, %k: index):
    %v = dataflow.stream_read %f : !dataflow.stream<f32> -> f32
    dataflow.store %v, %rows affine_map<(d0, d1, d2) -> (d0, d1 * 8 + d2)> : f32, !dataflow.buffer<1024x64xf32>
  }
  dataflow.leaf "y_store" store [8, 1024] reads(%rows at 0 : !dataflow.buffer<1024x64xf32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %rows affine_map<(d0, d1) -> (d1, d0 * 8)> : !dataflow.buffer<1024x64xf32> -> vector<1x8xf32>
    dataflow.store %v, %y affine_map<(d0, d1) -> (d1, d0 * 8)> : vector<1x8xf32>, !dataflow.port<1024x64xf32>
  }
}
func.func @main(%x: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %y = dataflow.launch @rows(%x) : (tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %y : tensor<1024x64xf32>
}
