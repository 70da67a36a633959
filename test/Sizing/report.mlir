// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase --mlir-print-debuginfo >%t.mlir
// RUN: streamtensor-sim --json %t.mlir | tr -d '\n' | sed -e 's/   *//g' -e 's/\[{/[\n{/g' -e 's/},{/},\n{/g' | FileCheck %s
// RUN: streamtensor-test-sim %t.mlir --device %devices/u55c.json | FileCheck %s --check-prefix=STEPS

// The report of a design, entry by entry: what the IR states of each part, what the run at these depths did, and what
// both add up to. The parts meet like this:
//
//   load   enters at 2 and begins an iteration every two cycles, as two tensors share an interface of one word: 2 to 32,
//          over 78 later. Its tokens are in the FIFOs from 79 on
//   fill   waits from 2 until 80 (77 after the swap) and each time until the next token, 7 times a cycle; full at 96.
//          The second block begins at 97: two tokens are there, six are waited for. 77 + 7 + 6 = 90
//   mix    waits from 2 until 96, swaps, and goes through its nests: "keep" from 97, 7 + 78 later "add", which takes
//          its first token of `extra` (16 are there) at 182, 7 + 11 later "drain" from 200 on
//   store  begins an iteration every two cycles, takes tokens at 202, 204, ..., 216 and holds two more in `sums`: of
//          the eight writes from 201 on those that are due at 204, 206, 208, 210 and 212 come a cycle late. So "drain"
//          is over at 214 instead of 209, and `sums` is critical
//   mix    again from 215, and 5 later as `w` begins anew behind a jump: "keep" 220, "add" 305, "drain" 323, five writes
//          late again: over at 337. 10 cycles late in all
//   store  waits from 2 until 202 and from 218 until 325, 307; its last iteration begins at 339 and is 8 deep: 347
//
// Bytes: 2 x 8 floats in blocks, 2 + 16 + 2 in FIFOs, 8 + 8 in private memories: 64 + 80 + 64 = 208. A channel gives 53.12
// bytes in a cycle: 128 in 3 cycles, 64 in 2, and 3 of 347 are 0.86 %; of what it could give in 347 cycles, 128 are 0.69 %.
// 32 channels of 13.28 GB/s are on the card, 3 are used. No lane adds up products. "fill", "mix" and "store" have waited 77,
// 94 and 200 cycles before they begin. What is in the second memory came from the block,
// from `extra`, and through the first memory from `w`.
// Between the dies: 32 + 2 bits of `sums`, and 32 + 100 of the way from "store" to the memory. A product of floats is 3 DSPs,
// a sum 2, and a way to memory has half a block RAM for each tensor's words. "load" comes from a module of the user's.
// STEPS: 347 cycles
// CHECK: {"buffers": [
// CHECK-NEXT: {"blocks": 2,"bram": 0,"bytes": 64,"design": "report",{{.*}}"memory": "lutram","name": "block","partition": [1],"reader": "mix","resources": {"bram": 0,"dsp": 0,{{.*}},"uram": 0},"shape": [8],"uram": 0,"word": 1,"writer": "fill"}],"card": "Alveo U55C","channels": [
// CHECK-NEXT: {"busy": 3,"bytes": 128,"design": "report","interfaces": ["gmem_in"],"name": "HBM[3]","utilisation": 0.00864{{.*}}},
// CHECK-NEXT: {"busy": 2,"bytes": 64,"design": "report","interfaces": ["gmem_w"],"name": "HBM[4]","utilisation": 0.00576{{.*}}},
// CHECK-NEXT: {"busy": 3,"bytes": 128,"design": "report","interfaces": ["gmem_out"],"name": "HBM[5]","utilisation": 0.00864{{.*}}}],"clock_mhz": 250,"cycles": 347,"designs": [
// CHECK-NEXT: {"crossings": [
// CHECK-NEXT: {"between": ["SLR0","SLR1"],"bits": 166,"wires": 16800},
// CHECK-NEXT: {"between": ["SLR1","SLR2"],"bits": 0,"wires": 16800}],"cycles": 347,"dies": [
// CHECK-NEXT: {"name": "SLR0","placeable": {"bram": 450,"dsp": 1998,{{.*}},"uram": 240},"used": {"bram": 1.5,"dsp": 5,{{.*}},"uram": 0}},
// CHECK-NEXT: {"name": "SLR1","placeable": {"bram": 432,"dsp": 2088,{{.*}},"uram": 240},"used": {"bram": 0.5,"dsp": 0,{{.*}},"uram": 0}},
// CHECK-NEXT: {"name": "SLR2","placeable": {"bram": 450,"dsp": 2142,{{.*}},"uram": 240},"used": {"bram": 0,"dsp": 0,{{.*}},"uram": 0}}],"launches": 1,"memory": {"buffer_bytes": 64,"fifo_bytes": 80,"private_bytes": 64},"name": "report","placement": {"bits": 34,"bound": 33,"nodes": 5},"resources": {"bram": {"available": 2016,"placeable": 1332,"used": 2},"dsp": {"available": 9024,"placeable": 6228,"used": 5},"ff": {"available": 2607000,"placeable": 1703520,{{.*}}},"lut": {"available": 1304000,"placeable": 851760,{{.*}}},"uram": {"available": 960,"placeable": 720,"used": 0}},"roofline": {"bytes_per_second": 424960000000,"dsps_per_lane": 0,"external_bytes": 320,"lanes": 0,"multiply_adds": 0,"used_bytes_per_second": 39840000000},"seconds": 1.388{{.*}}e-06,"sizing": {"cycles": 347,"lp_cycles": 350,"strategy": "search","unbounded_cycles": 337}}],"device": "u55c","fifos": [
// CHECK-NEXT: {"bits": 32,"critical": false,"depth": 2,"design": "report","high_water": 2,{{.*}}"memory": "srl","name": "rows","reader": "fill","resources": {"bram": 0,"dsp": 0,{{.*}},"uram": 0},"tokens": 16,"writer": "load"},
// CHECK-NEXT: {"bits": 32,"critical": false,"depth": 16,"design": "report","high_water": 16,"least_depth": 13,{{.*}}"lp_depth": 14,"memory": "srl","name": "extra","reader": "mix","resources": {"bram": 0,"dsp": 0,{{.*}},"uram": 0},"tokens": 16,"unbounded_high_water": 15,"writer": "load"},
// CHECK-NEXT: {"bits": 32,"critical": true,"depth": 2,"design": "report","high_water": 2,{{.*}}"memory": "srl","name": "sums","reader": "store","resources": {"bram": 0,"dsp": 0,{{.*}},"uram": 0},"tokens": 16,"writer": "mix"}],"launches": 1,"memory": {"buffer_bytes": 64,"fifo_bytes": 80,"private_bytes": 64,"total_bytes": 208},"on_chip_io": false,"ports": [
// CHECK-NEXT: {"bits": 32,{{.*}},"bytes": 128,"channel": "HBM[3]","design": "report","interface": "gmem_in","outstanding": 4,"task": "load","tensors": ["x","v"],"utilisation": 0.00694{{.*}},"way": "read"},
// CHECK-NEXT: {"bits": 32,"burst": 8,"bytes": 64,"channel": "HBM[4]","design": "report","interface": "gmem_w","outstanding": 7,"task": "mix","tensors": ["w"],"utilisation": 0.00347{{.*}},"way": "read"},
// CHECK-NEXT: {"bits": 32,{{.*}},"bytes": 128,"channel": "HBM[5]","design": "report","interface": "gmem_out","outstanding": 2,"task": "store","tensors": ["y","z"],"utilisation": 0.00694{{.*}},"way": "write"}],"resources": {"bram": {"available": 2016,"placeable": 1332,"used": 2},"dsp": {"available": 9024,"placeable": 6228,"used": 5},"ff": {"available": 2607000,"placeable": 1703520,{{.*}}},"lut": {"available": 1304000,"placeable": 851760,{{.*}}},"uram": {"available": 960,"placeable": 720,"used": 0}},"seconds": 1.388{{.*}}e-06,"tasks": [
// CHECK-NEXT: {"busy": 32,"depth": 78,"design": "report","die": "SLR0","end": 110,"ii": 2,"ii_limit": "2 words in one iteration on port 'x'","input_stall": 0,"iterations": 16,"line": "model.py:12","loops": [16],"memory_stall": 0,"module": "blocks.0.mlp","multiply_add_lanes": 0,"multiply_adds": 0,"name": "load","operators": [],"output_stall": 0,"private_memories": [],"resources": {"bram": 1,"dsp": 0,{{.*}},"uram": 0},"role": "load","serial_trips": 1,"start": 2,"start_stall": 0,"style": "flp"},
// CHECK-NEXT: {"busy": 16,"depth": 2,"design": "report","die": "SLR0","end": 112,"ii": 1,"input_stall": 90,"iterations": 16,{{.*}}"loops": [2,8],"memory_stall": 0,"multiply_add_lanes": 0,"multiply_adds": 0,"name": "fill","operators": [],"output_stall": 0,"private_memories": [],"resources": {"bram": 0,"dsp": 0,{{.*}},"uram": 0},"role": "fill","serial_trips": 2,"start": 80,"start_stall": 77,"style": "flp"},
// CHECK-NEXT: {"busy": 48,"depth": 78,"design": "report","die": "SLR0","end": 337,"ii": 1,"input_stall": 94,"iterations": 48,{{.*}}"loops": [2],"memory_stall": 0,"multiply_add_lanes": 0,"multiply_adds": 0,"name": "mix","nests": [
// CHECK-NEXT: {"depth": 78,"ii": 1,"loops": [8],"name": "keep"},
// CHECK-NEXT: {"depth": 11,"ii": 1,"loops": [8],"name": "add"},
// CHECK-NEXT: {"depth": 2,"ii": 1,"loops": [8],"name": "drain"}],"nests_together": false,"operators": [
// CHECK-NEXT: {"count": 1,"impl": "fulldsp","latency": 6,"operation": "fadd"},
// CHECK-NEXT: {"count": 1,"impl": "maxdsp","latency": 3,"operation": "fmul"}],"output_stall": 10,"private_memories": [
// CHECK-NEXT: {"bytes": 32,"filled_from": ["w"],"memory": "lutram","partition": [1],"shape": [8],"word": 1},
// CHECK-NEXT: {"bytes": 32,"filled_from": ["block","w","extra"],"memory": "lutram","partition": [1],"shape": [8],"word": 1}],"resources": {"bram": 0.5,"dsp": 5,{{.*}},"uram": 0},"role": "compute","serial_trips": 6,"start": 97,"start_stall": 94,"style": "flp"},
// CHECK-NEXT: {"busy": 32,"depth": 8,"design": "report","die": "SLR1","end": 347,"ii": 2,"ii_limit": "2 words in one iteration on port 'y'","input_stall": 307,"iterations": 16,{{.*}}"loops": [16],"memory_stall": 0,"multiply_add_lanes": 0,"multiply_adds": 0,"name": "store","operators": [],"output_stall": 0,"private_memories": [],"resources": {"bram": 0.5,"dsp": 0,{{.*}},"uram": 0},"role": "store","serial_trips": 1,"start": 202,"start_stall": 200,"style": "flp"}]}

