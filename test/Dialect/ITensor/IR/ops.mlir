// RUN: %roundtrip %s | FileCheck %s

!rows = !itensor.itensor<16x16xf32, iter_space: [36] * [16], iter_map: (d0) -> (0, d0)>
!split = !itensor.itensor<16x16xf32, iter_space: [9, 4] * [64, 16], iter_map: (d0, d1) -> (0, d0 + d1)>
!heads = !itensor.itensor<16x1x16xf32, iter_space: [9, 4] * [1, 16], iter_map: (d0, d1) -> (0, d0, d1)>
!half = !itensor.itensor<16x1x16xf32, iter_space: [9, 2] * [1, 16], iter_map: (d0, d1) -> (0, d0, d1)>
!again = !itensor.itensor<16x16xf32, iter_space: [12, 36] * [1, 16], iter_map: (d0, d1) -> (0, d1)>
!skips = !itensor.itensor<16x16xf32, iter_space: [18] * [32], iter_map: (d0) -> (0, d0), of: [16, 576]>
!padded = !itensor.itensor<16x16xf32, iter_space: [38] * [16], iter_map: (d0) -> (0, d0)>

// CHECK-LABEL: func.func @orders
func.func @orders(%t: tensor<16x576xf32>) -> tensor<16x576xf32> {
  // CHECK: itensor.from_tensor %{{.*}} : tensor<16x576xf32> -> <16x16xf32, iter_space: [36] * [16], iter_map: (d0) -> (0, d0)>
  %x = itensor.from_tensor %t : tensor<16x576xf32> -> !rows
  // CHECK: itensor.from_tensor {{.*}} of: [16, 576]>
  %s = itensor.from_tensor %t : tensor<16x576xf32> -> !skips
  // CHECK: %[[fork:.*]]:3 = itensor.fork
  %f:3 = itensor.fork %x : !rows -> !rows, !rows, !rows
  // CHECK: itensor.converter %[[fork]]#0 {{.*}} iter_map: (d0, d1) -> (0, d1)>
  %c = itensor.converter %f#0 : !rows to !again
  // CHECK: itensor.cast %[[fork]]#1
  %y = itensor.cast %f#1 : !rows to !split
  // CHECK: itensor.reassociate %{{.*}} {{\[\[}}0], [1, 2]]
  %h = itensor.reassociate %y [[0], [1, 2]] : !split to !heads
  // CHECK: itensor.chunk %{{.*}} dim 2
  %lo, %hi = itensor.chunk %h dim 2 : !heads -> !half, !half
  // CHECK: itensor.concat %{{.*}}, %{{.*}} dim 2
  %j = itensor.concat %hi, %lo dim 2 : !half, !half -> !heads
  // CHECK: itensor.reassociate %{{.*}} {{\[\[}}0], [1, 2]]
  %b = itensor.reassociate %j [[0], [1, 2]] : !heads to !rows
  // CHECK: itensor.pad %{{.*}} low [0, 16] high [0, 16] value 0.000000e+00 : f32
  %p = itensor.pad %f#2 low [0, 16] high [0, 16] value 0.0 : f32 : !rows to !padded
  // CHECK: itensor.to_tensor
  %r = itensor.to_tensor %b : !rows -> tensor<16x576xf32>
  return %r : tensor<16x576xf32>
}

!a = !itensor.itensor<4x2xf32, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!b = !itensor.itensor<4x2xf32, iter_space: [2, 3, 4] * [4, 1, 2], iter_map: (d0, d1, d2) -> (d0, d2)>
!row = !itensor.itensor<4x2xf32, iter_space: [4] * [2], iter_map: (d0) -> (0, d0)>

// A nest reads with a revisit, holds a token in its innermost loop, and a guard
// fixes the outer loop of the read of a row.
// CHECK-LABEL: func.func @nest
func.func @nest(%a: !a, %b: !b, %row: !row) -> !a {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // CHECK: itensor.empty
  %e = itensor.empty : !a
  // CHECK: itensor.instance
  %i = itensor.instance : !a
  scf.for %n = %c0 to %c8 step %c4 {
    scf.for %r = %c0 to %c3 step %c1 {
      scf.for %k = %c0 to %c4 step %c1 {
        // CHECK: itensor.read %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] {{.*}} -> tensor<4x2xf32>
        %t = itensor.read %b[%n, %r, %k] : !b -> tensor<4x2xf32>
        %first = arith.cmpi eq, %n, %c0 : index
        %start = arith.cmpi eq, %r, %c0 : index
        %both = arith.andi %first, %start : i1
        scf.if %both {
          %g = itensor.read %row[%k] : !row -> tensor<4x2xf32>
        }
      }
    }
  }
  %res = scf.for %n = %c0 to %c2 step %c1 iter_args(%x = %e) -> !a {
    %inner = scf.for %k = %c0 to %c4 step %c1 iter_args(%y = %x) -> !a {
      %held = itensor.read %a[%n, %k] : !a -> tensor<4x2xf32>
      // CHECK: itensor.write %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}]
      %w = itensor.write %held into %y[%n, %k] : tensor<4x2xf32>, !a
      scf.yield %w : !a
    }
    scf.yield %inner : !a
  }
  scf.for %n = %c0 to %c2 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      scf.for %hold = %c0 to %c8 step %c1 {
        %t = itensor.read %a[%n, %k] : !a -> tensor<4x2xf32>
      }
    }
  }
  return %res : !a
}

