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
