// A softmax is the reductions and elementwise operations that it stands for.

// RUN: streamtensor-run %s --elements=8 | FileCheck %s
// RUN: streamtensor-opt %s --validate --validate-dir=%t --streamtensor-pipeline="device=%devices/u55c.json tile-size=2 unroll=4" -o /dev/null

// CHECK: result0 tensor<2x2xf32> [0.5, 0.5, 0.119202919, 0.880797029]
// CHECK: result1 tensor<2x2xf32> [0.594065368, 0.405934691, 0.405934691, 0.594065309]
func.func @main() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %x = arith.constant dense<[[1.5, 1.5], [0.0, 2.0]]> : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x2xf32>
  %rows = linalg.softmax dimension(1) ins(%x : tensor<2x2xf32>) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %columns = linalg.softmax dimension(0) ins(%rows : tensor<2x2xf32>) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %rows, %columns : tensor<2x2xf32>, tensor<2x2xf32>
}
