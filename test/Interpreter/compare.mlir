// What somebody else computed is compared with the last module, up to rounding.
// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-run %s --seed=1 --output-dir=%t
// RUN: streamtensor-run %s --input=%t/arg0.npy --compare=%t/result0.npy --compare=%t/result1.npy
// RUN: not streamtensor-run %s --input=%t/arg0.npy --compare=%t/result0.npy --compare=%t/arg0.npy 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not streamtensor-run %s --input=%t/arg0.npy --compare=%t/result0.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not streamtensor-run %s --input=%t/arg0.npy --compare=%t/result0.npy --compare=%t/none.npy 2>&1 | FileCheck %s --check-prefix=FILE

// VALUE: error: element [{{[0-3]}}] of result 1 is {{.*}} instead of
// COUNT: error: the program gives 2 results, 1 are given with --compare
// FILE: error: {{.*}}none.npy
func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %y = arith.addi %x, %x : tensor<4xi32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %z = arith.addi %x, %one : tensor<4xi32>
  return %y, %z : tensor<4xi32>, tensor<4xi32>
}
