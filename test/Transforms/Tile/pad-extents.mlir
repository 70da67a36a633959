// RUN: streamtensor-opt %s %u55c --streamtensor-pad-extents --split-input-file | FileCheck %s
// RUN: streamtensor-opt %s %u55c --streamtensor-pad-extents=percent=0 --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: itensor.pack

// 227 is 15 vectors of 16 for 6 % more; 220 has 4 lanes and 224 has 16. No row of a tensor runs along 199, where four
// lanes are enough: 200. Rows behind the last one are the end of the flat tensor, columns the end of each row. The
// host's zeros are what the sum over 227 needs on both sides.
// CHECK-LABEL: @gemm
// CHECK-SAME: %[[A:.*]]: tensor<199x227xf32>, %[[B:.*]]: tensor<227x220xf32>
// CHECK: %[[ROWS_B:.*]] = itensor.pack %[[B]] strides [49940, 1] offset 0 lanes 49940 : tensor<227x220xf32> -> tensor<1x52800xf32>
// CHECK: itensor.pack %{{.*}} strides [220, 1] offset 0 lanes 220 : tensor<1x52800xf32> -> tensor<240x224xf32>
// CHECK: itensor.pack %[[A]] strides [45173, 1] offset 0 lanes 45173 : tensor<199x227xf32> -> tensor<1x45400xf32>
// CHECK: itensor.pack %{{.*}} strides [227, 1] offset 0 lanes 227 : tensor<1x45400xf32> -> tensor<200x240xf32>
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<200x240xf32>, tensor<240x224xf32>)
// CHECK: itensor.unpack %{{.*}} strides [44576, 1] lanes 44576 : tensor<1x44800xf32> -> tensor<199x224xf32>
// CHECK: %[[R:.*]] = itensor.unpack %{{.*}} strides [220, 1] lanes 220 : tensor<199x224xf32> -> tensor<199x220xf32>
// CHECK: return %[[R]]
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @gemm(%a: tensor<199x227xf32>, %b: tensor<227x220xf32>) -> tensor<199x220xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<199x220xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<199x220xf32>) -> tensor<199x220xf32>
  %c = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<199x227xf32>, tensor<227x220xf32>) outs(%f : tensor<199x220xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<199x220xf32>
  return %c : tensor<199x220xf32>
}

// -----

// What one contraction computes and the other sums over is masked: an infinite element of %a times the zeros behind %b
// is no number. The exponential in between is not zero there either.
// CHECK-LABEL: @masked
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%{{[0-9]+}} : tensor<16x32xf32>)
// CHECK: math.exp
// CHECK: %[[MASKED:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<16x32xf32>)
// CHECK: %[[J:.*]] = linalg.index 1 : index
// CHECK: %[[END:.*]] = arith.constant 31 : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[J]], %[[END]] : index
// CHECK: arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[MASKED]], %{{.*}} : tensor<16x32xf32>, tensor<32x16xf32>)
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @masked(%a: tensor<16x16xf32>, %b: tensor<16x31xf32>, %d: tensor<31x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x31xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x31xf32>) -> tensor<16x31xf32>
  %c = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x16xf32>, tensor<16x31xf32>) outs(%f : tensor<16x31xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<16x31xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<16x31xf32>) outs(%e : tensor<16x31xf32>) {
  ^bb0(%x: f32, %s: f32):
    %p = math.exp %x : f32
    linalg.yield %p : f32
  } -> tensor<16x31xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%g, %d : tensor<16x31xf32>, tensor<31x16xf32>) outs(%f2 : tensor<16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<16x16xf32>
  return %h : tensor<16x16xf32>
}

// -----

