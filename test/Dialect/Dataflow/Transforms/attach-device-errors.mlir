// RUN: not streamtensor-opt %s --dataflow-attach-device=device=nosuch 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=nosuch/u55c.json 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not streamtensor-opt %s --dataflow-attach-device 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo '{"name": "card",}' > %t.cut.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.cut.json 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: sed -e 's/, "burst_gap": 5//' %devices/u55c.json > %t.gap.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.gap.json 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: sed -e 's/"bram": {"read": 2, /"bram": {/' %devices/u55c.json > %t.bram.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.bram.json 2>&1 | FileCheck %s --check-prefix=BRAM

// NAME: error: unknown device 'nosuch'; known devices: {{.*}}u55c
// PATH: error: unknown device 'nosuch/u55c.json'; known devices: {{.*}}u55c
// NONE: error: no device is named; known devices: {{.*}}u55c
// CUT: error: device file '{{.*}}cut.json' is not JSON: {{.*}}1:17
// GAP: error: device file '{{.*}}gap.json': 'memory_port.burst_gap' is missing; a whole number of cycles, at least 0, is expected
// BRAM: error: device file '{{.*}}bram.json': 'memories.bram.read' is missing; a whole number of cycles from address to data, at least 0, is expected
