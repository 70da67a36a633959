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
