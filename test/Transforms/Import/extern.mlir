// RUN: streamtensor-opt %s --streamtensor-import | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-import=source-dir=%S | FileCheck %s --check-prefix=INPUTS
// RUN: not streamtensor-opt %s --streamtensor-import=source-dir=%t.nowhere 2>&1 | FileCheck %s --check-prefix=MISSING

// The header of a hand-written kernel is named by its full path from here on: beside the file that
// declares it, or in a directory that is given. A declaration that nothing uses goes.

// CHECK-NOT: @unused
// CHECK: dataflow.extern @copy source "{{.*}}Transforms/Import/Inputs/copy.h"
// INPUTS: dataflow.extern @copy source "{{.*}}Transforms/Import/Inputs/copy.h"
// MISSING: error: 'dataflow.extern' op [extern.source] there is no file '{{.*}}.nowhere/Inputs/copy.h' with the kernel @copy; a header is named by its full path or relative to the program's file

!line = !itensor.itensor<4xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0)>
dataflow.extern @copy source "Inputs/copy.h" nest [2] ii 1 delay 3
    takes ["x" : !line as !dataflow.stream<vector<4xf32>>]
    gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
dataflow.extern @unused source "missing.h" nest [2] ii 1 delay 3
    takes ["x" : !line as !dataflow.stream<vector<4xf32>>]
    gives ["y" : !line as !dataflow.stream<vector<4xf32>>] {
^bb0(%x: tensor<8xf32>):
  dataflow.yield %x : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = dataflow.extern_task @copy(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
