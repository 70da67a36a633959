// RUN: streamtensor-opt %s --verify-diagnostics --streamtensor-vectorise

!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

func.func @not_tiled(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %d = itensor.instance : !rows
    %t = dataflow.task "double" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %l = itensor.read %s[] : !rows -> tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      // expected-error @below {{has no unroll factors; run the tile phase first}}
      %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%v: f32, %o: f32):
        %n = arith.addf %v, %v : f32
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
