// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16 unroll=1" --streamtensor-tile --canonicalize --cse --streamtensor-linalg-to-dataflow --streamtensor-fuse-kernels --verify-roundtrip | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>

// Equal types connect; every reader of an argument has a port and a DMA of its own.
// CHECK-LABEL: func.func @equal
// CHECK-SAME: %[[arg:[a-z0-9_]+]]: tensor<32x48xf32>
// CHECK: dataflow.kernel "accelerator"(%[[arg]], %[[arg]])
// CHECK-NEXT: ^bb0(%[[p:[a-z0-9_]+]]: tensor<32x48xf32>, %[[q:[a-z0-9_]+]]: tensor<32x48xf32>)
// CHECK: %[[x:[a-z0-9_]+]] = itensor.from_tensor %[[p]]
// CHECK: %[[a:[a-z0-9_]+]] = dataflow.task "op"
// CHECK: itensor.read %[[x]]
// CHECK: %[[y:[a-z0-9_]+]] = itensor.from_tensor %[[q]]
// CHECK-NOT: itensor.converter
// CHECK: %[[b:[a-z0-9_]+]] = dataflow.task "op_1"
// CHECK: itensor.read %[[a]]
// CHECK: itensor.read %[[y]]
// CHECK: itensor.to_tensor %[[b]]
// CHECK-NOT: itensor.to_tensor
func.func @equal(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<32x48xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %x : tensor<32x48xf32>, tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%v: f32, %w: f32, %out: f32):
    %n = arith.addf %v, %w : f32
    linalg.yield %n : f32
  } -> tensor<32x48xf32>
  return %b : tensor<32x48xf32>
}

// Unequal types get a converter, equal converters are one. What is returned as well as
// read is both a stream and a result.
// CHECK-LABEL: func.func @converter
// CHECK: %[[h:[a-z0-9_]+]] = dataflow.task "op"
// CHECK: %[[c:[a-z0-9_]+]] = itensor.converter %[[h]] : <16x16xf32, iter_space: [4, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)> to <16x16xf32, iter_space: [4, 4, 3] * [16, 1, 16], iter_map: (d0, d1, d2) -> (d0, d2)>
// CHECK-NOT: itensor.converter
// CHECK: %[[a:[a-z0-9_]+]] = dataflow.task "op_1"
// CHECK: itensor.read %[[c]]
// CHECK-NOT: itensor.converter
// CHECK: %[[b:[a-z0-9_]+]] = dataflow.task "op_2"
// CHECK: itensor.read %[[c]]
// CHECK: itensor.to_tensor %[[a]]
// CHECK: itensor.to_tensor %[[b]]
// CHECK: itensor.to_tensor %[[h]]
func.func @converter(%x: tensor<64x48xf32>, %w: tensor<48x64xf32>, %v: tensor<48x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%p: f32, %out: f32):
    %n = math.exp %p : f32
    linalg.yield %n : f32
  } -> tensor<64x48xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<64x48xf32>, tensor<48x64xf32>) outs(%g : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %v : tensor<64x48xf32>, tensor<48x64xf32>) outs(%g : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %a, %b, %h : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x48xf32>
}

// A slice of external memory is read by its offsets.
// CHECK-LABEL: func.func @slice_of_argument
// CHECK: itensor.from_tensor %{{.*}} offsets [16, 16] : tensor<32x48xf32> -> <16x16xf32, iter_space: [2] * [16], iter_map: (d0) -> (0, d0)>
func.func @slice_of_argument(%x: tensor<32x48xf32>) -> tensor<16x32xf32> {
  %s = tensor.extract_slice %x[16, 16] [16, 32] [1, 1] : tensor<32x48xf32> to tensor<16x32xf32>
  %e = tensor.empty() : tensor<16x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<16x32xf32>
  return %a : tensor<16x32xf32>
}

// A slice of a stream is a chunk; the parts before and after it are dropped later.
// CHECK-LABEL: func.func @slice_of_stream
// CHECK: %[[parts:[a-z0-9_]+]]:3 = itensor.chunk %{{.*}} dim 1
// CHECK: itensor.to_tensor %[[parts]]#1 : <16x16xf32, iter_space: [2] * [16], iter_map: (d0) -> (0, d0)> -> tensor<16x32xf32>
func.func @slice_of_stream(%x: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<16x64xf32>
  %s = tensor.extract_slice %a[0, 16] [16, 32] [1, 1] : tensor<16x64xf32> to tensor<16x32xf32>
  return %s : tensor<16x32xf32>
}

