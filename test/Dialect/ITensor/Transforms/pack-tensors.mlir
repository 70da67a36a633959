// RUN: streamtensor-opt %s %u55c --streamtensor-pack --verify-roundtrip | FileCheck %s

!tiles = !itensor.itensor<16x16xf32, iter_space: [2, 3] * [16, 16], iter_map: (d0, d1) -> (d0, d1)>
!rows = !itensor.itensor<16x48xf32, iter_space: [2] * [16], iter_map: (d0) -> (d0, 0)>
!twice = !itensor.itensor<16x16xf32, iter_space: [2, 3, 2] * [1, 16, 16], iter_map: (d0, d1, d2) -> (d2, d1)>
!copies = !itensor.itensor<1x16x16xf32, iter_space: [2, 2, 3] * [1, 16, 16], iter_map: (d0, d1, d2) -> (d0, d1, d2)>
!tile = !itensor.itensor<16x16xf32, iter_space: [] * [], iter_map: () -> (0, 0)>

// Tiles of 16x16 lie one after the other once packed; the kernel sees the packed tensors alone.
// CHECK-LABEL: func.func @tiles
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<32x48xf32>
// CHECK: %[[p:[a-z0-9_]+]] = itensor.pack %[[X]] strides [768, 16, 48, 1] offset 0 : tensor<32x48xf32> -> tensor<2x3x16x16xf32>
// CHECK: %[[k:[a-z0-9_]+]] = dataflow.kernel "k"(%[[p]]) : (tensor<2x3x16x16xf32>) -> tensor<2x3x16x16xf32>
// CHECK: itensor.from_tensor %{{.*}} packed : tensor<2x3x16x16xf32>
// CHECK: itensor.to_tensor %{{.*}} packed : {{.*}} -> tensor<2x3x16x16xf32>
// CHECK: %[[u:[a-z0-9_]+]] = itensor.unpack %[[k]] strides [768, 16, 48, 1] : tensor<2x3x16x16xf32> -> tensor<32x48xf32>
// CHECK: return %[[u]]
func.func @tiles(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %k : tensor<32x48xf32>
}

// What others read and write too lies row-major.
// CHECK-LABEL: func.func @fixed
// CHECK-NOT: pack
// CHECK: return
func.func @fixed(%x: tensor<1x32x48xf32> {streamtensor.row_major}) -> (tensor<1x32x48xf32> {streamtensor.row_major}) {
  %f = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x32x48xf32> into tensor<32x48xf32>
  %k = dataflow.kernel "k"(%f) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  %e = tensor.expand_shape %k [[0, 1], [2]] output_shape [1, 32, 48] : tensor<32x48xf32> into tensor<1x32x48xf32>
  return %e : tensor<1x32x48xf32>
}

// Whole rows are contiguous already.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: pack
// CHECK: return
func.func @rows(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %k : tensor<32x48xf32>
}

// A slice is packed from its offset on: row 16, column 32 of rows of 48.
// CHECK-LABEL: func.func @slice
// CHECK: itensor.pack %{{.*}} strides [48, 1] offset 800 : tensor<32x48xf32> -> tensor<16x16xf32>
func.func @slice(%x: tensor<32x48xf32>) -> tensor<16x16xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<16x16xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t offsets [16, 32] : tensor<32x48xf32> -> !tile
    %y = itensor.to_tensor %s : !tile -> tensor<16x16xf32>
    dataflow.yield %y : tensor<16x16xf32>
  }
  return %k : tensor<16x16xf32>
}

// The host reshapes: it packs what was there before, and unpacks to what is wanted. One pack serves both readers.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<1x32x48xf32>
// CHECK-NOT: collapse
// CHECK: %[[p:[a-z0-9_]+]] = itensor.pack %[[X]] strides [768, 16, 48, 1] offset 0 : tensor<1x32x48xf32> -> tensor<2x3x16x16xf32>
// CHECK-NOT: itensor.pack
// CHECK: %[[k:[a-z0-9_]+]]:2 = dataflow.kernel "k"(%[[p]], %[[p]])
// CHECK: itensor.unpack %[[k]]#0 strides [768, 16, 48, 1] : tensor<2x3x16x16xf32> -> tensor<1x32x48xf32>
// CHECK-NOT: expand
// CHECK: return
func.func @reshapes(%x: tensor<1x32x48xf32>) -> (tensor<1x32x48xf32>, tensor<32x48xf32>) {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x32x48xf32> into tensor<32x48xf32>
  %k:2 = dataflow.kernel "k"(%c, %c) : (tensor<32x48xf32>, tensor<32x48xf32>) -> (tensor<32x48xf32>, tensor<32x48xf32>) {
  ^bb0(%t: tensor<32x48xf32>, %u: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %r = itensor.from_tensor %u : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    %z = itensor.to_tensor %r : !tiles -> tensor<32x48xf32>
    dataflow.yield %y, %z : tensor<32x48xf32>, tensor<32x48xf32>
  }
  %e = tensor.expand_shape %k#0 [[0, 1], [2]] output_shape [1, 32, 48] : tensor<32x48xf32> into tensor<1x32x48xf32>
  return %e, %k#1 : tensor<1x32x48xf32>, tensor<32x48xf32>
}

// Writer and reader agree: nothing is packed or unpacked between them.
// CHECK-LABEL: func.func @between
// CHECK: itensor.pack
// CHECK: %[[first:[a-z0-9_]+]] = dataflow.kernel "k"
// CHECK-NOT: itensor.{{(un)?}}pack
// CHECK: dataflow.kernel "l"(%[[first]]) : (tensor<2x3x16x16xf32>)
// CHECK: itensor.from_tensor %{{.*}} packed : tensor<2x3x16x16xf32>
func.func @between(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  %l = dataflow.kernel "l"(%k) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %l : tensor<32x48xf32>
}

// The reader takes the tiles column by column, twice: its order costs fewer bursts than the writer's.
// CHECK-LABEL: func.func @orders
// CHECK: itensor.to_tensor %{{.*}} packed order [1, 0] : {{.*}} -> tensor<3x2x16x16xf32>
// CHECK: itensor.from_tensor %{{.*}} packed : tensor<3x2x16x16xf32>
func.func @orders(%x: tensor<32x48xf32>) -> tensor<2x32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  %l = dataflow.kernel "l"(%k) : (tensor<32x48xf32>) -> tensor<2x32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !twice
    %i = itensor.instance : !copies
    %c = dataflow.task "copy" outs(%i : !copies) -> !copies {
    ^bb0(%d: !copies):
      dataflow.yield %d : !copies
    }
    %y = itensor.to_tensor %c : !copies -> tensor<2x32x48xf32>
    dataflow.yield %y : tensor<2x32x48xf32>
  }
  return %l : tensor<2x32x48xf32>
}

