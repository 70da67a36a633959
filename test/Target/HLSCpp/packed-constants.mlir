// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase -mlir-print-debuginfo | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/interface.json
// RUN: od -An -v -t d1 -w4 %t/params/constant0.bin | FileCheck %s --check-prefix=BYTES
// RUN: FileCheck %s --input-file=%t/host/program.h --check-prefix=PROGRAM

// A constant is packed when the code is emitted: the file holds words of 4 with 3 elements each, column by column of
// vectors, and no step is left for the host but to unpack the result.
// CHECK: "constants": [
// CHECK: "file": "params/constant0.bin"
// CHECK: "shape": [
// CHECK-NEXT: 2,
// CHECK-NEXT: 2,
// CHECK-NEXT: 4
// CHECK: "steps": [
// CHECK-NOT: "op": "pack"
// CHECK: "op": "unpack"
// BYTES: 0 1 2 0
// BYTES-NEXT: 6 7 8 0
// BYTES-NEXT: 3 4 5 0
// BYTES-NEXT: 9 10 11 0
// PROGRAM: {[[packed:[0-9]+]], "params/constant0.bin"},
// PROGRAM-NOT: st::Step::pack
// PROGRAM: {st::Step::launch, {[[packed]]}, {[[result:[0-9]+]]}, 0, {}},
// PROGRAM-NEXT: {st::Step::unpack, {[[result]]}, {{.*}}, -1, {}, {{[{][{]}}2, 2, 4}, {3, 6, 1}, 0, 3, 1}},

dataflow.design @copy {
  %in = dataflow.port in "in" : !dataflow.port<2x2x4xi8>
  %out = dataflow.port out "out" : !dataflow.port<2x2x4xi8>
  %f = dataflow.stream "f" : !dataflow.stream<vector<3xi8>, 2>
  dataflow.leaf "load" load [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %in affine_map<(d0, d1) -> (d0, d1, 0)> : !dataflow.port<2x2x4xi8> -> vector<1x1x3xi8>
    %t = vector.shape_cast %v : vector<1x1x3xi8> to vector<3xi8>
    dataflow.stream_write %t, %f : vector<3xi8>, !dataflow.stream<vector<3xi8>, 2>
  }
  dataflow.leaf "store" store [2, 2] {
  ^bb0(%i: index, %j: index):
    %t = dataflow.stream_read %f : !dataflow.stream<vector<3xi8>, 2> -> vector<3xi8>
    %v = vector.shape_cast %t : vector<3xi8> to vector<1x1x3xi8>
    dataflow.store %v, %out affine_map<(d0, d1) -> (d0, d1, 0)> : vector<1x1x3xi8>, !dataflow.port<2x2x4xi8>
  }
}

func.func @main() -> tensor<2x6xi8> {
  %c = arith.constant dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi8>
  %p = itensor.pack %c strides [3, 6, 1] offset 0 lanes 3 : tensor<2x6xi8> -> tensor<2x2x4xi8>
  %r = dataflow.launch @copy(%p) : (tensor<2x2x4xi8>) -> tensor<2x2x4xi8>
  %u = itensor.unpack %r strides [3, 6, 1] lanes 3 : tensor<2x2x4xi8> -> tensor<2x6xi8>
  return %u : tensor<2x6xi8>
}
