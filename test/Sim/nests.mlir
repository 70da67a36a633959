// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// RUN: streamtensor-sim %t | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// RUN: sed -e 's/compute .3./compute [3] attributes {together}/' -e 's/"drain" .4, 4./& lag 1/' -e 's/private<1x/private<2x/g' -e 's/(0, /(b mod 2, /' %s >%t.lag
// RUN: streamtensor-opt %t.lag %u55c --streamtensor-schedule-phase >%t.lag.s
// RUN: streamtensor-sim %t.lag.s | FileCheck %s --check-prefix=LAG
// RUN: streamtensor-test-sim %t.lag.s --device %devices/u55c.json | FileCheck %s --check-prefix=LAG

// RUN: sed -e 's/attributes {together}/attributes {serial = 1 : i64, together}/' %t.lag >%t.serial
// RUN: streamtensor-opt %t.serial %u55c --streamtensor-schedule-phase >%t.serial.s
// RUN: streamtensor-sim %t.serial.s | FileCheck %s --check-prefix=SERIAL
// RUN: streamtensor-test-sim %t.serial.s --device %devices/u55c.json | FileCheck %s --check-prefix=SERIAL

// Three tiles of 4 x 4 are transposed: a nest fills, then one drains. Each is a pipeline 2 deep.
//
//   load   enters at 2 and writes its first token at 2 + 77 = 79
//   swap   fills 80..95 and is through at 97, drains 97..112 until 114; the FIFO holds two tokens, and one is written
//          in the cycle after another is taken, so that no later fill waits: 114..129, 131..146, 148..163, 165..180
//   store  reads the last token, written at 181, at 182 and is over 1 + 7 cycles later
// CHECK: {{(^|: )}}190 cycles
//
// With lag, the drain of a tile runs beside the fill of the next: four steps of 16 iterations, 80..143, without a gap.
// The last token is written at 144, read at 145, and stored at 153.
// LAG: {{(^|: )}}153 cycles
//
// Where tiles run one after the other, each has a pipeline of two steps: 80..111, 113..144, 146..177. The last token is
// written at 178, read at 179, and stored at 187.
// SERIAL: {{(^|: )}}187 cycles

dataflow.design @transpose {
  %x = dataflow.port in "x" : !dataflow.port<48xf32>
  %y = dataflow.port out "y" : !dataflow.port<48xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32, 2>
  %c = dataflow.stream "c" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [48] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<48xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "swap" compute [3] {
  ^bb0(%b: index, %tile: !dataflow.private<1x4x4xf32>):
    dataflow.nest "fill" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.stream_read %a : !dataflow.stream<f32, 2> -> f32
      dataflow.store %v, %tile affine_map<(b, i, j) -> (0, i, j)> : f32, !dataflow.private<1x4x4xf32>
    }
    dataflow.nest "drain" [4, 4] {
    ^bb0(%i: index, %j: index):
      %v = dataflow.load %tile affine_map<(b, i, j) -> (0, j, i)> : !dataflow.private<1x4x4xf32> -> f32
      dataflow.stream_write %v, %c : f32, !dataflow.stream<f32, 2>
    }
  }
  dataflow.leaf "store" store [48] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %c : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<48xf32>
  }
}
