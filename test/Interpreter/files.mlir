// RUN: rm -rf %t && mkdir %t && streamtensor-run %s --seed=3 --output-dir=%t | grep result > %t/random
// RUN: streamtensor-run %s --input=%t/arg0.npy --input=%t/arg1.npy --input=%t/arg2.npy --input=%t/arg3.npy | grep result > %t/given
// RUN: diff %t/random %t/given && FileCheck %s < %t/given
// RUN: streamtensor-run %s --seed=3 --json | FileCheck %s --check-prefix=JSON
// RUN: not streamtensor-run %s --input=%t/arg1.npy --input=%t/arg1.npy --input=%t/arg1.npy --input=%t/arg1.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not streamtensor-run %s --input=%t/result2.npy --input=%t/arg1.npy --input=%t/arg2.npy --input=%t/arg3.npy 2>&1 | FileCheck %s --check-prefix=SHAPE

// What is written is read back, in every width; a scalar is a tensor of rank 0.

// CHECK: result0 tensor<2x3xbf16> [{{(-?0.[0-9]+, )+}}
// CHECK: result1 tensor<3xi1>
// CHECK: result2 tensor<f32>
// CHECK: result3 tensor<5xi4> [{{(-?[0-8], )+-?[0-8]}}]
// JSON: "level": "linalg"
// JSON: "digest": "[[#%X,]]"
// JSON-NEXT: "type": "tensor<2x3xbf16>"
// JSON: "seed": 3
// TYPE: arg1.npy: holds elements of type '|b1', the program takes '<u2'
// SHAPE: result2.npy: holds elements of type '<f4', the program takes '<u2'
func.func @main(%a: tensor<2x3xbf16>, %b: tensor<3xi1>, %c: f32, %d: tensor<5xi4>)
    -> (tensor<2x3xbf16>, tensor<3xi1>, f32, tensor<5xi4>) {
  return %a, %b, %c, %d : tensor<2x3xbf16>, tensor<3xi1>, f32, tensor<5xi4>
}
