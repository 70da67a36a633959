// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics --streamtensor-linalg-to-dataflow

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @starts_from_tensor(%x: tensor<8x8xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{a reduction must start from a constant fill}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @starts_from_nothing(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{a reduction must start from a constant fill}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>

func.func @begins_late(%x: tensor<32xf32>) -> tensor<32xf32> {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<32xf32>
  // expected-error @below {{not a loop over tiles: each loop must start at 0, have constant bounds, and place one slice}}
  %r = scf.for %i = %c16 to %c32 step %c16 iter_args(%o = %e) -> (tensor<32xf32>) {
    %xt = tensor.extract_slice %x[%i] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %ot = tensor.extract_slice %o[%i] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%xt : tensor<16xf32>) outs(%ot : tensor<16xf32>) {
    ^bb0(%a: f32, %out: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<16xf32>
    %w = tensor.insert_slice %g into %o[%i] [16] [1] : tensor<16xf32> into tensor<32xf32>
    scf.yield %w : tensor<32xf32>
  }
  return %r : tensor<32xf32>
}

// -----

#id = affine_map<(i) -> (i)>

func.func @repeats(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-error @below {{not a loop over tiles}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%o = %x) -> (tensor<16xf32>) {
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%o : tensor<16xf32>) outs(%o : tensor<16xf32>) {
    ^bb0(%a: f32, %out: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<16xf32>
    scf.yield %g : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// -----

func.func @no_op(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-error @below {{loop holds no linalg op}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%o = %x) -> (tensor<16xf32>) {
    scf.yield %o : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
