// Four words of `y` leave in each of 64 iterations. With a master for each of them they leave at once.
// RUN: streamtensor-opt %s %u55c --dataflow-plan-ports | FileCheck %s --check-prefix=OWN
// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase | streamtensor-sim --json | FileCheck %s --check-prefix=CYCLES

// Of six masters `x` takes four, and `y` cannot have four of its own: `y` goes out through those that `x` comes
// in through.
// RUN: sed 's/"masters": 32/"masters": 6/' %devices/u55c.json >%t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-size-phase -o %t.shared.mlir
// RUN: FileCheck %s --check-prefix=SHARED <%t.shared.mlir
// RUN: streamtensor-sim --json <%t.shared.mlir | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-run %s --output-dir=%t.values
// RUN: streamtensor-run --pipelined %t.shared.mlir --input=%t.values/arg0.npy --compare=%t.values/result0.npy

// OWN-COUNT-4: dataflow.interface "gmem_y_s{{[0-3]}}"
// OWN: dataflow.port out "y" via %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : <64x64xf32>
// OWN: dataflow.leaf "y_store" store [64]
// OWN: dataflow.store {{.*}} affine_map<(d0) -> (d0, 0)> {words = #dataflow.words<count = 1, lanes = 16
// OWN: %[[Y:.*]] = dataflow.launch @copy
// OWN: tensor.collapse_shape %[[Y]]

// SHARED-NOT: gmem_y
// SHARED: dataflow.port in "x" via %[[A:[^,]*]], %[[B:[^,]*]], %[[C:[^,]*]], %[[D:[^,]*]] :
// SHARED: dataflow.port out "y" via %[[A]], %[[B]], %[[C]], %[[D]] :

// The last of 64 iterations of the load begins at cycle 65. 77 cycles later it writes a FIFO of two slots, a cycle later
// the row is taken, a cycle later stored, and 7 after that it is there. One master would take 3 x 64 cycles more.
// CYCLES: "cycles": 151,
dataflow.design @copy {
  %x = dataflow.port in "x" : !dataflow.port<256x16xf32>
  %y = dataflow.port out "y" : !dataflow.port<256x16xf32>
  %rows = dataflow.stream "rows" : !dataflow.stream<vector<64xf32>>
  dataflow.leaf "x_load" load [64] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0 * 4, 0)> : !dataflow.port<256x16xf32> -> vector<4x16xf32>
    %w = vector.shape_cast %v : vector<4x16xf32> to vector<64xf32>
    dataflow.stream_write %w, %rows : vector<64xf32>, !dataflow.stream<vector<64xf32>>
  }
  dataflow.leaf "y_store" store [64] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %rows : !dataflow.stream<vector<64xf32>> -> vector<64xf32>
    %w = vector.shape_cast %v : vector<64xf32> to vector<4x16xf32>
    dataflow.store %w, %y affine_map<(d0) -> (d0 * 4, 0)> : vector<4x16xf32>, !dataflow.port<256x16xf32>
  }
}
func.func @main(%x: tensor<256x16xf32>) -> tensor<256x16xf32> {
  %y = dataflow.launch @copy(%x) : (tensor<256x16xf32>) -> tensor<256x16xf32>
  return %y : tensor<256x16xf32>
}
