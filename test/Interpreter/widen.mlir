// RUN: rm -rf %t && split-file --leading-lines %s %t
// RUN: streamtensor-run %t/sums.mlir | FileCheck %s --check-prefix=NARROW
// RUN: streamtensor-run %t/sums.mlir --widen | FileCheck %s --check-prefix=WIDE
// RUN: not streamtensor-run %t/bits.mlir --widen 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not streamtensor-run %t/kernel.mlir --widen 2>&1 | FileCheck %s --check-prefix=LEVEL

// Constants of every form, bodies, and casts to f64 and back become f64; f16 still rounds.

//--- sums.mlir
// NARROW: result0 tensor<3xf32> [1, 1, inf]
// NARROW: result1 tensor<2xf32> [0, 0]
// NARROW: result2 tensor<2xf32> [1, 1]
// WIDE: result0 tensor<3xf64> [1.0000000099999999, 1.0000000099999999, inf]
// WIDE: result1 tensor<2xf64> [9.9999999392252903e-09, 9.9999999392252903e-09]
// WIDE: result2 tensor<2xf64> [1, 1]
#same = affine_map<(d0) -> (d0)>
func.func @main() -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) {
  %ones = arith.constant dense<[1.0, 1.0, 0x7F800000]> : tensor<3xf32>
  %tiny = arith.constant 1.0e-8 : f32
  %a = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%ones : tensor<3xf32>) {
  ^bb0(%x: f32):
    %s = arith.addf %x, %tiny : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %raw = arith.constant dense_resource<raw> : tensor<2xf32>
  %b = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%raw : tensor<2xf32>) {
  ^bb0(%x: f32):
    %s = arith.addf %x, %tiny : f32
    %d = arith.extf %s : f32 to f64
    %one = arith.constant 1.0 : f64
    %e = arith.subf %d, %one : f64
    %r = arith.truncf %e : f64 to f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %splat = arith.constant dense<1.0> : tensor<2xf32>
  %c = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%splat : tensor<2xf32>) {
  ^bb0(%x: f32):
    %s = arith.addf %x, %tiny : f32
    %h = arith.truncf %s : f32 to f16
    %r = arith.extf %h : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  return %a, %b, %c : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>
}
{-# dialect_resources: { builtin: { raw: "0x040000000000803F0000803F" } } #-}

//--- bits.mlir
// BITS: bits.mlir:[[#@LINE+5]]:{{.*}} error: 'arith.bitcast' op operand type 'f64' and result type 'i32' are cast incompatible
func.func @main(%a: tensor<2xf32>, %o: tensor<2xi32>) -> tensor<2xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%o : tensor<2xi32>) {
  ^bb0(%x: f32, %y: i32):
    %b = arith.bitcast %x : f32 to i32
    linalg.yield %b : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

//--- kernel.mlir
// LEVEL: error: is no program of Linalg, which alone can be widened
!pairs = !itensor.itensor<2xf32, iter_space: [2] * [2], iter_map: (d0) -> (d0)>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = dataflow.kernel "all" (%a) : (tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%d: tensor<4xf32>):
    %s = itensor.from_tensor %d : tensor<4xf32> -> !pairs
    %t = itensor.to_tensor %s : !pairs -> tensor<4xf32>
    dataflow.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
