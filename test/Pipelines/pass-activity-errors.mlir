// RUN: not streamtensor-opt %s --pass-activity=%t/none/activity.json --cse 2>&1 | FileCheck %s
// CHECK: error: cannot open output file '{{.*}}/none/activity.json'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
