// The engine of pass-engine.mlir takes 640 DSPs, the scores with 16 lanes 80 and rows 4: 724. On a card that has room for
// 720 scores have half of the lanes, which makes 684; where not even these fit, all stay as they were.
// RUN: sed 's/"dsp": 2664/"dsp": 320/; s/"dsp": 2784/"dsp": 320/; s/"dsp": 2856/"dsp": 320/; s/"dsp": 9024/"dsp": 960/' %devices/u55c.json > %t.720.json
// RUN: sed 's/"dsp": 320/"dsp": 300/; s/"dsp": 960/"dsp": 900/' %t.720.json > %t.675.json
// RUN: streamtensor-opt %S/pass-engine.mlir --streamtensor-pipeline="device=%t.720.json unroll=128 stop-after=decide" | FileCheck %s --check-prefix=HALF
// RUN: streamtensor-opt %S/pass-engine.mlir --streamtensor-pipeline="device=%t.675.json unroll=128 stop-after=decide" | FileCheck %s --check-prefix=ALL

// HALF: unroll = [8, 8, 2], engine = "engine">
// HALF: unroll = [1, 1, 8]>
// ALL: unroll = [8, 8, 2], engine = "engine">
// ALL: unroll = [1, 1, 16]>