// What a window sums over is masked before it gets its border: rows without one are as long as those that are computed.
// CHECK-LABEL: @bordered
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<16x8x8xf32>)
// CHECK: math.exp
// CHECK: %[[MASKED:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<16x8x8xf32>)
// CHECK: arith.constant 15 : index
// CHECK: %[[BORDERED:.*]] = tensor.pad %[[MASKED]] low[0, 1, 1] high[0, 1, 1]
// CHECK: tensor<16x8x8xf32> to tensor<16x10x10xf32>
// CHECK: linalg.generic {{.*}} ins(%[[BORDERED]], %{{.*}} : tensor<16x10x10xf32>, tensor<16x16x3x3xf32>)
#window = affine_map<(o, h, w, i, y, x) -> (i, h + y, w + x)>
#kernel = affine_map<(o, h, w, i, y, x) -> (o, i, y, x)>
#image = affine_map<(o, h, w, i, y, x) -> (o, h, w)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>
func.func @bordered(%a: tensor<15x8x8xf32>, %b: tensor<16x15x3x3xf32>) -> tensor<16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<15x8x8xf32>
  %g = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<15x8x8xf32>) outs(%e : tensor<15x8x8xf32>) {
  ^bb0(%x: f32, %s: f32):
    %p = math.exp %x : f32
    linalg.yield %p : f32
  } -> tensor<15x8x8xf32>
  %border = tensor.pad %g low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<15x8x8xf32> to tensor<15x10x10xf32>
  %e2 = tensor.empty() : tensor<16x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
  %c = linalg.generic {indexing_maps = [#window, #kernel, #image], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%border, %b : tensor<15x10x10xf32>, tensor<16x15x3x3xf32>) outs(%f : tensor<16x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<16x8x8xf32>
  return %c : tensor<16x8x8xf32>
}

// -----

// A maximum over rows of 31 leaves out what lies behind them, as does each term of a sum of one tensor's elements.
// CHECK-LABEL: @left_out
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<32x16xf32>, tensor<16x32xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<32x32xf32>) outs(%{{.*}} : tensor<32xf32>)
// CHECK: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: f32):
// CHECK: %[[J:.*]] = linalg.index 1 : index
// CHECK: %[[END:.*]] = arith.constant 31 : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[J]], %[[END]] : index
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK: %[[NEUTRAL:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[TERM:.*]] = arith.select %[[INSIDE]], %[[SQUARE]], %[[NEUTRAL]] : f32
// CHECK: arith.maximumf %[[TERM]], %[[S]] : f32
// CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<32x32xf32>) outs(%{{.*}} : tensor<32xf32>)
// CHECK: %[[TERM:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[TERM]] : f32
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
func.func @left_out(%a: tensor<31x16xf32>, %b: tensor<16x31xf32>) -> (tensor<31xf32>, tensor<31xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<31x31xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<31x31xf32>) -> tensor<31x31xf32>
  %c = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<31x16xf32>, tensor<16x31xf32>) outs(%f : tensor<31x31xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<31x31xf32>
  %least = arith.constant 0xFF800000 : f32
  %e2 = tensor.empty() : tensor<31xf32>
  %f2 = linalg.fill ins(%least : f32) outs(%e2 : tensor<31xf32>) -> tensor<31xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<31x31xf32>) outs(%f2 : tensor<31xf32>) {
  ^bb0(%x: f32, %s: f32):
    %square = arith.mulf %x, %x : f32
    %p = arith.maximumf %square, %s : f32
    linalg.yield %p : f32
  } -> tensor<31xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<31xf32>) -> tensor<31xf32>
  %n = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<31x31xf32>) outs(%f3 : tensor<31xf32>) {
  ^bb0(%x: f32, %s: f32):
    %p = arith.addf %s, %x : f32
    linalg.yield %p : f32
  } -> tensor<31xf32>
  return %m, %n : tensor<31xf32>, tensor<31xf32>
}

// -----

// The place of the largest element of rows of 31, and a division of integers, would see what lies behind: nothing is
// padded.
// CHECK-LABEL: @seen
// CHECK-NOT: itensor.pack
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @seen(%a: tensor<31x16xi32>, %b: tensor<16x31xi32>) -> (tensor<31xi32>, tensor<31xindex>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<31x31xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<31x31xi32>) -> tensor<31x31xi32>
  %c = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<31x16xi32>, tensor<16x31xi32>) outs(%f : tensor<31x31xi32>) {
  ^bb0(%x: i32, %y: i32, %s: i32):
    %p = arith.muli %x, %y : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<31x31xi32>
  %e2 = tensor.empty() : tensor<31xi32>
  %f2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<31xi32>) -> tensor<31xi32>
  %q = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%c : tensor<31x31xi32>) outs(%f2 : tensor<31xi32>) {
  ^bb0(%x: i32, %s: i32):
    %seven = arith.constant 7 : i32
    %p = arith.divsi %seven, %x : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<31xi32>
  %none = arith.constant 0 : index
  %e3 = tensor.empty() : tensor<31xindex>
  %f3 = linalg.fill ins(%none : index) outs(%e3 : tensor<31xindex>) -> tensor<31xindex>
  %m:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<31x31xi32>) outs(%f2, %f3 : tensor<31xi32>, tensor<31xindex>) {
  ^bb0(%x: i32, %s: i32, %at: index):
    %j = linalg.index 1 : index
    %larger = arith.cmpi sgt, %x, %s : i32
    %p = arith.select %larger, %x, %s : i32
    %place = arith.select %larger, %j, %at : index
    linalg.yield %p, %place : i32, index
  } -> (tensor<31xi32>, tensor<31xindex>)
  return %q, %m#1 : tensor<31xi32>, tensor<31xindex>
}

// -----

// The weights of a launch that says how many rows there are stay as they are.
// CHECK-LABEL: @counted
// CHECK-NOT: itensor.pack
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @counted(%a: tensor<31x31xf32> {streamtensor.extents = ["tokens", ""]}, %b: tensor<31x31xf32>) -> tensor<31x31xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<31x31xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<31x31xf32>) -> tensor<31x31xf32>
  %c = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<31x31xf32>, tensor<31x31xf32>) outs(%f : tensor<31x31xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<31x31xf32>
  return %c : tensor<31x31xf32>
}
