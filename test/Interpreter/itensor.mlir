// RUN: streamtensor-run %s --elements=16 | FileCheck %s

// Every operation on itensors, by the tensor that comes out.

!rows = !itensor.itensor<1x2xi32, iter_space: [2, 2] * [1, 2], iter_map: (d0, d1) -> (d0, d1)>
!columns = !itensor.itensor<2x1xi32, iter_space: [4] * [1], iter_map: (d0) -> (0, d0)>
!again = !itensor.itensor<2x1xi32, iter_space: [3, 4] * [1, 1], iter_map: (d0, d1) -> (0, d1)>
!split = !itensor.itensor<1x1x2xi32, iter_space: [2, 2] * [1, 1], iter_map: (d0, d1) -> (d0, d1, 0)>
!half = !itensor.itensor<1x1x2xi32, iter_space: [2] * [1], iter_map: (d0) -> (d0, 0, 0)>
!padded = !itensor.itensor<1x2xi32, iter_space: [2, 3] * [1, 2], iter_map: (d0, d1) -> (d0, d1)>
!upper = !itensor.itensor<1x1xi32, iter_space: [3, 4] * [1, 1], iter_map: (d0, d1) -> (d0, d1)>
!skips = !itensor.itensor<1x1xi32, iter_space: [2, 2] * [1, 2], iter_map: (d0, d1) -> (d0, d1), of: [2, 4]>
!taken = !itensor.itensor<1x1xi32, iter_space: [2, 2] * [1, 1], iter_map: (d0, d1) -> (d0, d1)>

func.func @main() -> (tensor<2x4xi32>, tensor<2x2x2xi32>, tensor<2x6xi32>, tensor<3x4xi32>,
                      tensor<2x2xi32>, tensor<4x2x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x3xi32>) {
  %data = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %r:5 = dataflow.kernel "all" (%data) : (tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<2x2x2xi32>, tensor<2x6xi32>, tensor<3x4xi32>, tensor<2x2xi32>) {
  ^bb0(%d: tensor<2x4xi32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %rows = itensor.from_tensor %d : tensor<2x4xi32> -> !rows
    %fork:3 = itensor.fork %rows : !rows -> !rows, !rows, !rows
    // CHECK: result0 tensor<2x4xi32> [1, 2, 3, 4, 5, 6, 7, 8]
    %columns = itensor.converter %fork#0 : !rows to !columns
    %t0 = itensor.to_tensor %columns : !columns -> tensor<2x4xi32>
    // The halves of each row change places.
    // CHECK: result1 tensor<2x2x2xi32> [3, 4, 1, 2, 7, 8, 5, 6]
    %split = itensor.reassociate %fork#1 [[0], [1, 2]] : !rows to !split
    %low, %high = itensor.chunk %split dim 1 : !split -> !half, !half
    %swapped = itensor.concat %high, %low dim 1 : !half, !half -> !split
    %t1 = itensor.to_tensor %swapped : !split -> tensor<2x2x2xi32>
    // CHECK: result2 tensor<2x6xi32> [-1, -1, 1, 2, 3, 4, -1, -1, 5, 6, 7, 8]
    %padded = itensor.pad %fork#2 low [0, 2] high [0, 0] value -1 : i32 : !rows to !padded
    %t2 = itensor.to_tensor %padded : !padded -> tensor<2x6xi32>
    // A revisit sends the columns three times; the task keeps the upper element of each.
    // CHECK: result3 tensor<3x4xi32> [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]
    %again = itensor.from_tensor %d : tensor<2x4xi32> -> !again
    %out = itensor.empty : !upper
    %t3 = dataflow.task "upper" outs(%out : !upper) -> !upper {
    ^bb0(%dest: !upper):
      %n = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %dest) -> !upper {
        %m = scf.for %j = %c0 to %c4 step %c1 iter_args(%y = %x) -> !upper {
          %column = itensor.read %again[%i, %j] : !again -> tensor<2x1xi32>
          %token = tensor.extract_slice %column[0, 0] [1, 1] [1, 1] : tensor<2x1xi32> to tensor<1x1xi32>
          %w = itensor.write %token into %y[%i, %j] : tensor<1x1xi32>, !upper
          scf.yield %w : !upper
        }
        scf.yield %m : !upper
      }
      dataflow.yield %n : !upper
    }
    %s3 = itensor.to_tensor %t3 : !upper -> tensor<3x4xi32>
    // A reader of every other column; its loop counts in other steps than the type.
    // CHECK: result4 tensor<2x2xi32> [1, 3, 5, 7]
    %skips = itensor.from_tensor %d : tensor<2x4xi32> -> !skips
    %taken = itensor.instance : !taken
    %t4 = dataflow.task "take" outs(%taken : !taken) -> !taken {
    ^bb0(%dest: !taken):
      %n = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %dest) -> !taken {
        %m = scf.for %j = %c0 to %c4 step %c2 iter_args(%y = %x) -> !taken {
          %token = itensor.read %skips[%i, %j] : !skips -> tensor<1x1xi32>
          %w = itensor.write %token into %y[%i, %j] : tensor<1x1xi32>, !taken
          scf.yield %w : !taken
        }
        scf.yield %m : !taken
      }
      dataflow.yield %n : !taken
    }
    %s4 = itensor.to_tensor %t4 : !taken -> tensor<2x2xi32>
    dataflow.yield %t0, %t1, %t2, %s3, %s4 : tensor<2x4xi32>, tensor<2x2x2xi32>, tensor<2x6xi32>, tensor<3x4xi32>, tensor<2x2xi32>
  }
  // Packed: the columns one after the other; and the rows again.
  // CHECK: result5 tensor<4x2x1xi32> [1, 5, 2, 6, 3, 7, 4, 8]
  // CHECK: result6 tensor<2x4xi32> [1, 2, 3, 4, 5, 6, 7, 8]
  %packed = itensor.pack %data strides [1, 4, 1] offset 0 : tensor<2x4xi32> -> tensor<4x2x1xi32>
  %unpacked = itensor.unpack %packed strides [1, 4, 1] : tensor<4x2x1xi32> -> tensor<2x4xi32>
  // In words: 3 elements, then padding, which no reader sees.
  // CHECK: result7 tensor<2x4xi32> [2, 3, 4, 0, 6, 7, 8, 0]
  // CHECK: result8 tensor<2x3xi32> [2, 3, 4, 6, 7, 8]
  %words = itensor.pack %data strides [4, 1] offset 1 lanes 3 : tensor<2x4xi32> -> tensor<2x4xi32>
  %last = itensor.unpack %words strides [3, 1] lanes 3 : tensor<2x4xi32> -> tensor<2x3xi32>
  return %r#0, %r#1, %r#2, %r#3, %r#4, %packed, %unpacked, %words, %last : tensor<2x4xi32>, tensor<2x2x2xi32>, tensor<2x6xi32>, tensor<3x4xi32>, tensor<2x2xi32>, tensor<4x2x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x3xi32>
}
