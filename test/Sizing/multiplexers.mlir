// RUN: streamtensor-opt %s %u55c --streamtensor-size-phase \
// RUN:   | streamtensor-sim --json | FileCheck %s

// Each leaf has 120 LUTs and 40 for each of its two loops. A product of floats, which both nests use, takes 78. A choice
// among n numbers of b bits takes n * b / 4.

// Both operands come from one of two FIFOs, and each nest writes the other of two: 2 * 32 / 4 once, as both operands are
// the same number, and nothing in front of the FIFOs.
// CHECK: "name": "operands",
// CHECK: "lut": 294,

// Nothing is chosen: the nests take tokens from one FIFO and write to one.
// CHECK: "name": "product",
// CHECK: "lut": 278,

// The second nest writes another number to the FIFO of the first.
// CHECK: "name": "written",
// CHECK: "lut": 294,

// Two bits of an AND fit in a LUT, and two choices between two: each nest has its own, 2 * 16, and the FIFO gets either
// result, 16.
// CHECK: "name": "logic",
// CHECK: "lut": 248,

dataflow.design @multiplexers {
  %x = dataflow.port in "x" : !dataflow.port<32xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xi32>
  %a = dataflow.stream "a" : !dataflow.stream<f32, 16>
  %b = dataflow.stream "b" : !dataflow.stream<f32, 16>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 16>
  %d = dataflow.stream "d" : !dataflow.stream<f32, 16>
  %e = dataflow.stream "e" : !dataflow.stream<f32, 32>
  %f = dataflow.stream "f" : !dataflow.stream<f32, 32>
  %g = dataflow.stream "g" : !dataflow.stream<f32, 32>
  %h = dataflow.stream "h" : !dataflow.stream<i32, 32>
  dataflow.leaf "load" load [16] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(d0) -> (d0)> : !dataflow.port<32xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 16>
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32, 16>
  }
  dataflow.leaf "operands" compute [] {
    dataflow.nest "first" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32, 16> -> f32
      %w = arith.mulf %v, %v : f32
      dataflow.stream_write %w, %c : f32, !dataflow.stream<f32, 16>
    }
    dataflow.nest "second" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %b : !dataflow.stream<f32, 16> -> f32
      %w = arith.mulf %v, %v : f32
      dataflow.stream_write %w, %d : f32, !dataflow.stream<f32, 16>
    }
  }
  dataflow.leaf "join" compute [] {
    dataflow.nest "first" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %c : !dataflow.stream<f32, 16> -> f32
      dataflow.stream_write %v, %e : f32, !dataflow.stream<f32, 32>
    }
    dataflow.nest "second" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %d : !dataflow.stream<f32, 16> -> f32
      dataflow.stream_write %v, %e : f32, !dataflow.stream<f32, 32>
    }
  }
  dataflow.leaf "product" compute [] {
    dataflow.nest "first" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %e : !dataflow.stream<f32, 32> -> f32
      %w = arith.mulf %v, %v : f32
      dataflow.stream_write %w, %f : f32, !dataflow.stream<f32, 32>
    }
    dataflow.nest "second" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %e : !dataflow.stream<f32, 32> -> f32
      %w = arith.mulf %v, %v : f32
      dataflow.stream_write %w, %f : f32, !dataflow.stream<f32, 32>
    }
  }
  dataflow.leaf "written" compute [] {
    dataflow.nest "first" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32, 32> -> f32
      %w = arith.mulf %v, %v : f32
      dataflow.stream_write %w, %g : f32, !dataflow.stream<f32, 32>
    }
    dataflow.nest "second" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %f : !dataflow.stream<f32, 32> -> f32
      %w = arith.mulf %v, %v : f32
      dataflow.stream_write %v, %g : f32, !dataflow.stream<f32, 32>
    }
  }
  dataflow.leaf "logic" compute [] {
    dataflow.nest "first" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %g : !dataflow.stream<f32, 32> -> f32
      %n = arith.bitcast %v : f32 to i32
      %mask = arith.constant 3 : i32
      %w = arith.andi %n, %mask : i32
      dataflow.stream_write %w, %h : i32, !dataflow.stream<i32, 32>
    }
    dataflow.nest "second" [16] {
    ^bb0(%i: index):
      %v = dataflow.stream_read %g : !dataflow.stream<f32, 32> -> f32
      %n = arith.index_cast %i : index to i32
      %mask = arith.constant 5 : i32
      %w = arith.andi %n, %mask : i32
      dataflow.stream_write %w, %h : i32, !dataflow.stream<i32, 32>
    }
  }
  dataflow.leaf "store" store [32] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %h : !dataflow.stream<i32, 32> -> i32
    dataflow.store %v, %y affine_map<(d0) -> (d0)> : i32, !dataflow.port<32xi32>
  }
}
