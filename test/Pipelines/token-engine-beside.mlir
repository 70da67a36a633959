// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=512 padding=0 stop-after=decide" | FileCheck %s

// 250 outputs are no words, so the last linear has an array of its own beside the engine of the others: of 512 lanes that is
// what their 448 leave, 64, of which tiles of 10 x 16 use 40. Nobody of the engine takes what it gives.
// CHECK: unroll = [16, 28], engine = "engine"
// CHECK: unroll = [16, 28], engine = "engine"
// CHECK: tile = [10, 16], order = [0, 1], unroll = [5, 8]>
#vector = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func @main(%x: tensor<512xf32> {streamtensor.kind = "input"}, %up: tensor<1024x512xf32> {streamtensor.kind = "parameter"},
                %down: tensor<1024x512xf32> {streamtensor.kind = "parameter"},
                %last: tensor<250x512xf32> {streamtensor.kind = "parameter"}) -> (tensor<250xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%x : tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %eh = tensor.empty() : tensor<1024xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%eh : tensor<1024xf32>) -> tensor<1024xf32>
  %h = linalg.matvec ins(%up, %y : tensor<1024x512xf32>, tensor<512xf32>) outs(%zh : tensor<1024xf32>) -> tensor<1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %o = linalg.vecmat ins(%h, %down : tensor<1024xf32>, tensor<1024x512xf32>) outs(%z : tensor<512xf32>) -> tensor<512xf32>
  %el = tensor.empty() : tensor<250xf32>
  %zl = linalg.fill ins(%zero : f32) outs(%el : tensor<250xf32>) -> tensor<250xf32>
  %l = linalg.matvec ins(%last, %o : tensor<250x512xf32>, tensor<512xf32>) outs(%zl : tensor<250xf32>) -> tensor<250xf32>
  %es = tensor.empty() : tensor<f32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %s = linalg.dot ins(%y, %o : tensor<512xf32>, tensor<512xf32>) outs(%zs : tensor<f32>) -> tensor<f32>
  return %l, %s : tensor<250xf32>, tensor<f32>
}
