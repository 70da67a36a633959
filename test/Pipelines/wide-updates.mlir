// A task of 256 lanes uses the 16 rows of a tile in an iteration, and the launch puts a new row into the tensor that it
// reads. The 16 words come over a master each; a word of the new row goes to that of its position.
// RUN: streamtensor-opt %s --streamtensor-pipeline="unroll=512 decision=rules stop-after=size" --device=%devices/u55c.json --validate | FileCheck %s

// CHECK: dataflow.port inout "a" via %gmem_a_s0, {{.*}}%gmem_a_s15 : <4x4x1x256xf32>
// CHECK: dataflow.leaf "a_load" load [4, 4] {{.*}}ii = 1 : i64}
// CHECK: dataflow.load {{.*}}words = #dataflow.words<count = 1, lanes = 16, {{.*}} -> vector<1x1x1x256xf32>
// CHECK: dataflow.store %{{.*}}, %a {{.*}}words = #dataflow.words<count = 1, lanes = 16, {{.*}} : vector<1x1x1x16xf32>, !dataflow.port<4x4x1x256xf32>
func.func @main(%x: tensor<64xf32> {streamtensor.name = "x"}, %a: tensor<64x64xf32> {streamtensor.name = "a"})
    -> (tensor<64xf32>, tensor<1x64xf32> {streamtensor.into = "a", streamtensor.at = "position"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.matvec ins(%a, %x : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %n = linalg.negf ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = tensor.expand_shape %n [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  return %y, %r : tensor<64xf32>, tensor<1x64xf32>
}