// A reshape between tasks regroups dimensions of the type; one on the way out is left
// to the host, as it changes nothing in memory.
// CHECK-LABEL: func.func @reshape
// CHECK: %[[k:[a-z0-9_]+]]:2 = dataflow.kernel "accelerator"
// CHECK: %[[a:[a-z0-9_]+]] = dataflow.task "op"
// CHECK: itensor.reassociate %[[a]] {{\[\[}}0], [1, 2]] : <1x16xf32, iter_space: [16, 4] * [1, 16], iter_map: (d0, d1) -> (d0, d1)> to <1x1x16xf32, iter_space: [16, 2, 2] * [1, 1, 16], iter_map: (d0, d1, d2) -> (d0, d1, d2)>
// CHECK: itensor.to_tensor %[[a]] {{.*}} -> tensor<16x64xf32>
// CHECK: %[[flat:[a-z0-9_]+]] = tensor.collapse_shape %[[k]]#1
// CHECK: return %[[k]]#0, %[[flat]]
func.func @reshape(%x: tensor<16x64xf32>) -> (tensor<16x2x32xf32>, tensor<1024xf32>) {
  %e = tensor.empty() : tensor<16x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<16x64xf32>
  %h = tensor.expand_shape %a [[0], [1, 2]] output_shape [16, 2, 32] : tensor<16x64xf32> into tensor<16x2x32xf32>
  %f = tensor.empty() : tensor<16x2x32xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<16x2x32xf32>) outs(%f : tensor<16x2x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.sqrt %v : f32
    linalg.yield %n : f32
  } -> tensor<16x2x32xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<16x64xf32> into tensor<1024xf32>
  return %b, %c : tensor<16x2x32xf32>, tensor<1024xf32>
}

// The parts of a concat stream into one; what comes from memory is read in the order
// that this needs.
// CHECK-LABEL: func.func @concat
// CHECK: %[[a:[a-z0-9_]+]] = dataflow.task "op"
// CHECK: %[[y:[a-z0-9_]+]] = itensor.from_tensor
// CHECK: itensor.concat %[[a]], %[[y]] dim 1 : {{.*}} -> <16x16xf32, iter_space: [3] * [16], iter_map: (d0) -> (0, d0)>
func.func @concat(%x: tensor<16x32xf32>, %y: tensor<16x16xf32>) -> tensor<16x48xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<16x32xf32>
  %c = tensor.concat dim(1) %a, %y : (tensor<16x32xf32>, tensor<16x16xf32>) -> tensor<16x48xf32>
  return %c : tensor<16x48xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK: itensor.pad %{{.*}} low [0, 8] high [0, 24] value 1.000000e+00 : f32 : <16x8xf32, iter_space: [4] * [8], iter_map: (d0) -> (0, d0)> to <16x8xf32, iter_space: [8] * [8], iter_map: (d0) -> (0, d0)>
func.func @pad(%x: tensor<16x32xf32>) -> tensor<16x64xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.exp %v : f32
    linalg.yield %n : f32
  } -> tensor<16x32xf32>
  %p = tensor.pad %a low[0, 8] high[0, 24] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<16x32xf32> to tensor<16x64xf32>
  return %p : tensor<16x64xf32>
}

// Moving data is work too; arguments and reshapes of them pass by the device.
// CHECK-LABEL: func.func @no_compute
// CHECK: %[[k:[a-z0-9_]+]] = dataflow.kernel "accelerator"(%{{.*}}) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x64xf32>
// CHECK-NOT: dataflow.task
// CHECK: itensor.concat
// CHECK: return %[[k]], %arg0, %{{.*}} : tensor<16x64xf32>, tensor<16x32xf32>, tensor<512xf32>
func.func @no_compute(%x: tensor<16x32xf32>, %y: tensor<16x32xf32>) -> (tensor<16x64xf32>, tensor<16x32xf32>, tensor<512xf32>) {
  %c = tensor.concat dim(1) %x, %y : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x64xf32>
  %r = tensor.collapse_shape %y [[0, 1]] : tensor<16x32xf32> into tensor<512xf32>
  return %c, %x, %r : tensor<16x64xf32>, tensor<16x32xf32>, tensor<512xf32>
}

// CHECK-LABEL: func.func @identity
// CHECK-NOT: dataflow.kernel
// CHECK: return %arg0
func.func @identity(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}