// Whole rows against tiles: no packed layout serves both, so the tensor stays row-major.
// CHECK-LABEL: func.func @rows_to_tiles
// CHECK: %[[first:[a-z0-9_]+]] = dataflow.kernel "k"
// CHECK-NOT: packed
// CHECK: dataflow.kernel "l"(%[[first]]) : (tensor<32x48xf32>)
// CHECK: itensor.from_tensor %{{[a-z0-9_]+}} : tensor<32x48xf32>
func.func @rows_to_tiles(%x: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !rows
    %y = itensor.to_tensor %s : !rows -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  %l = dataflow.kernel "l"(%k) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  return %l : tensor<32x48xf32>
}

// A reader of a part keeps its tensor as it is, too.
// CHECK-LABEL: func.func @part
// CHECK: itensor.to_tensor %{{[a-z0-9_]+}} :
// CHECK: itensor.from_tensor %{{.*}} offsets [16, 32] : tensor<32x48xf32>
func.func @part(%x: tensor<32x48xf32>) -> tensor<16x16xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<32x48xf32>) -> tensor<32x48xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t : tensor<32x48xf32> -> !tiles
    %y = itensor.to_tensor %s : !tiles -> tensor<32x48xf32>
    dataflow.yield %y : tensor<32x48xf32>
  }
  %l = dataflow.kernel "l"(%k) : (tensor<32x48xf32>) -> tensor<16x16xf32> {
  ^bb0(%t: tensor<32x48xf32>):
    %s = itensor.from_tensor %t offsets [16, 32] : tensor<32x48xf32> -> !tile
    %y = itensor.to_tensor %s : !tile -> tensor<16x16xf32>
    dataflow.yield %y : tensor<16x16xf32>
  }
  return %l : tensor<16x16xf32>
}

!heads = !itensor.itensor<16x1x1x16xf32, iter_space: [3, 4, 2] * [1, 16, 1], iter_map: (d0, d1, d2) -> (0, d0, d2, d1)>
!columns = !itensor.itensor<16x16xf32, iter_space: [24] * [16], iter_map: (d0) -> (0, d0)>

// The writer counts heads, parts of them and groups of heads; the reader sees columns. The tiles are the same.
// CHECK-LABEL: func.func @heads_to_columns
// CHECK: itensor.to_tensor %{{.*}} packed order [0, 2, 1] : {{.*}} -> tensor<3x2x4x16x1x1x16xf32>
// CHECK-NOT: itensor.{{(un)?}}pack
// CHECK: dataflow.kernel "l"(%{{.*}}) : (tensor<24x16x16xf32>)
// CHECK: itensor.from_tensor %{{.*}} packed : tensor<24x16x16xf32>
func.func @heads_to_columns(%x: tensor<16x3x2x64xf32>) -> tensor<16x384xf32> {
  %k = dataflow.kernel "k"(%x) : (tensor<16x3x2x64xf32>) -> tensor<16x3x2x64xf32> {
  ^bb0(%t: tensor<16x3x2x64xf32>):
    %s = itensor.from_tensor %t : tensor<16x3x2x64xf32> -> !heads
    %y = itensor.to_tensor %s : !heads -> tensor<16x3x2x64xf32>
    dataflow.yield %y : tensor<16x3x2x64xf32>
  }
  %c = tensor.collapse_shape %k [[0], [1, 2, 3]] : tensor<16x3x2x64xf32> into tensor<16x384xf32>
  %l = dataflow.kernel "l"(%c) : (tensor<16x384xf32>) -> tensor<16x384xf32> {
  ^bb0(%t: tensor<16x384xf32>):
    %s = itensor.from_tensor %t : tensor<16x384xf32> -> !columns
    %y = itensor.to_tensor %s : !columns -> tensor<16x384xf32>
    dataflow.yield %y : tensor<16x384xf32>
  }
  return %l : tensor<16x384xf32>
}
