// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=16 unroll=1" >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// 8 KiB in words of 64 bytes: the 65th word starts a second burst of 4 KiB.
//
//   load   enters at 2; 127 iterations follow, one of them five cycles late: 134; + 77: 211
//   op     reads at 212; a token is registered (1), the sign costs nothing: written at 213
//   store  reads at 214; its own second burst is hidden by the gap before the word that it is
//          for; 1 + 7 cycles: over at 222
// CHECK: {{(^|: )}}222 cycles

func.func @main(%x: tensor<2048xf32>) -> tensor<2048xf32> {
  %e = tensor.empty() : tensor<2048xf32>
  %y = linalg.map { math.absf } ins(%x : tensor<2048xf32>) outs(%e : tensor<2048xf32>)
  return %y : tensor<2048xf32>
}
