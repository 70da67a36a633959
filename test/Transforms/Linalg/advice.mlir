// RUN: streamtensor-opt %s --device=%devices/u55c.json --streamtensor-pipeline | FileCheck %s
// RUN: grep -v '"tanh_f32"' %devices/u55c.json > %t.json
// RUN: not streamtensor-opt %s --device=%t.json --streamtensor-pipeline 2>&1 | FileCheck %s --check-prefix=OPERATOR

// What the errors of verify-linalg-contract-errors.mlir and import-module-errors.mlir advise.

// CHECK: dataflow.design
func.func @main(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>, %scalar: tensor<f32>, %row: tensor<8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // An insertion: slices, joined.
  %above = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  %below = tensor.extract_slice %x[3, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  %inserted = tensor.concat dim(0) %above, %y, %below : (tensor<1x8xf32>, tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  // A scalar, and an element of a tensor: inputs of rank 0.
  %one = tensor.extract_slice %row[2] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %element = tensor.collapse_shape %one [] : tensor<1xf32> into tensor<f32>
  %e = tensor.empty() : tensor<4x8xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>,
                                             affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>],
                            iterator_types = ["parallel", "parallel"]}
      ins(%x, %scalar, %element : tensor<4x8xf32>, tensor<f32>, tensor<f32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %o: f32):
    %p = arith.mulf %a, %s : f32
    %q = arith.addf %p, %t : f32
    // The operator that the error names, put back, is the one that is missing: see the first run.
    // OPERATOR: error: 'math.tanh' op [device.operator] needs 'tanh_f32', which the library of device 'u55c' lacks: add it to 'operators' of the device file
    %r = math.tanh %q : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %inserted, %scaled : tensor<4x8xf32>, tensor<4x8xf32>
}
