// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics %u55c --streamtensor-fuse-kernels=max-bytes=1024

!again = !itensor.itensor<16x16xf32, iter_space: [2, 3] * [1, 16], iter_map: (d0, d1) -> (0, d1)>

// The concat must be held whole (16x48 elements), to be read twice.
func.func @too_large(%x: tensor<16x32xf32>, %y: tensor<16x16xf32>) -> tensor<16x48xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<16x32xf32>, tensor<16x16xf32>) -> tensor<16x48xf32>
  // expected-error @below {{needs 3072 bytes of converters, 2048 more than the device has on chip}}
  %p = dataflow.kernel "reader"(%c) : (tensor<16x48xf32>) -> tensor<16x48xf32> {
  ^bb0(%t: tensor<16x48xf32>):
    %s = itensor.from_tensor %t : tensor<16x48xf32> -> !again
    %r = tensor.empty() : tensor<16x48xf32>
    dataflow.yield %r : tensor<16x48xf32>
  }
  return %p : tensor<16x48xf32>
}

// -----

!rows = !itensor.itensor<16x16xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

func.func @strided(%x: tensor<16x32xf32>) -> tensor<16x16xf32> {
  // expected-error @below {{only slices of consecutive elements at constant offsets can be streamed: [view.slice]}}
  %c = tensor.extract_slice %x[0, 0] [16, 16] [1, 2] : tensor<16x32xf32> to tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// -----

func.func @computed_padding(%x: tensor<16x32xf32>) -> tensor<18x32xf32> {
  // expected-error @below {{only padding with a constant can be streamed: [view.pad]}}
  %c = tensor.pad %x low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %v = arith.index_cast %i : index to i32
    %f = arith.sitofp %v : i32 to f32
    tensor.yield %f : f32
  } : tensor<16x32xf32> to tensor<18x32xf32>
  return %c : tensor<18x32xf32>
}
