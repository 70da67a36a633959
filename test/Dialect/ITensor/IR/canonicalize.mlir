// RUN: streamtensor-opt %s -canonicalize -cse | FileCheck %s

!one = !itensor.itensor<4x4xf32, iter_space: [8] * [4], iter_map: (d0) -> (0, d0)>
!two = !itensor.itensor<4x4xf32, iter_space: [2, 4] * [16, 4], iter_map: (d0, d1) -> (0, d0 + d1)>
!three = !itensor.itensor<4x4xf32, iter_space: [2, 2, 2] * [16, 8, 4], iter_map: (d0, d1, d2) -> (0, d0 + d1 + d2)>
!other = !itensor.itensor<4x2xf32, iter_space: [16] * [2], iter_map: (d0) -> (0, d0)>

// CHECK-LABEL: func.func @cast_of_cast
// CHECK-SAME: %[[x:[a-z0-9]*]]:
func.func @cast_of_cast(%x: !one) -> (!three, !one) {
  %0 = itensor.cast %x : !one to !two
  // CHECK: %[[c:.*]] = itensor.cast %[[x]] : <4x4xf32, iter_space: [8] * [4]{{.*}} to <4x4xf32, iter_space: [2, 2, 2]
  %1 = itensor.cast %0 : !two to !three
  %2 = itensor.cast %1 : !three to !one
  // CHECK-NOT: itensor.cast
  // CHECK: return %[[c]], %[[x]]
  return %1, %2 : !three, !one
}

// CHECK-LABEL: func.func @identities
// CHECK-SAME: %[[x:[a-z0-9]*]]:
func.func @identities(%x: !one) -> (!one, !one, !one) {
  %0 = itensor.converter %x : !one to !one
  %1 = itensor.reassociate %x [[0], [1]] : !one to !one
  %2:2 = itensor.fork %x : !one -> !one, !one
  // CHECK-NEXT: return %[[x]], %[[x]], %[[x]]
  return %0, %1, %2#1 : !one, !one, !one
}

// CHECK-LABEL: func.func @converter
func.func @converter(%x: !one, %y: !one) -> (!two, !other) {
  // CHECK: itensor.cast
  %0 = itensor.converter %x : !one to !two
  // Another tile is another order, though the elements come in the same one.
  // CHECK: itensor.converter
  %1 = itensor.converter %y : !one to !other
  return %0, %1 : !two, !other
}

// CHECK-LABEL: func.func @fork
func.func @fork(%x: !one) -> (!one, !one) {
  // CHECK: %[[f:.*]]:2 = itensor.fork
  %0:3 = itensor.fork %x : !one -> !one, !one, !one
  // CHECK: return %[[f]]#0, %[[f]]#1
  return %0#0, %0#2 : !one, !one
}

// Equal converters merge.
// CHECK-LABEL: func.func @merge
func.func @merge(%x: !one) -> (!other, !other) {
  %0 = itensor.converter %x : !one to !other
  %1 = itensor.converter %x : !one to !other
  // CHECK: %[[c:.*]] = itensor.converter
  // CHECK-NEXT: return %[[c]], %[[c]]
  return %0, %1 : !other, !other
}

!two_quarters = !itensor.itensor<4x4xf32, iter_space: [4] * [4], iter_map: (d0) -> (0, d0)>
!heads = !itensor.itensor<4x1x4xf32, iter_space: [4, 2] * [1, 4], iter_map: (d0, d1) -> (0, d0, d1)>
!head = !itensor.itensor<4x1x4xf32, iter_space: [2] * [4], iter_map: (d0) -> (0, 0, d0)>

// Splitting a dimension and grouping it again is nothing.
// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME: %[[x:[a-z0-9]*]]:
func.func @there_and_back(%x: !one) -> !one {
  %0 = itensor.reassociate %x [[0], [1, 2]] : !one to !heads
  %1 = itensor.reassociate %0 [[0], [1, 2]] : !heads to !one
  // CHECK-NEXT: return %[[x]]
  return %1 : !one
}

!quarter = !itensor.itensor<4x4xf32, iter_space: [2] * [4], iter_map: (d0) -> (0, d0)>
!rest = !itensor.itensor<4x4xf32, iter_space: [6] * [4], iter_map: (d0) -> (0, d0)>

// The parts of what was put together, and what was cut put together again.
// CHECK-LABEL: func.func @cut_and_join
// CHECK-SAME: %[[a:[a-z0-9]*]]: {{.*}}, %[[b:[a-z0-9]*]]: {{.*}}, %[[x:[a-z0-9]*]]:
func.func @cut_and_join(%a: !quarter, %b: !rest, %x: !one) -> (!quarter, !rest, !one) {
  %0 = itensor.concat %a, %b dim 1 : !quarter, !rest -> !one
  %1:2 = itensor.chunk %0 dim 1 : !one -> !quarter, !rest
  %2:2 = itensor.chunk %x dim 1 : !one -> !quarter, !rest
  %3 = itensor.concat %2#0, %2#1 dim 1 : !quarter, !rest -> !one
  // CHECK-NEXT: return %[[a]], %[[b]], %[[x]]
  return %1#0, %1#1, %3 : !quarter, !rest, !one
}

// Parts in another order stay.
// CHECK-LABEL: func.func @exchange
func.func @exchange(%x: !two_quarters) -> !two_quarters {
  // CHECK-NEXT: itensor.chunk
  %0:2 = itensor.chunk %x dim 1 : !two_quarters -> !quarter, !quarter
  // CHECK-NEXT: itensor.concat
  %1 = itensor.concat %0#1, %0#0 dim 1 : !quarter, !quarter -> !two_quarters
  return %1 : !two_quarters
}

