// RUN: streamtensor-opt %s --streamtensor-ensure-single-use --verify-roundtrip | FileCheck %s

!rows = !itensor.itensor<4x8xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>

// Readers get the results of a fork in the order in which they stand; the chain of
// views behind a fork forks again; what nobody reads goes, with what led to it.
// CHECK-LABEL: func.func @fan_out
// CHECK: %[[s:[a-z0-9_]+]] = itensor.from_tensor
// CHECK-NEXT: %[[f:[a-z0-9_]+]]:3 = itensor.fork %[[s]]
// CHECK-NOT: itensor.from_tensor
// CHECK: itensor.to_tensor %[[f]]#0
// CHECK: %[[d:[a-z0-9_]+]] = itensor.instance
// CHECK: %[[t:[a-z0-9_]+]] = dataflow.task
// CHECK: itensor.read %[[f]]#1
// CHECK: itensor.read %[[f]]#2
// CHECK: %[[g:[a-z0-9_]+]]:2 = itensor.fork %[[t]]
// CHECK: itensor.to_tensor %[[g]]#0
// CHECK: itensor.to_tensor %[[g]]#1
func.func @fan_out(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %k:3 = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%a: tensor<8x8xf32>):
    %s = itensor.from_tensor %a : tensor<8x8xf32> -> !rows
    %dead = itensor.from_tensor %a : tensor<8x8xf32> -> !rows
    %deader = itensor.converter %dead : !rows to !rows
    %y = itensor.to_tensor %s : !rows -> tensor<8x8xf32>
    %d = itensor.instance : !rows
    %t = dataflow.task "double" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%o = %out) -> !rows {
        %l = itensor.read %s[%i] : !rows -> tensor<4x8xf32>
        %m = itensor.read %s[%i] : !rows -> tensor<4x8xf32>
        %sum = arith.addf %l, %m : tensor<4x8xf32>
        %w = itensor.write %sum into %o[%i] : tensor<4x8xf32>, !rows
        scf.yield %w : !rows
      }
      dataflow.yield %r : !rows
    }
    %z = itensor.to_tensor %t : !rows -> tensor<8x8xf32>
    %u = itensor.to_tensor %t : !rows -> tensor<8x8xf32>
    dataflow.yield %y, %z, %u : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @single
// CHECK-NOT: itensor.fork
// CHECK: return
func.func @single(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %s = itensor.from_tensor %a : tensor<8x8xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}