#hbm = #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
#port = #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
dataflow.design @report attributes {sizing = #dataflow.design_sizing<strategy = "search", cycles = 347, unbounded = 337, lp = 350>, placement = #dataflow.placement<bits = 34, bound = 33, nodes = 5>} {
  %c3 = dataflow.channel "HBM"[3] #hbm
  %c4 = dataflow.channel "HBM"[4] #hbm
  %c5 = dataflow.channel "HBM"[5] #hbm
  %g = dataflow.interface "gmem_in" #port on %c3
  %h = dataflow.interface "gmem_w" #port on %c4
  %k = dataflow.interface "gmem_out" #port on %c5
  %x = dataflow.port in "x" via %g : !dataflow.port<16xf32>
  %v = dataflow.port in "v" via %g : !dataflow.port<16xf32>
  %w = dataflow.port in "w" via %h : !dataflow.port<8xf32>
  %y = dataflow.port out "y" via %k : !dataflow.port<16xf32>
  %z = dataflow.port out "z" via %k : !dataflow.port<16xf32>
  %rows = dataflow.stream "rows" : !dataflow.stream<f32, 2>
  %extra = dataflow.stream "extra" {sizing = #dataflow.fifo_sizing<tokens = 16, highWater = 15, lp = 14, least = 13>} : !dataflow.stream<f32, 16>
  %sums = dataflow.stream "sums" : !dataflow.stream<f32, 2>
  %block = dataflow.buffer "block" blocks 2 : !dataflow.buffer<8xf32>
  dataflow.leaf "load" load [16] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %a = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
    %b = dataflow.load %v affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %a, %rows : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %b, %extra : f32, !dataflow.stream<f32, 16>
  } loc("blocks.0.mlp"("model.py":12:3))
  dataflow.leaf "fill" fill [2, 8] writes(%block at 1 : !dataflow.buffer<8xf32>) attributes {die = "SLR0"} {
  ^bb0(%i: index, %j: index):
    %a = dataflow.stream_read %rows : !dataflow.stream<f32, 2> -> f32
    dataflow.store %a, %block affine_map<(i, j) -> (j)> : f32, !dataflow.buffer<8xf32>
  }
  dataflow.leaf "mix" compute [2] reads(%block at 1 : !dataflow.buffer<8xf32>) attributes {die = "SLR0"} {
  ^bb0(%b: index, %table: !dataflow.private<8xf32>, %mixed: !dataflow.private<8xf32>):
    dataflow.nest "keep" [8] {
    ^bb0(%i: index):
      %a = dataflow.load %w affine_map<(b, i) -> (i)> : !dataflow.port<8xf32> -> f32
      dataflow.store %a, %table affine_map<(b, i) -> (i)> : f32, !dataflow.private<8xf32>
    }
    dataflow.nest "add" [8] {
    ^bb0(%i: index):
      %a = dataflow.load %block affine_map<(b, i) -> (i)> : !dataflow.buffer<8xf32> -> f32
      %u = dataflow.load %table affine_map<(b, i) -> (7 - i)> : !dataflow.private<8xf32> -> f32
      %e = dataflow.stream_read %extra : !dataflow.stream<f32, 16> -> f32
      %p = arith.mulf %a, %u : f32
      %s = arith.addf %p, %e : f32
      dataflow.store %s, %mixed affine_map<(b, i) -> (i)> : f32, !dataflow.private<8xf32>
    }
    dataflow.nest "drain" [8] {
    ^bb0(%i: index):
      %a = dataflow.load %mixed affine_map<(b, i) -> (7 - i)> : !dataflow.private<8xf32> -> f32
      dataflow.stream_write %a, %sums : f32, !dataflow.stream<f32, 2>
    }
  }
  dataflow.leaf "store" store [16] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %a = dataflow.stream_read %sums : !dataflow.stream<f32, 2> -> f32
    dataflow.store %a, %y affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
    dataflow.store %a, %z affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
  }
}
