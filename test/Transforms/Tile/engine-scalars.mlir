// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=16" | FileCheck %s

// Linears of an engine may give a number each, which has no row.

#k = affine_map<(k) -> (k)>
#s = affine_map<(k) -> ()>
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: dataflow.tiling<tile = [64], order = [0], unroll = [64], engine = "engine">
func.func @main(%x: tensor<128xi8>, %v: tensor<128xi8> {streamtensor.stacked, streamtensor.kind = "parameter"}, %w: tensor<128xi8> {streamtensor.stacked, streamtensor.kind = "parameter"}) -> (tensor<i32>, tensor<i32>) attributes {streamtensor.layers = 2 : i64} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %p = linalg.generic {indexing_maps = [#k, #k, #s], iterator_types = ["reduction"]} ins(%x, %v : tensor<128xi8>, tensor<128xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i8 to i32
    %q = arith.muli %l, %r : i32
    %s = arith.addi %acc, %q : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  %o = linalg.generic {indexing_maps = [#k, #k, #s], iterator_types = ["reduction"]} ins(%x, %w : tensor<128xi8>, tensor<128xi8>) outs(%init : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i8 to i32
    %q = arith.muli %l, %r : i32
    %s = arith.addi %acc, %q : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %p, %o : tensor<i32>, tensor<i32>
}
