// RUN: streamtensor-opt %s %u55c --streamtensor-decide-tiling="tile-size=8 unroll=4" --streamtensor-write-schedule="file=%t.json" -o /dev/null
// RUN: not streamtensor-opt %s %u55c --streamtensor-write-schedule="file=%t.none.json" 2>&1 | FileCheck %s --check-prefix=UNDECIDED
// RUN: not streamtensor-opt %s %u55c --streamtensor-decide-tiling --streamtensor-write-schedule="file=%s/none.json" 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.none.json" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/"device": "u55c"/"device": "card"/' %t.json > %t.card.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.card.json" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: sed 's/arith.negf/math.absf/' %s > %t.other.mlir
// RUN: not streamtensor-opt %t.other.mlir %u55c --streamtensor-read-schedule="file=%t.json" 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: head -c 100 %t.json > %t.cut.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.cut.json" 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: echo '[4]' > %t.list.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.list.json" 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: sed 's/"unroll": .*/"unroll": [1, 3],/' %t.json > %t.unroll.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.unroll.json" 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: sed 's/"unroll": .*/"unroll": [2, 8],/' %t.json > %t.rows.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.rows.json" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/"tile": .*/"tile": [1.5, 8],/' %t.json > %t.half.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.half.json" 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: sed 's/"engine": .*/"engine": "macs"/' %t.json > %t.engine.json
// RUN: not streamtensor-opt %s %u55c --streamtensor-read-schedule="file=%t.engine.json" 2>&1 | FileCheck %s --check-prefix=ENGINE

// Every mistake in a schedule is named: the file, the entry, the field, why, and what would do.

// UNDECIDED: error: {{.*}}[tiling.missing] has no #dataflow.tiling
// FOLDER: schedule-errors.mlir/none.json
// FOLDER-SAME: error: cannot open output file
// NONE: none.json{{.*}} error: the schedule cannot be read: cannot open input file
// DEVICE: error: the schedule was made for the device 'card', this compilation is for 'u55c'; compile for that device, or put "u55c" into the field 'device' to take its choices over
// PROGRAM: error: this is the schedule of another program (digest {{[0-9a-f]+}}, this one has {{[0-9a-f]+}}), or of this one padded otherwise; give the --padding that it was made with, or compile without a schedule and edit what that writes
// JSON: error: the schedule cannot be read: this is no JSON: [
// OBJECT: error: the schedule cannot be read: a schedule is an object with fields
// UNROLL: unroll.json:7:{{.*}} error: the schedule's entry for operation 'act', number 0, cannot be applied: [tiling.unroll] 'unroll' is 3 for loop 1, which does not divide the tile 8; it can be 1, 2, 4, 8
// ROWS: error: the schedule's entry for operation 'act', number 0, cannot be applied: [tiling.unroll] 'unroll' is 2 for loop 0, yet an operation that multiplies nothing up takes its rows as they come; it can be 1 there, and more for loop 1
// HALF: error: the schedule cannot be read: entry 0 of 'operations', 'act': 'tile' is [1.5,8]; it must be a list of whole numbers
// ENGINE: error: the schedule's entry for operation 'act', number 0, cannot be applied: [tiling.engine] is 'macs', but only contractions have products that an engine makes; it can be null

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<8x32xf32> loc("act")
  return %a : tensor<8x32xf32>
}
