// RUN: streamtensor-run %s --elements=8 | FileCheck %s
// RUN: streamtensor-run %s --elements=8 --jit | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @main() -> (tensor<2x2xf32>, tensor<3xf32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2xf32>,
                      tensor<1x2x1xf32>) {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]> : tensor<3x2xf32>
  // A named operation adds to its init.
  // CHECK: result0 tensor<2x2xf32> [107, 108, 116, 117]
  %hundred = arith.constant dense<100.0> : tensor<2x2xf32>
  %r0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%hundred : tensor<2x2xf32>)
      -> tensor<2x2xf32>

  // Gather: elements at computed positions.
  // CHECK: result1 tensor<3xf32> [6, 1, 4]
  %rows = arith.constant dense<[1, 0, 1]> : tensor<3xi64>
  %columns = arith.constant dense<[2, 0, 0]> : tensor<3xi64>
  %e1 = tensor.empty() : tensor<3xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%rows, %columns : tensor<3xi64>, tensor<3xi64>) outs(%e1 : tensor<3xf32>) {
  ^bb0(%row: i64, %column: i64, %out: f32):
    %i = arith.index_cast %row : i64 to index
    %j = arith.index_cast %column : i64 to index
    %x = tensor.extract %a[%i, %j] : tensor<2x3xf32>
    linalg.yield %x : f32
  } -> tensor<3xf32>

  // Two results; the position of the largest element of each row.
  // CHECK: result2 tensor<2xi32> [2, 2]
  %low = arith.constant dense<0xFF800000> : tensor<2xf32>
  %none = arith.constant dense<-1> : tensor<2xi32>
  %max:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x3xf32>) outs(%low, %none : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%x: f32, %best: f32, %place: i32):
    %index = linalg.index 1 : index
    %here = arith.index_cast %index : index to i32
    %wins = arith.cmpf ogt, %x, %best : f32
    %value = arith.select %wins, %x, %best : f32
    %at = arith.select %wins, %here, %place : i32
    linalg.yield %value, %at : f32, i32
  } -> (tensor<2xf32>, tensor<2xi32>)

  // A transposed read.
  // CHECK: result3 tensor<2x2xi32> [1, 3, 2, 4]
  %square = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %e3 = tensor.empty() : tensor<2x2xi32>
  %r3 = linalg.transpose ins(%square : tensor<2x2xi32>) outs(%e3 : tensor<2x2xi32>) permutation = [1, 0]

  // CHECK: result4 tensor<2xf32> [3, 6]

  // A window with a stride: sums of dimensions in a map.
  // CHECK: result5 tensor<1x2x1xf32> [4, 8]
  %signal = arith.constant dense<[[[1.0], [3.0], [2.0], [6.0]]]> : tensor<1x4x1xf32>
  %window = tensor.empty() : tensor<2xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x2x1xf32>
  %r5 = linalg.pooling_nwc_sum {strides = dense<2> : vector<1xi64>, dilations = dense<1> : vector<1xi64>}
      ins(%signal, %window : tensor<1x4x1xf32>, tensor<2xf32>) outs(%zeros : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return %r0, %r1, %max#1, %r3, %max#0, %r5 : tensor<2x2xf32>, tensor<3xf32>, tensor<2xi32>,
      tensor<2x2xi32>, tensor<2xf32>, tensor<1x2x1xf32>
}
