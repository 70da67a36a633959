// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/sums.cpp

// C++ adds what is narrower than an int as ints. Where the sum is a byte or a half of 32 bits it is converted back at
// once, or what uses it would see more bits than it has: 100 + 100 is -56 in a byte. Sums of 32 and 64 bits are as wide
// as they should be.
// CHECK: std::int64_t(std::int8_t(a_word + a_word))
// CHECK: std::int64_t(std::int16_t(b_word + b_word))
// CHECK: std::int64_t(c_word + c_word)
// CHECK: (d_word + d_word) * d_word
dataflow.design @sums {
  %a = dataflow.port in "a" : !dataflow.port<8xi8>
  %b = dataflow.port in "b" : !dataflow.port<8xi16>
  %c = dataflow.port in "c" : !dataflow.port<8xi32>
  %d = dataflow.port in "d" : !dataflow.port<8xi64>
  %w = dataflow.port out "w" : !dataflow.port<8xi64>
  %x = dataflow.port out "x" : !dataflow.port<8xi64>
  %y = dataflow.port out "y" : !dataflow.port<8xi64>
  %z = dataflow.port out "z" : !dataflow.port<8xi64>
  dataflow.leaf "sum" compute [8] {
  ^bb0(%i: index):
    %p = dataflow.load %a affine_map<(d0) -> (d0)> : !dataflow.port<8xi8> -> i8
    %q = dataflow.load %b affine_map<(d0) -> (d0)> : !dataflow.port<8xi16> -> i16
    %r = dataflow.load %c affine_map<(d0) -> (d0)> : !dataflow.port<8xi32> -> i32
    %s = dataflow.load %d affine_map<(d0) -> (d0)> : !dataflow.port<8xi64> -> i64
    %p1 = arith.addi %p, %p : i8
    %p2 = arith.extsi %p1 : i8 to i64
    dataflow.store %p2, %w affine_map<(d0) -> (d0)> : i64, !dataflow.port<8xi64>
    %q1 = arith.addi %q, %q : i16
    %q2 = arith.extsi %q1 : i16 to i64
    dataflow.store %q2, %x affine_map<(d0) -> (d0)> : i64, !dataflow.port<8xi64>
    %r1 = arith.addi %r, %r : i32
    %r2 = arith.extsi %r1 : i32 to i64
    dataflow.store %r2, %y affine_map<(d0) -> (d0)> : i64, !dataflow.port<8xi64>
    %s1 = arith.addi %s, %s : i64
    %s2 = arith.muli %s1, %s : i64
    dataflow.store %s2, %z affine_map<(d0) -> (d0)> : i64, !dataflow.port<8xi64>
  }
}
