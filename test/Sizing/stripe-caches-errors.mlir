// RUN: sed -E 's/("SLR[12]", "lut": )[0-9]+/\10/; s/("SLR0", "lut": )[0-9]+/\17500/' %devices/u55c.json > %t.json
// RUN: streamtensor-opt %S/stripe-caches.mlir --dataflow-attach-device=device=%t.json --streamtensor-size-phase 2>&1 | FileCheck %s

// A die that holds the design with one master for the cache, and not with two.
// CHECK: warning: [ports.stripes] a launch that reads all of a cache waits for its one memory channel (keys): in 2 stripes, no way was found to divide it among the dies; {{[0-9,]+}} LUTs on SLR0, where 5,625 can be placed
// CHECK: dataflow.port inout "keys" via %gmem_keys : <64x64xi8>
