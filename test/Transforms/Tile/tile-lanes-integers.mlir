// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="suit-tiles exact-shares" | FileCheck %s

// A product of small integers takes half of a DSP, so where the device decides tiles and shares suit ten times the lanes
// that floats would have: 3,520 of 1,998 DSPs of a die, not 352.
// CHECK: tile = [16, 44, 50], order = [0, 1, 2], unroll = [8, 44, 10]

#A = affine_map<(m, n, k) -> (m, k)>
#B = affine_map<(m, n, k) -> (k, n)>
#C = affine_map<(m, n, k) -> (m, n)>
func.func @integers(%a: tensor<192x200xi8>, %b: tensor<200x176xi8>) -> tensor<192x176xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<192x176xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<192x176xi32>) -> tensor<192x176xi32>
  %y = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<192x200xi8>, tensor<200x176xi8>) outs(%z : tensor<192x176xi32>) {
  ^bb0(%l: i8, %r: i8, %c: i32):
    %lw = arith.extsi %l : i8 to i32
    %rw = arith.extsi %r : i8 to i32
    %p = arith.muli %lw, %rw : i32
    %s = arith.addi %c, %p : i32
    linalg.yield %s : i32
  } -> tensor<192x176xi32>
  return %y : tensor<192x176xi32>
}