!flags = !itensor.itensor<4x2xi1, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>
!pairs = !itensor.itensor<4x2xtuple<f32, i1>, iter_space: [2, 4] * [4, 2], iter_map: (d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @join
func.func @join(%x: !a, %m: !flags) -> !pairs {
  // CHECK: itensor.join %{{.*}}, %{{.*}} : {{.*}} -> <4x2xtuple<f32, i1>, iter_space: [2, 4] * [4, 2]
  %z = itensor.join %x, %m : !a, !flags -> !pairs
  return %z : !pairs
}

// CHECK-LABEL: func.func @unjoin
func.func @unjoin(%z: !pairs) -> (!a, !flags) {
  // CHECK: itensor.unjoin %{{.*}} : <4x2xtuple<f32, i1>, {{.*}} -> !itensor.itensor<4x2xf32, {{.*}}, !itensor.itensor<4x2xi1
  %u, %v = itensor.unjoin %z : !pairs -> !a, !flags
  return %u, %v : !a, !flags
}

// Tiles of 16x4, row by row of tiles: the loops that move, then the token.
// CHECK-LABEL: func.func @pack
func.func @pack(%m: tensor<32x8xf32>) -> tensor<2x2x16x4xf32> {
  // CHECK: itensor.pack %{{.*}} strides [128, 4, 8, 1] offset 0
  %q = itensor.pack %m strides [128, 4, 8, 1] offset 0 : tensor<32x8xf32> -> tensor<2x2x16x4xf32>
  return %q : tensor<2x2x16x4xf32>
}

// And back.
// CHECK-LABEL: func.func @unpack
func.func @unpack(%q: tensor<2x2x16x4xf32>) -> tensor<32x8xf32> {
  // CHECK: itensor.unpack %{{.*}} strides [128, 4, 8, 1] : tensor<2x2x16x4xf32> -> tensor<32x8xf32>
  %u = itensor.unpack %q strides [128, 4, 8, 1] : tensor<2x2x16x4xf32> -> tensor<32x8xf32>
  return %u : tensor<32x8xf32>
}

// Rows of 6 in words of 4, with 3 elements each.
// CHECK-LABEL: func.func @words
func.func @words(%m: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: %[[q:.*]] = itensor.pack %{{.*}} strides [6, 3, 1] offset 0 lanes 3 : tensor<4x6xf32> -> tensor<4x2x4xf32>
  %q = itensor.pack %m strides [6, 3, 1] offset 0 lanes 3 : tensor<4x6xf32> -> tensor<4x2x4xf32>
  // CHECK: itensor.unpack %[[q]] strides [6, 3, 1] lanes 3 : tensor<4x2x4xf32> -> tensor<4x6xf32>
  %u = itensor.unpack %q strides [6, 3, 1] lanes 3 : tensor<4x2x4xf32> -> tensor<4x6xf32>
  return %u : tensor<4x6xf32>
}

!grid = !itensor.itensor<2x6xf32, iter_space: [2, 3] * [2, 6], iter_map: (d0, d1) -> (d0, d1)>
!gridagain = !itensor.itensor<2x6xf32, iter_space: [2, 5, 3] * [2, 1, 6], iter_map: (d0, d1, d2) -> (d0, d2)>

// Packed tokens: in the order of the type, in another order of its loops, in words; a revisit has no place.
// CHECK-LABEL: func.func @packed
func.func @packed(%a: tensor<2x3x2x6xf32>, %b: tensor<3x2x2x6xf32>, %c: tensor<2x3x2x2x4xf32>) -> (tensor<2x3x2x6xf32>, tensor<3x2x2x6xf32>, tensor<3x2x2x2x4xf32>, !gridagain) {
  // CHECK: itensor.from_tensor %{{.*}} packed : tensor<2x3x2x6xf32> ->
  %x = itensor.from_tensor %a packed : tensor<2x3x2x6xf32> -> !grid
  // CHECK: itensor.from_tensor %{{.*}} packed order [1, 0] : tensor<3x2x2x6xf32> ->
  %y = itensor.from_tensor %b packed order [1, 0] : tensor<3x2x2x6xf32> -> !grid
  // CHECK: itensor.from_tensor %{{.*}} packed lanes 3 : tensor<2x3x2x2x4xf32> ->
  %z = itensor.from_tensor %c packed lanes 3 : tensor<2x3x2x2x4xf32> -> !grid
  // CHECK: itensor.from_tensor %{{.*}} packed order [2, 0] : tensor<3x2x2x6xf32> ->
  %w = itensor.from_tensor %b packed order [2, 0] : tensor<3x2x2x6xf32> -> !gridagain
  // CHECK: itensor.to_tensor %{{.*}} packed :
  %u = itensor.to_tensor %x packed : !grid -> tensor<2x3x2x6xf32>
  // CHECK: itensor.to_tensor %{{.*}} packed order [1, 0] :
  %v = itensor.to_tensor %y packed order [1, 0] : !grid -> tensor<3x2x2x6xf32>
  // CHECK: itensor.to_tensor %{{.*}} packed order [1, 0] lanes 3 :
  %t = itensor.to_tensor %z packed order [1, 0] lanes 3 : !grid -> tensor<3x2x2x2x4xf32>
  return %u, %v, %t, %w : tensor<2x3x2x6xf32>, tensor<3x2x2x6xf32>, tensor<3x2x2x2x4xf32>, !gridagain
}
