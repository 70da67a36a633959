// RUN: streamtensor-opt %s --streamtensor-verify-linalg --split-input-file --verify-diagnostics

func.func @diagonal(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{'linalg.generic' reads a tensor by (d0) -> (d0, d0), which is not a selection of its loops in some order; what is read may also be a window: sums of loops with positive factors}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// The operand that gives the extent of the window must come last.

func.func @extent_first(%x: tensor<8xf32>) -> tensor<6xf32> {
  %w = tensor.empty() : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  // expected-error @+1 {{'linalg.generic' reads data after the operand that gives the extent of its window; make that operand the last input}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%w, %x : tensor<3xf32>, tensor<8xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%size: f32, %in: f32, %o: f32):
    %v = arith.addf %o, %in : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @gather(%x: tensor<4x8xf32>, %i: tensor<4x8xindex>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4x8xindex>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: index, %o: f32):
    %row = linalg.index 0 : index
    // expected-error @+1 {{'tensor.extract' reads single elements at computed positions (a gather, a flip); only whole rows, table[i], can be looked up}}
    %v = tensor.extract %x[%row, %in] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @computed_table(%x: tensor<8xf32>, %i: tensor<4xindex>) -> tensor<4xf32> {
  %e8 = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e8 : tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i : tensor<4xindex>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: index, %o: f32):
    // expected-error @+1 {{'tensor.extract' looks rows up in a tensor that the design computes; a table lies in external memory: pass it as an argument}}
    %v = tensor.extract %t[%in] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @captured(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{'tensor.extract' takes a scalar out of a tensor; give it to the operation that needs it as an input of rank 0, with the map (d0, …) -> ()}}
  %c = tensor.extract %s[] : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %v = arith.mulf %in, %c : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @shared_init(%x: tensor<4x8xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{starts its reduction from a tensor it shares or that is not constant; start from a linalg.fill of its own}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @strided(%x: tensor<8xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'tensor.extract_slice' takes every n-th element; a stream passes every element}}
  %r = tensor.extract_slice %x[0] [3] [3] : tensor<8xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @dynamic_slice(%x: tensor<8xf32>, %i: tensor<1xindex>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tensor.dim' has no streaming form}}
  %d = tensor.dim %x, %c0 : tensor<8xf32>
  %r = tensor.extract_slice %x[%d] [3] [1] : tensor<8xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @two_orders(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  // expected-error @+1 {{writes results in different orders; write them from separate operations}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e0, %e1 : tensor<4x8xf32>, tensor<8x4xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    linalg.yield %in, %in : f32, f32
  } -> (tensor<4x8xf32>, tensor<8x4xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<8x4xf32>
}

// -----

func.func @pad_with_data(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<6xf32> {
  // expected-error @+1 {{'tensor.pad' pads by a run-time amount or with a value that is not constant; pad with a constant}}
  %r = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %v = tensor.extract %y[] : tensor<f32>
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @inserted(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'tensor.insert_slice' puts a tensor into another one; cut the other one into slices and join all parts (torch.cat, tensor.concat)}}
  %r = tensor.insert_slice %y into %x[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
