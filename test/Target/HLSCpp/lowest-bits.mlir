// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/bits.cpp

// A number cut to one bit is its lowest bit: a comparison with zero, which stands in parentheses where it is an
// operand. The sum of two bits is whether they differ.
// CHECK: ((x_word & 1) != 0) != ((z_word & 1) != 0)

dataflow.design @bits {
  %x = dataflow.port in "x" : !dataflow.port<8xi32>
  %z = dataflow.port in "z" : !dataflow.port<8xi32>
  %y = dataflow.port out "y" : !dataflow.port<8xi1>
  dataflow.leaf "sum" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<8xi32> -> i32
    %u = dataflow.load %z affine_map<(d0) -> (d0)> : !dataflow.port<8xi32> -> i32
    %a = arith.trunci %v : i32 to i1
    %b = arith.trunci %u : i32 to i1
    %s = arith.addi %a, %b : i1
    dataflow.store %s, %y affine_map<(d0) -> (d0)> : i1, !dataflow.port<8xi1>
  }
}
