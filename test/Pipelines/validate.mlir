// A pass that turns subtractions around is named, leaves its input behind, and the program is made
// as small as shows it. All files are programs that the driver can run again.

// RUN: rm -rf %t
// RUN: not streamtensor-test-opt %s --validate --validate-seed=7 --validate-dir=%t --pass-pipeline='builtin.module(canonicalize,func.func(test-turn-subtractions),cse)' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: pass 'test-turn-subtractions' changes what the program computes: element [0, 0] of result 0 is {{.*}} instead of {{.*}} (random arguments of seed 7)
// WRONG: note: the pass's input is in {{.*}}validate-test-turn-subtractions.mlir; its first line is the command that shows the fault
// WRONG: note: the program, made as small as shows the fault, is in {{.*}}reduced-test-turn-subtractions.mlir

// RUN: FileCheck %s --check-prefix=INPUT < %t/validate-test-turn-subtractions.mlir
// INPUT: // streamtensor-opt {{.*}}validate-test-turn-subtractions.mlir --pass-pipeline='builtin.module(func.func(test-turn-subtractions))' --validate --validate-seed=7
// INPUT-COUNT-6: linalg.generic

// RUN: FileCheck %s --check-prefix=REDUCED < %t/reduced-test-turn-subtractions.mlir
// REDUCED: func.func @main({{[^,]*}}, {{[^,]*}}, {{[^,]*}}) -> tensor<4x6xf32> {
// REDUCED-NEXT: linalg.generic
// REDUCED-NEXT: bb0
// REDUCED-NEXT: arith.subf
// REDUCED-NEXT: linalg.yield
// REDUCED-NEXT: }
// REDUCED-NEXT: return

// RUN: head -1 %t/validate-test-turn-subtractions.mlir | sed -e 's|// streamtensor-opt|not streamtensor-test-opt --validate-dir=%t/again|' > %t/again.sh
// RUN: head -1 %t/reduced-test-turn-subtractions.mlir | sed -e 's|// streamtensor-opt|not streamtensor-test-opt --validate-dir=%t/again|' >> %t/again.sh
// RUN: sh -e %t/again.sh 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN-COUNT-2: error: pass 'test-turn-subtractions' changes what the program computes

// A pass whose output has no meaning is wrong too.
// RUN: not streamtensor-test-opt %s --validate --validate-dir=%t --validate-reduce-seconds=0 --pass-pipeline='builtin.module(func.func(test-lose-products))' 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: error: pass 'test-lose-products' changes what the program computes: its output cannot be executed: the interpreter does not know 'builtin.unrealized_conversion_cast'

// All passes of a compilation are right, and validation changes nothing of the output.
// RUN: streamtensor-opt %s --validate --validate-dir=%t/right --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=32" -o %t/validated.mlir
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=4 unroll=32" -o %t/plain.mlir
// RUN: diff %t/validated.mlir %t/plain.mlir
// RUN: not ls %t/right

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %v = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %g = linalg.fill ins(%low : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %h = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x6xf32>) outs(%g : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.maximumf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %max : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.subf %x, %y : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<4x6xf32>) outs(%h : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %soft = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.divf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%soft, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %r, %m : tensor<4x6xf32>, tensor<4x6xf32>
}
