// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json stop-after=place" 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json start-after=place" 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u1000.json" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json stop-after=import dump-dir=%s/folder" 2>&1 | FileCheck %s --check-prefix=FOLDER

// A mistake in an option is a message, not a crash.
// PHASE-NOT: Stack dump
// PHASE: unknown phase 'place'; the phases are import, linalg, decide, tile, kernel, fuse, pack, materialise, optimise, stream, size
// DEVICE-NOT: Stack dump
// DEVICE: unknown device '{{.*}}u1000.json'
// FOLDER: error: cannot create the directory {{.*}}pipeline-errors.mlir/folder: Not a directory
// FOLDER-NOT: module {

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
