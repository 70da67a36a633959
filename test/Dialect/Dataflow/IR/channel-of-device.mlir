// RUN: streamtensor-opt %s %u55c >%t
// RUN: sed 's/"HBM"\[3\]/"HBM"[32]/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: sed 's/"HBM"\[3\]/"DDR"[3]/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: sed 's/sustained = 13280/sustained = 14000/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=RATE

// A channel is one of the card, with the figures of its file.

// NUMBER: [design.channel] device 'u55c' has the channels HBM[0] to HBM[31], not HBM[32]
// KIND: [design.channel] device 'u55c' has the channels HBM[0] to HBM[31], not DDR[3]
// RATE: [design.channel] a channel of device 'u55c' is {{.*}}sustained = 13280{{.*}}, another is stated

dataflow.design @channel {
  %c = dataflow.channel "HBM"[3] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
}
