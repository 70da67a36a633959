// RUN: sed 's/"masters": 32/"masters": 2/' %devices/u55c.json >%t.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.json 2>&1 | FileCheck %s --check-prefix=MASTERS
// RUN: sed 's/"ports_per_channel": 15/"ports_per_channel": 2/' %devices/u55c.json >%t.json
// RUN: not streamtensor-opt %s --dataflow-attach-device=device=%t.json 2>&1 | FileCheck %s --check-prefix=CHANNEL
// RUN: streamtensor-opt %s %u55c

// Masters of a design, and those of one channel, against those of the card.

// MASTERS: masters-errors.mlir:[[#@LINE+1]]:1: error: 'dataflow.design' op [design.masters] has 3 AXI masters and device 'u55c' takes 2: concatenate tensors that are read alike, or compile parts of the module as designs of their own
dataflow.design @crowd {
  // CHANNEL: masters-errors.mlir:[[#@LINE+1]]:8: error: 'dataflow.channel' op [design.masters] serves 3 masters; a channel of device 'u55c' takes 2: bind some of them to other channels
  %c = dataflow.channel "HBM"[3] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %0 = dataflow.interface "a" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %1 = dataflow.interface "b" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %2 = dataflow.interface "c" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
}
