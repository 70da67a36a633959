// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --check-prefix=CFG --input-file=%t/vitis/pair.cfg
// RUN: FileCheck %s --check-prefix=TCL --input-file=%t/vitis/pair_floorplan.tcl
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t/vitis/alone.cfg
// RUN: not ls %t/vitis/alone_floorplan.tcl

// A kernel on several dies has no `slr`; its tasks are placed by Vivado, each on its die. One on a single die has.

// CFG: nk=pair:1:pair_1
// CFG-NOT: slr=
// CFG: # On SLR0, SLR2: no 'slr' (UG1393). The Makefile hands pair_floorplan.tcl to Vivado, which places the tasks.
// CFG-NOT: slr=

// TCL: set_property USER_SLR_ASSIGNMENT $die $cells
// TCL: place_task load SLR0
// TCL-NEXT: place_task store SLR2

// ONE: slr=alone_1:SLR1

dataflow.design @pair {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %y = dataflow.port out "y" : !dataflow.port<16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [16] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [16] attributes {die = "SLR2"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
  }
}

dataflow.design @alone {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %y = dataflow.port out "y" : !dataflow.port<16xf32>
  %fifo = dataflow.stream "fifo" : !dataflow.stream<f32, 2>
  dataflow.leaf "load" load [16] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<16xf32> -> f32
    dataflow.stream_write %v, %fifo : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [16] attributes {die = "SLR1"} {
  ^bb0(%i: index):
    %v = dataflow.stream_read %fifo : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(i) -> (i)> : f32, !dataflow.port<16xf32>
  }
}
