// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics --streamtensor-ensure-single-use %u55c --streamtensor-vectorise --streamtensor-itensor-to-stream

!tall = !itensor.itensor<4x8xf32, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
!thin = !itensor.itensor<2x8xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0, 0)>

func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%t: tensor<8x8xf32>):
    %s = itensor.from_tensor %t : tensor<8x8xf32> -> !tall
    // expected-error @below {{has no buffer; run the materialise phase first}}
    %c = itensor.converter %s : !tall to !thin
    %y = itensor.to_tensor %c : !thin -> tensor<8x8xf32>
    dataflow.yield %y : tensor<8x8xf32>
  }
  return %k : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

// What a body captures must be a constant or an index.
func.func @captures(%x: tensor<4x8xf32>, %scale: tensor<f32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x, %scale) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>, %f: tensor<f32>):
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %d = itensor.instance : !rows
    %t = dataflow.task "scale" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %l = itensor.read %s[] : !rows -> tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %v = tensor.extract %f[] : tensor<f32>
      %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [1, 8]>} {
      ^bb0(%b: f32, %o: f32):
        // expected-error @below {{uses a value from outside its linalg body; only constants and tokens reach a leaf task: [leaf.body]}}
        %n = arith.mulf %b, %v : f32
        linalg.yield %n : f32
      } -> tensor<4x8xf32>
      %w = itensor.write %g into %out[] : tensor<4x8xf32>, !rows
      dataflow.yield %w : !rows
    }
    %z = itensor.to_tensor %t : !rows -> tensor<4x8xf32>
    dataflow.yield %z : tensor<4x8xf32>
  }
  return %k : tensor<4x8xf32>
}
