// RUN: streamtensor-opt %s --split-input-file --verify-diagnostics %u55c --streamtensor-vectorise

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
      // expected-error @below {{[tiling.missing] has no #dataflow.tiling; run streamtensor-decide-tiling or streamtensor-read-schedule first}}
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

// -----

!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

func.func @computes_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %d = itensor.instance : !rows
    // expected-error @below {{a compute task holds one linalg.generic: [task.body]}}
    %t = dataflow.task "copy" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %l = itensor.read %s[] : !rows -> tensor<4x8xf32>
      %w = itensor.write %l into %out[] : tensor<4x8xf32>, !rows
      dataflow.yield %w : !rows
    }
    %z = itensor.to_tensor %t : !rows -> tensor<4x8xf32>
    dataflow.yield %z : tensor<4x8xf32>
  }
  return %k : tensor<4x8xf32>
}

// -----

!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

func.func @input_is_no_token(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %d = itensor.instance : !rows
    %t = dataflow.task "double" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %e = tensor.empty() : tensor<4x8xf32>
      // expected-error @below {{an input is not a token of an itensor: [task.body]}}
      %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
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

// -----

!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>
#id = affine_map<(i, j) -> (i, j)>

func.func @bound_of_run_time(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = tensor.dim %a, %c0 : tensor<4x8xf32>
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %d = itensor.instance : !rows
    %t = dataflow.task "sum" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %l = itensor.read %s[] : !rows -> tensor<4x8xf32>
      // expected-error @below {{a task's loop starts at 0 and has constant bounds: [task.loop]}}
      %sum = scf.for %i = %c0 to %many step %c1 iter_args(%acc = %l) -> (tensor<4x8xf32>) {
        %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<4x8xf32>) outs(%acc : tensor<4x8xf32>) {
        ^bb0(%v: f32, %o: f32):
          %n = arith.addf %v, %o : f32
          linalg.yield %n : f32
        } -> tensor<4x8xf32>
        scf.yield %g : tensor<4x8xf32>
      }
      %w = itensor.write %sum into %out[] : tensor<4x8xf32>, !rows
      dataflow.yield %w : !rows
    }
    %z = itensor.to_tensor %t : !rows -> tensor<4x8xf32>
    dataflow.yield %z : tensor<4x8xf32>
  }
  return %k : tensor<4x8xf32>
}

// -----

// Two operations in a row have FIFOs of one width: the second cannot state another.

#id = affine_map<(i, j) -> (i, j)>
!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

func.func @unequal_vectors(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %d = itensor.instance : !rows
    // expected-note @below {{the other operation}}
    %t = dataflow.task "double" outs(%d : !rows) -> !rows {
    ^bb0(%out: !rows):
      %l = itensor.read %s[] : !rows -> tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [1, 1], vector = [4]>} {
      ^bb0(%v: f32, %o: f32):
        %n = arith.addf %v, %v : f32
        linalg.yield %n : f32
      } -> tensor<4x8xf32>
      %w = itensor.write %g into %out[] : tensor<4x8xf32>, !rows
      dataflow.yield %w : !rows
    }
    %f = itensor.instance : !rows
    // expected-error @below {{[tiling.vector] 'vector' is 2, but the FIFOs of this result share their lanes with another operation's, whose 'vector' is 4; state one number for both}}
    %u = dataflow.task "negate" outs(%f : !rows) -> !rows {
    ^bb0(%out: !rows):
      %l = itensor.read %t[] : !rows -> tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) attrs = {dataflow.tiling = #dataflow.tiling<tile = [4, 8], order = [0, 1], unroll = [1, 1], vector = [2]>} {
      ^bb0(%v: f32, %o: f32):
        %n = arith.negf %v : f32
        linalg.yield %n : f32
      } -> tensor<4x8xf32>
      %w = itensor.write %g into %out[] : tensor<4x8xf32>, !rows
      dataflow.yield %w : !rows
    }
    %z = itensor.to_tensor %u : !rows -> tensor<4x8xf32>
    dataflow.yield %z : tensor<4x8xf32>
  }
  return %k : tensor<4x8xf32>
}

// -----

// Lanes divide the row.

!rows = !itensor.itensor<4x8xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

func.func @uneven_lanes(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %d = itensor.instance : !rows
    // expected-error @below {{[lanes.row] 3 lanes neither divide the row of a token, 8 elements, nor are they whole rows that cut it}}
    %f:2 = itensor.fork %s {dataflow.lanes = array<i64: 4, 3>} : !rows -> !rows, !rows
    %z = itensor.to_tensor %f#0 : !rows -> tensor<4x8xf32>
    dataflow.yield %z : tensor<4x8xf32>
  }
  return %k : tensor<4x8xf32>
}
