// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// An interval above one, and what it hides. Rows of 32 floats out of rows of 64 are two words an
// iteration and a burst each; a column that is summed in one register asks for a word every
// nine cycles, and its bursts start between them.
//
//   rows     interval 2 = two words, so nothing hides the gap: 7 iterations x (2 + 5) after the
//            first at 2: the last issues at 51; its second word arrives 77 + 1 later: 129
//   column   interval 9 = 6 (sum) + 1 (write of a register) + 2 (slack); gap 5 < 9 - 1. The last of 8
//            issues at 2 + 7 x 9 = 65; the value arrives at 142, the sum is written at 148
//   gather   reads the row's token at 130; needs the sum in its last iteration: read at 149,
//            registered (1), the row stored as two words (1 + 7) of the master that is stated: over at 158
// CHECK: {{(^|: )}}158 cycles

dataflow.design @interval {
  %g = dataflow.interface "g" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %in = dataflow.port in "x" : !dataflow.port<8x64xf32>
  %weights = dataflow.port in "w" : !dataflow.port<8x64xf32>
  %out = dataflow.port out "y" via %g : !dataflow.port<8x32xf32>
  %last = dataflow.port out "z" : !dataflow.port<1xf32>
  %rows = dataflow.stream "rows" : !dataflow.stream<vector<32xf32>, 2>
  %sum = dataflow.stream "sum" : !dataflow.stream<f32, 2>
  dataflow.leaf "rows" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %in affine_map<(d0) -> (d0, 0)> : !dataflow.port<8x64xf32> -> vector<1x32xf32>
    %w = vector.shape_cast %v : vector<1x32xf32> to vector<32xf32>
    dataflow.stream_write %w, %rows : vector<32xf32>, !dataflow.stream<vector<32xf32>, 2>
  }
  dataflow.leaf "column" compute [8] {
  ^bb0(%i: index, %acc: !dataflow.private<1xf32>):
    %zero = arith.constant 0.0 : f32
    %v = dataflow.load %weights affine_map<(d0) -> (d0, 0)> : !dataflow.port<8x64xf32> -> f32
    %before = dataflow.load %acc affine_map<(d0) -> (0)> : !dataflow.private<1xf32> -> f32
    %first = dataflow.test affine_set<(d0) : (d0 == 0)>
    %old = arith.select %first, %zero, %before : f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(d0) -> (0)> : f32, !dataflow.private<1xf32>
    dataflow.stream_write %new, %sum when affine_set<(d0) : (d0 - 7 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "gather" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %rows : !dataflow.stream<vector<32xf32>, 2> -> vector<32xf32>
    %w = vector.shape_cast %v : vector<32xf32> to vector<1x32xf32>
    dataflow.store %w, %out affine_map<(d0) -> (d0, 0)> : vector<1x32xf32>, !dataflow.port<8x32xf32>
    %s = dataflow.stream_read %sum when affine_set<(d0) : (d0 - 7 == 0)> : !dataflow.stream<f32, 2> -> f32
    dataflow.store %s, %last affine_map<(d0) -> (0)> when affine_set<(d0) : (d0 - 7 == 0)> : f32, !dataflow.port<1xf32>
  }
}