// CHECK-LABEL: func.func @whole
// CHECK-SAME: %[[x:[a-z0-9]*]]:
func.func @whole(%x: !one) -> (!one, !one, !one) {
  %0 = itensor.chunk %x dim 1 : !one -> !one
  %1 = itensor.concat %x dim 1 : !one -> !one
  %2 = itensor.pad %x low [0, 0] high [0, 0] value 0.0 : f32 : !one to !one
  // CHECK-NEXT: return %[[x]], %[[x]], %[[x]]
  return %0, %1, %2 : !one, !one, !one
}

// CHECK-LABEL: func.func @pack_of_unpack
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x3x16x16xf32>
// CHECK-NEXT: return %[[Q]]
func.func @pack_of_unpack(%q: tensor<2x3x16x16xf32>) -> tensor<2x3x16x16xf32> {
  %x = itensor.unpack %q strides [768, 16, 48, 1] : tensor<2x3x16x16xf32> -> tensor<32x48xf32>
  %p = itensor.pack %x strides [768, 16, 48, 1] offset 0 : tensor<32x48xf32> -> tensor<2x3x16x16xf32>
  return %p : tensor<2x3x16x16xf32>
}

// CHECK-LABEL: func.func @unpack_of_pack
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x6xf32>
// CHECK-NEXT: return %[[X]]
func.func @unpack_of_pack(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %p = itensor.pack %x strides [6, 3, 1] offset 0 lanes 3 : tensor<4x6xf32> -> tensor<4x2x4xf32>
  %u = itensor.unpack %p strides [6, 3, 1] lanes 3 : tensor<4x2x4xf32> -> tensor<4x6xf32>
  return %u : tensor<4x6xf32>
}

// A layer ends with a reshape and the next begins with its inverse, and extents of 1 say nothing.
// CHECK-LABEL: func.func @between_layers
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<36x16x16xf32>
// CHECK-NOT: pack
// CHECK: %[[P:.*]] = tensor.expand_shape %[[Q]] {{.*}} output_shape [1, 36, 16, 16]
// CHECK: return %[[P]]
func.func @between_layers(%q: tensor<36x16x16xf32>) -> tensor<1x36x16x16xf32> {
  %u = itensor.unpack %q strides [16, 576, 1] : tensor<36x16x16xf32> -> tensor<16x576xf32>
  %y = tensor.expand_shape %u [[0, 1], [2]] output_shape [1, 16, 576] : tensor<16x576xf32> into tensor<1x16x576xf32>
  %x = tensor.collapse_shape %y [[0, 1], [2]] : tensor<1x16x576xf32> into tensor<16x576xf32>
  %p = itensor.pack %x strides [9216, 16, 576, 1] offset 0 : tensor<16x576xf32> -> tensor<1x36x16x16xf32>
  return %p : tensor<1x36x16x16xf32>
}

// Other strides, other words, or a part: there is something to do.
// CHECK-LABEL: func.func @layouts_differ
// CHECK-COUNT-3: itensor.pack
// CHECK: return
func.func @layouts_differ(%q: tensor<2x2x4x4xf32>) -> (tensor<2x2x4x4xf32>, tensor<16x4xf32>, tensor<8x4xf32>) {
  %x = itensor.unpack %q strides [32, 4, 8, 1] : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
  %a = itensor.pack %x strides [4, 32, 8, 1] offset 0 : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  %b = itensor.pack %x strides [3, 1] offset 0 lanes 3 : tensor<8x8xf32> -> tensor<16x4xf32>
  %c = itensor.pack %x strides [8, 1] offset 4 : tensor<8x8xf32> -> tensor<8x4xf32>
  return %a, %b, %c : tensor<2x2x4x4xf32>, tensor<16x4xf32>, tensor<8x4xf32>
}

!member = !itensor.itensor<2xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0)>
!respelled = !itensor.itensor<2xf32, iter_space: [2, 2] * [4, 2], iter_map: (d0, d1) -> (d0 + d1)>
!both = !itensor.itensor<2xtuple<f32, f32>, iter_space: [4] * [2], iter_map: (d0) -> (d0)>

// CHECK-LABEL: func.func @tuples
// CHECK-SAME: (%[[a:.*]]: !itensor{{.*}}, %[[b:.*]]: !itensor{{.*}}, %[[t:.*]]: !itensor
func.func @tuples(%a: !member, %b: !member, %t: !both) -> (!respelled, !member, !both, !both) {
  // What was joined comes out again.
  // CHECK: %[[c:.*]] = itensor.cast %[[a]]
  %z = itensor.join %a, %b : !member, !member -> !both
  %u, %v = itensor.unjoin %z : !both -> !respelled, !member
  // What was taken apart is put together again; in another order it is another stream.
  // CHECK: %[[m:.*]]:2 = itensor.unjoin %[[t]]
  // CHECK: %[[s:.*]] = itensor.join %[[m]]#1, %[[m]]#0
  // CHECK: return %[[c]], %[[b]], %[[t]], %[[s]]
  %m, %n = itensor.unjoin %t : !both -> !member, !member
  %same = itensor.join %m, %n : !member, !member -> !both
  %swapped = itensor.join %n, %m : !member, !member -> !both
  return %u, %v, %same, %swapped : !respelled, !member, !both, !both
}
