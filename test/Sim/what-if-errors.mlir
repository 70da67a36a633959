// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase >%t
// DEFINE: %{sim} = not streamtensor-sim %t 2>&1 --what-if
// RUN: %{sim} "low depth=4" | FileCheck %s --check-prefix=FORM
// RUN: %{sim} "fifo low width=4" | FileCheck %s --check-prefix=FORM
// RUN: %{sim} "fifo low depth=deep" | FileCheck %s --check-prefix=FORM
// RUN: %{sim} "task chunk lanes=2" | FileCheck %s --check-prefix=FORM
// RUN: %{sim} "task chunk ii=x2" | FileCheck %s --check-prefix=FORM
// RUN: %{sim} "fifo lo depth=4" | FileCheck %s --check-prefix=NEAR
// RUN: %{sim} "fifo yy depth=4" | FileCheck %s --check-prefix=NEAR-ONCE
// RUN: %{sim} "task zebra lanes=x2" | FileCheck %s --check-prefix=FAR
// RUN: %{sim} "task zebra_crossing lanes=x2" | FileCheck %s --check-prefix=FAR
// RUN: %{sim} "task other/chunk lanes=x2" | FileCheck %s --check-prefix=ELSEWHERE
// RUN: %{sim} "fifo y depth=4" | FileCheck %s --check-prefix=TWO-DESIGNS
// RUN: %{sim} "fifo low depth=4" --what-if "fifo low depth=5" | FileCheck %s --check-prefix=TWICE
// RUN: %{sim} "fifo low depth=0" | FileCheck %s --check-prefix=ZERO
// RUN: %{sim} "fifo low depth=1" | FileCheck %s --check-prefix=ONE
// RUN: %{sim} "fifo low depth=4194305" | FileCheck %s --check-prefix=HUGE
// RUN: %{sim} "fifo low depth=x1024" --what-if "fifo high depth=x1025" | FileCheck %s --check-prefix=FACTOR
// RUN: %{sim} "fifo low depth=3" | FileCheck %s --check-prefix=DEADLOCK
// RUN: %{sim} "task chunk lanes=x5" | FileCheck %s --check-prefix=DIVIDE
// RUN: %{sim} "task chunk ii=1" | FileCheck %s --check-prefix=INTERVAL
// RUN: %{sim} "task load lanes=x2" | FileCheck %s --check-prefix=MEMORY
// RUN: %{sim} "port x bits=48" | FileCheck %s --check-prefix=MULTIPLE
// RUN: %{sim} "port z bits=x2" --on-chip-io | FileCheck %s --check-prefix=UNBOUND
// RUN: %{sim} "port x bits=x2" --what-if "port gmem_x bits=x2" | FileCheck %s --check-prefix=SHARED

// FORM: error: what if "{{.*}}": ask "fifo NAME depth=N", "port NAME bits=N", "task NAME lanes=xN" or "task NAME ii=N"; depth and bits may be xN, N times what they are
// NEAR: error: what if "fifo lo depth=4": there is no fifo 'lo'; near: 'low'
// NEAR-ONCE: there is no fifo 'yy'; near: 'y'{{$}}
// FAR: error: what if "task zebra{{(_crossing)?}} lanes=x2": there is no task 'zebra{{(_crossing)?}}'; the simulation lists the names
// ELSEWHERE: error: what if "task other/chunk lanes=x2": there is no task 'chunk' in 'other'; near: 'chunk'
// TWO-DESIGNS: error: what if "fifo y depth=4": designs 'rotary', 'other' have a fifo 'y': write rotary/y
// TWICE: error: what if "fifo low depth=5": asked for already, by "fifo low depth=4": leave one of them out
// ZERO: error: what if "fifo low depth=0": a FIFO has at least 2 slots [fifo.depth], not 0
// ONE: error: what if "fifo low depth=1": a FIFO has at least 2 slots [fifo.depth], not 1
// HUGE: error: what if "fifo low depth=4194305": depth is 4194305: it is at most 4194304
// FACTOR: error: what if "fifo high depth=x1025": the factor is a number from 2 to 1024
// DEADLOCK: error: design 'rotary' deadlocks, if it is as was asked; there are no cycles: task 'chunk' waits for a slot in FIFO 'low' (3 of 3 slots used)
// DEADLOCK-SAME: it ends with FIFO 'low' of depth 4
// DIVIDE: error: what if "task chunk lanes=x5": task 'chunk' goes through 48 iterations in every trip, which 5 does not divide: a factor of 2, 3, 4 or 6 does
// INTERVAL: error: what if "task chunk ii=1": task 'chunk' has no larger interval that memory does not set
// MEMORY: error: what if "task load lanes=x2": task 'load' goes at the pace of the words of external memory that it moves: widen the port
// MULTIPLE: error: what if "port x bits=48": its words have 32 bits: ask for a multiple, as in bits=64
// UNBOUND: error: what if "port z bits=x2": no channel of external memory moves its words here, as with --on-chip-io
// SHARED: error: what if "port gmem_x bits=x2": another tensor that shares its interface is widened already

#low = affine_set<(d0, d1) : (3 - d1 >= 0)>
#high = affine_set<(d0, d1) : (d1 - 4 >= 0)>
dataflow.design @rotary {
  %x = dataflow.stream "x" : !dataflow.stream<f32, 2>
  %lo = dataflow.stream "low" : !dataflow.stream<f32, 7>
  %hi = dataflow.stream "high" : !dataflow.stream<f32, 2>
  %y = dataflow.stream "y" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %x : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "chunk" chunk [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %x : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %lo when #low : f32, !dataflow.stream<f32, 7>
    dataflow.stream_write %v, %hi when #high : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "rotate" concat [6, 2, 4] {
  ^bb0(%i: index, %h: index, %j: index):
    %b = dataflow.stream_read %hi when affine_set<(d0, d1, d2) : (d1 == 0)> : !dataflow.stream<f32, 2> -> f32
    %a = dataflow.stream_read %lo when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : !dataflow.stream<f32, 7> -> f32
    dataflow.stream_write %b, %y when affine_set<(d0, d1, d2) : (d1 == 0)> : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %a, %y when affine_set<(d0, d1, d2) : (d1 - 1 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [6, 8] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %y : !dataflow.stream<f32, 2> -> f32
  }
}

dataflow.design @other {
  %c = dataflow.channel "HBM"[0] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %g = dataflow.interface "gmem_x" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %h = dataflow.interface "gmem_z" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5>
  %x = dataflow.port in "x" via %g : !dataflow.port<8xf32>
  %z = dataflow.port out "z" via %h : !dataflow.port<8xf32>
  %w = dataflow.stream "w" : !dataflow.stream<f32, 2>
  %y = dataflow.stream "y" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    dataflow.stream_write %v, %y : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "pass" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %y : !dataflow.stream<f32, 2> -> f32
    dataflow.stream_write %v, %w : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %w : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %z affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
}
