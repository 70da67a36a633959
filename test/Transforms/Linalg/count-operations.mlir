// RUN: streamtensor-opt %s --pass-pipeline='builtin.module(func.func(streamtensor-count-operations))' -o /dev/null | FileCheck %s
// RUN: streamtensor-opt %s --pass-pipeline='builtin.module(func.func(streamtensor-count-operations{operations=arith.addf,math.erf}))' -o /dev/null | FileCheck %s --check-prefix=CHOSEN

// CHECK: {{^}}arith.divf 4{{$}}
// CHECK-NEXT: {{^}}math.exp 52{{$}}
// CHECK-NOT: arith.addf

// CHOSEN: {{^}}arith.addf 24{{$}}
// CHOSEN-NEXT: {{^}}math.erf 0{{$}}
func.func @main(%x: tensor<4x6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %e = math.exp %in : f32
    %f = math.exp %e : f32
    %s = arith.addf %acc, %f : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    %d = arith.divf %e, %in : f32
    linalg.yield %d : f32
  } -> tensor<4xf32>
  return %b : tensor<4xf32>
}
