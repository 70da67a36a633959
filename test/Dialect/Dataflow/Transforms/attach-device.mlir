// RUN: streamtensor-opt %s --dataflow-attach-device=device=u55c -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: streamtensor-opt %t.mlir --verify-roundtrip --dataflow-attach-device=device=%devices/u55c.json | diff - %t.mlir

// A card of one's own: another name, faster memory.
// RUN: sed -e 's/"name": "u55c"/"name": "own"/' -e 's/"read_latency": 77/"read_latency": 50/' %devices/u55c.json > %t.json
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json | FileCheck %s --check-prefix=OWN
// RUN: not streamtensor-opt %t.mlir --dataflow-attach-device=device=%t.json 2>&1 | FileCheck %s --check-prefix=OTHER

// The file is the module's from here on, sources and all.
// CHECK: #device_u55c = #dataflow.device<"u55c", {
// CHECK-NEXT: card = "Alveo U55C",
// CHECK-NEXT: clock_mhz = {source = "{{.+}}", value = 250 : i64},
// CHECK: operators = {{.*}}mul_pair_int = {cycles = 4 : i64, dsp = 5.000000e-01 : f64
// CHECK: module attributes {dataflow.device = #device_u55c}

// OWN: #device_own = #dataflow.device<"own", {
// OWN: read_latency = 50 : i64
// OTHER: error: [module.device] the module was compiled for device 'u55c', and that holds; {{.*}} is another: it describes 'own'; name no device, or compile for that one from the phase import
