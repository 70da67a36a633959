// Leaves that dies do not hold: an error before FIFOs have depths where another design would be compiled instead; else the
// design is made, and what it takes is reported.
// RUN: sed -E 's/("SLR[012]", "lut": )[0-9]+/\1300/' %devices/u55c.json > %t.json
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%t.json unroll=8 refuse-unfit=true" 2>&1 | FileCheck %s
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%t.json unroll=8" | FileCheck %s --check-prefix=MADE
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=8 refuse-unfit=true" | FileCheck %s --check-prefix=MADE

// Limits are checked there too: the product alone has 1,024 iterations, the design takes 1,160 cycles.
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=8 most-dsps=151" 2>&1 | FileCheck %s --check-prefix=DSPS
// RUN: not streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=8 most-cycles=1023" 2>&1 | FileCheck %s --check-prefix=CYCLES
// RUN: streamtensor-opt %s --streamtensor-pipeline="device=%devices/u55c.json unroll=8 most-dsps=152 most-cycles=1160" | FileCheck %s --check-prefix=MADE

// CHECK: error: [size.unfit] the design takes more than the device has on chip, even without the memory of FIFOs; lut {{[0-9,]+}} of 675 that can be placed
// CHECK-NOT: dataflow.design
// DSPS: error: [size.limit] the design takes 152 DSPs, more than the 151 asked for
// CYCLES: error: [size.limit] a launch takes more than the 1023 cycles asked for, even with FIFOs that hold all
// MADE: dataflow.design @accelerator

func.func @main(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
