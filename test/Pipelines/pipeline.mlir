// RUN: rm -rf %t && mkdir %t
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=8 unroll=4 decision=rules dump-dir=%t" -o %t/whole.mlir
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=TILE < %t/04-tile.mlir
// RUN: FileCheck %s --check-prefix=STREAM < %t/10-stream.mlir
// RUN: FileCheck %s --check-prefix=SIZE < %t/11-size.mlir

// A run that stops after a phase prints what the whole run wrote for it, and one that starts
// there ends like the whole run.
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json tile-size=8 unroll=4 decision=rules stop-after=fuse" --mlir-print-debuginfo -o %t/stopped.mlir
// RUN: diff %t/stopped.mlir %t/06-fuse.mlir
// RUN: streamtensor-opt %t/06-fuse.mlir --streamtensor-pipeline="tile-size=8 unroll=4 start-after=fuse" -o %t/resumed.mlir
// RUN: diff %t/resumed.mlir %t/whole.mlir

// The module's own device holds: naming it again changes nothing, naming another is an error.
// RUN: streamtensor-opt %t/06-fuse.mlir --streamtensor-pipeline="device=u55c tile-size=8 unroll=4 start-after=fuse" -o %t/again.mlir
// RUN: diff %t/again.mlir %t/whole.mlir
// RUN: sed -e 's/"burst_gap": 5/"burst_gap": 6/' %devices/u55c.json > %t/other.json
// RUN: not streamtensor-opt %t/06-fuse.mlir --streamtensor-pipeline="device=%t/other.json start-after=fuse" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not streamtensor-sim %t/11-size.mlir --device %t/other.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not streamtensor-translate %t/11-size.mlir --device %t/other.json --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not ls %t/out
// RUN: streamtensor-sim %t/11-size.mlir > %t/cycles
// RUN: streamtensor-sim %t/11-size.mlir --device %devices/u55c.json | diff - %t/cycles
// RUN: streamtensor-opt %t/04-tile.mlir --streamtensor-pipeline="start-after=tile stop-after=kernel" | FileCheck %s --check-prefix=KERNEL

// OTHER: error: [module.device] the module was compiled for device 'u55c', and that holds; '{{.*}}other.json' is another: 'memory_port.burst_gap' is 5 there, 6 here; name no device, or compile for that one from the phase import

// FILES: 01-import.mlir
// FILES-NEXT: 02-linalg.mlir
// FILES-NEXT: 03-decide.mlir
// FILES-NEXT: 04-tile.mlir
// FILES-NEXT: 05-kernel.mlir
// FILES-NEXT: 06-fuse.mlir
// FILES-NEXT: 07-pack.mlir
// FILES-NEXT: 08-materialise.mlir
// FILES-NEXT: 09-optimise.mlir
// FILES-NEXT: 10-stream.mlir
// FILES-NEXT: 11-size.mlir

// TILE: scf.for
// TILE: linalg.generic {{.*}}{dataflow.tiling
// TILE: loc("model.act"
// KERNEL: dataflow.kernel "model_act"
// KERNEL-NOT: dataflow.leaf
// STREAM: dataflow.stream "{{.*}}" : <vector<8xf32>>
// STREAM: dataflow.leaf
// SIZE: dataflow.stream {{.*}} : <vector<8xf32>, {{[0-9]+}}>
// SIZE: dataflow.leaf {{.*}}ii = 1 : i64

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.absf %v : f32
    linalg.yield %n : f32
  } -> tensor<8x32xf32> loc("model.act")
  return %a : tensor<8x32xf32>
}
