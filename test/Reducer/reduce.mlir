// The command fails wherever a tanh is computed: one operation shows it.
// RUN: streamtensor-reduce %s --test='! grep -q math.tanh $PROGRAM' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s < %t.mlir
// NOTE: note: tried {{[0-9]+}} programs that are smaller
// CHECK: func.func @main(%[[x:[a-z0-9]+]]: tensor<4xf32>, %[[y:[a-z0-9]+]]: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: linalg.generic
// CHECK-NEXT: bb0
// CHECK-NEXT: math.tanh
// CHECK-NEXT: linalg.yield
// CHECK-NEXT: }
// CHECK-NEXT: return

// Without time the program stays as it is.
// RUN: streamtensor-reduce %s --test='! grep -q math.tanh $PROGRAM' --time-limit=0 | FileCheck %s --check-prefix=WHOLE
// WHOLE-COUNT-3: linalg.generic

// RUN: not streamtensor-reduce %s --test=true 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: the command succeeds on the program: there is nothing to look for

// A command that does not end has failed, too.
// RUN: streamtensor-reduce %s --test='! grep -q math.exp $PROGRAM || sleep 60' --test-time-limit=1 --time-limit=1 | FileCheck %s --check-prefix=SLOW
// SLOW: math.exp

func.func @main(%a: tensor<4xf32>, %unused: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %0 = arith.addf %l, %r : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %r : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %z, %x : tensor<4xf32>, tensor<4xf32>
}
