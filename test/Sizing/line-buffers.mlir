// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=1" | FileCheck %s

// Every other line and column of a padded tensor, out of a ring of lines. A stage takes in two lines of 13 elements (the
// last column is never read) and gives seven elements: 26 iterations. Eight more lie between the last element read of a
// line and the first that takes its place, so that the memory may write earlier in the pipeline than it reads; the
// interval stays 1.

// CHECK: dataflow.leaf "{{.*}}_lines" convert_out [5, 34]
// CHECK-SAME: ii = 1 : i64
func.func @main(%x: tensor<1x4x12x1xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<1x4x7x1xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 2, 1, 0] high[0, 2, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x12x1xf32> to tensor<1x8x14x1xf32>
  %e = tensor.empty() : tensor<1x4x7x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x1xf32>) -> tensor<1x4x7x1xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>}
         ins(%p, %w : tensor<1x8x14x1xf32>, tensor<1x1x1x1xf32>) outs(%f : tensor<1x4x7x1xf32>) -> tensor<1x4x7x1xf32>
  return %y : tensor<1x4x7x1xf32>
}
