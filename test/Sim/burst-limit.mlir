// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=16 unroll=1" >%t
// RUN: streamtensor-sim %t --device %devices/u55c.json | FileCheck %s
// RUN: streamtensor-test-sim %t --device %devices/u55c.json | FileCheck %s

// 8 KiB in words of 64 bytes: the 65th word starts a second burst of 4 KiB. It could follow 64 + 5 cycles after
// the first; but the channel gives 13,280 MB/s, 53.12 bytes in a cycle, and so a burst every 77.1.
//
//   load   enters at 2 and has the channel until 79.1: the 65th word issues at 79, the 128th at 142; + 77: 219
//   op     reads at 220; a token is registered (1), the sign costs nothing: written at 221
//   store  reads at 222; its own second burst is hidden by the gap before the word that it is
//          for; 1 + 7 cycles: over at 230
// CHECK: {{(^|: )}}230 cycles

func.func @main(%x: tensor<2048xf32>) -> tensor<2048xf32> {
  %e = tensor.empty() : tensor<2048xf32>
  %y = linalg.map { math.absf } ins(%x : tensor<2048xf32>) outs(%e : tensor<2048xf32>)
  return %y : tensor<2048xf32>
}
