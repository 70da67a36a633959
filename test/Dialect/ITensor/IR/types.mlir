// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: func.func private @transpose
// CHECK-SAME: !itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>
func.func private @transpose(!itensor.itensor<4x2xf32, iter_space: [4, 2] * [2, 4], iter_map: (d0, d1) -> (d1, d0)>)

// CHECK-LABEL: func.func private @revisit
// CHECK-SAME: iter_space: [4, 2, 2] * [2, 1, 4], iter_map: (d0, d1, d2) -> (d2, d0)>
func.func private @revisit(!itensor.itensor<4x2xf32, iter_space: [4, 2, 2] * [2, 1, 4], iter_map: (d0, d1, d2) -> (d2, d0)>)

// CHECK-LABEL: func.func private @two_levels
// CHECK-SAME: iter_map: (d0, d1, d2) -> (0, d0, d1 + d2)>
func.func private @two_levels(!itensor.itensor<16x1x16xf32, iter_space: [9, 2, 2] * [1, 32, 16], iter_map: (d0, d1, d2) -> (0, d0, d1 + d2)>)

// CHECK-LABEL: func.func private @windows
// CHECK-SAME: !itensor.itensor<4xi8, iter_space: [3] * [2], iter_map: (d0) -> (d0)>
func.func private @windows(!itensor.itensor<4xi8, iter_space: [3] * [2], iter_map: (d0) -> (d0)>)

// CHECK-LABEL: func.func private @skips
// CHECK-SAME: iter_map: (d0) -> (d0), of: [8]>
func.func private @skips(!itensor.itensor<1xf32, iter_space: [4] * [2], iter_map: (d0) -> (d0), of: [8]>)

// CHECK-LABEL: func.func private @scalar
// CHECK-SAME: !itensor.itensor<f32, iter_space: [] * [], iter_map: () -> ()>
func.func private @scalar(!itensor.itensor<f32, iter_space: [] * [], iter_map: () -> ()>)

// CHECK-LABEL: func.func private @vectors
// CHECK-SAME: !itensor.itensor<4x2xvector<8xi8>, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>
func.func private @vectors(!itensor.itensor<4x2xvector<8xi8>, iter_space: [2] * [4], iter_map: (d0) -> (d0, 0)>)
