// RUN: streamtensor-run %s --elements=8 | FileCheck %s

// Each operation rounds to its own type, and integers wrap to their width.
func.func @main() -> (tensor<4xf32>, tensor<2xf16>, tensor<2xbf16>, tensor<6xi8>, tensor<4xi32>,
                      tensor<8xi1>, tensor<4xi64>, tensor<3xf64>) {
  // CHECK: result0 tensor<4xf32> [16777216, -0, nan, 1.5]
  %big = arith.constant 16777216.0 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %negative = arith.negf %zero : f32
  %nan = arith.divf %zero, %zero : f32
  %sum = arith.addf %big, %one : f32
  %smallest = arith.minimumf %zero, %negative : f32
  %largest = arith.maximumf %one, %nan : f32
  %c1p5 = arith.constant 1.5 : f32
  %number = arith.maxnumf %nan, %c1p5 : f32
  %r0 = tensor.from_elements %sum, %smallest, %largest, %number : tensor<4xf32>

  // 2048 + 1 is no f16; 1 + 2^-8 is no bf16; ties go to even.
  // CHECK: result1 tensor<2xf16> [2048, 2052]
  %h2048 = arith.constant 2048.0 : f16
  %h2050 = arith.constant 2050.0 : f16
  %h1 = arith.constant 1.0 : f16
  %h0 = arith.addf %h2048, %h1 : f16
  %h3 = arith.addf %h2050, %h1 : f16
  %r1 = tensor.from_elements %h0, %h3 : tensor<2xf16>
  // CHECK: result2 tensor<2xbf16> [1, 2.71875]
  %b1 = arith.constant 1.0 : bf16
  %btiny = arith.constant 0.00390625 : bf16
  %b0 = arith.addf %b1, %btiny : bf16
  %be = math.exp %b1 : bf16
  %r2 = tensor.from_elements %b0, %be : tensor<2xbf16>

  // CHECK: result3 tensor<6xi8> [-128, -1, 127, -2, -4, 3]
  %i127 = arith.constant 127 : i8
  %i1 = arith.constant 1 : i8
  %im7 = arith.constant -7 : i8
  %i2 = arith.constant 2 : i8
  %w0 = arith.addi %i127, %i1 : i8
  %w1 = arith.remsi %im7, %i2 : i8
  %w2 = arith.shrui %w1, %i1 : i8
  %w3 = arith.muli %i127, %i2 : i8
  %w4 = arith.floordivsi %im7, %i2 : i8
  %w5 = arith.andi %im7, %i127 : i8
  %w6 = arith.remui %w5, %i2 : i8
  %w7 = arith.addi %w6, %i2 : i8
  %r3 = tensor.from_elements %w0, %w1, %w2, %w3, %w4, %w7 : tensor<6xi8>

  // CHECK: result4 tensor<4xi32> [-3, 249, 2, -2147483648]
  %f = arith.constant -3.75 : f32
  %q0 = arith.fptosi %f : f32 to i32
  %q1 = arith.extui %im7 : i8 to i32
  %half = arith.constant 2.5 : f32
  %even = math.roundeven %half : f32
  %q2 = arith.fptosi %even : f32 to i32
  %huge = arith.constant 1.0e+20 : f32
  %q3 = arith.fptosi %huge : f32 to i32
  %r4 = tensor.from_elements %q0, %q1, %q2, %q3 : tensor<4xi32>

  // CHECK: result5 tensor<8xi1> [1, 0, 0, 1, 1, 0, 1, 1]
  %t0 = arith.cmpi slt, %im7, %i1 : i8
  %t1 = arith.cmpi ult, %im7, %i1 : i8
  %t2 = arith.cmpf oeq, %nan, %nan : f32
  %t3 = arith.cmpf une, %nan, %nan : f32
  %t4 = arith.cmpf oeq, %zero, %negative : f32
  %t5 = arith.cmpf ogt, %zero, %negative : f32
  %t6 = arith.xori %t0, %t1 : i1
  %t7 = arith.maxui %t0, %t1 : i1
  %r5 = tensor.from_elements %t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7 : tensor<8xi1>

  // i1 as a signed number is 0 or -1, as an unsigned one 0 or 1.
  // CHECK: result6 tensor<4xi64> [-1, 1, -1, 7]
  %e0 = arith.extsi %t0 : i1 to i64
  %e1 = arith.extui %t0 : i1 to i64
  %f1 = arith.sitofp %t0 : i1 to f32
  %e2 = arith.fptosi %f1 : f32 to i64
  %index = arith.constant 7 : index
  %e3 = arith.index_cast %index : index to i64
  %r6 = tensor.from_elements %e0, %e1, %e2, %e3 : tensor<4xi64>

  // CHECK: result7 tensor<3xf64> [0.33333333333333331, 0.3333333432674408, 1024]
  %d1 = arith.constant 1.0 : f64
  %d3 = arith.constant 3.0 : f64
  %third = arith.divf %d1, %d3 : f64
  %short = arith.truncf %third : f64 to f32
  %long = arith.extf %short : f32 to f64
  %two = arith.constant 2.0 : f64
  %ten = arith.constant 10 : i32
  %power = math.fpowi %two, %ten : f64, i32
  %r7 = tensor.from_elements %third, %long, %power : tensor<3xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<4xf32>, tensor<2xf16>, tensor<2xbf16>,
      tensor<6xi8>, tensor<4xi32>, tensor<8xi1>, tensor<4xi64>, tensor<3xf64>
}
