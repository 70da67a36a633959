// A card whose DSPs make not one multiply-add of floats: the design has one lane all the same, and says what it takes.
// RUN: sed 's/"dsp": 9024/"dsp": 3/; s/"dsp": 2[678][0-9][0-9]/"dsp": 1/' %devices/u55c.json > %t.json
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%t.json stop-after=decide" | FileCheck %s
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%t.json refuse-unfit" 2>&1 | FileCheck %s --check-prefix=UNFIT

// CHECK: unroll = [1, 1, 1]
// UNFIT: error: [size.unfit] the design takes more than the device has on chip, even without the memory of FIFOs; dsp 5 of 2
func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}
