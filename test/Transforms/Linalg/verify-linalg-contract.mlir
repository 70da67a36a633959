// RUN: not streamtensor-opt %s --streamtensor-verify-linalg 2>&1 | FileCheck %s

// The message names the PyTorch module that the location carries.

// CHECK: error: 'linalg.softmax' of PyTorch module 'model.layers.3.attn' has no streaming form
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc(#attn)
  return %r : tensor<4x8xf32>
}
#file = loc("modeling.py":10:2)
#attn = loc("model.layers.3.attn"(#file))
