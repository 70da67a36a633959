// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase -o %t
// RUN: streamtensor-opt %t -o /dev/null
// RUN: sed -e 's/on "add_f32"/on "add_f33"/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=OPERATOR
// RUN: sed -e '/dataflow.design/,$ s/f32/f128/g' -e 's/on "add_f128"/on "add_f32"/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: sed -e 's/for 6 on "add_f32"/for 5 on "add_f32"/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=LATENCY
// RUN: sed -e 's/ as "fulldsp"//' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=CORE
// RUN: sed -e 's/memory<srl>/memory<bram>/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=FIFO
// RUN: sed -e 's/<lutram partition/<bram partition/' %t | not streamtensor-opt 2>&1 | FileCheck %s --check-prefix=STORAGE

// What a design states is what its own device has. Edited by hand:

// OPERATOR: error: 'arith.addf' op [leaf.schedule] runs on 'add_f33', which the library of device 'u55c' does not have
// TYPE: error: 'arith.addf' op [device.operator] needs 'add_f128', which the library of device 'u55c' lacks
// LATENCY: error: 'arith.addf' op [leaf.schedule] takes 5 cycles on 'add_f32'; on device 'u55c' it takes 6 on 'add_f32'
// CORE: error: 'arith.addf' op [leaf.schedule] is built of ''; on device 'u55c' 'add_f32' is built of 'fulldsp' (empty: what synthesis chooses), which belongs behind 'as'
// FIFO: error: 'dataflow.stream' op [design.fifo] a FIFO of kind bram hands on a token after 2 cycles on device 'u55c', a latency of 1 is stated
// STORAGE: error: 'dataflow.leaf' op [design.storage] on device 'u55c' a memory of kind bram has ports 2, read 2 and write 1, another is stated

dataflow.design @sums {
  %s = dataflow.stream "s" : !dataflow.stream<f32, 2>
  %t = dataflow.stream "t" : !dataflow.stream<f32, 2>
  dataflow.leaf "make" pad [4, 8] {
  ^bb0(%i: index, %j: index):
    %v = arith.constant 1.0 : f32
    dataflow.stream_write %v, %s : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "sum" compute [4, 8] {
  ^bb0(%i: index, %j: index, %acc: !dataflow.private<8xf32>):
    %v = dataflow.stream_read %s : !dataflow.stream<f32, 2> -> f32
    %old = dataflow.load %acc affine_map<(i, j) -> (j)> : !dataflow.private<8xf32> -> f32
    %new = arith.addf %old, %v : f32
    dataflow.store %new, %acc affine_map<(i, j) -> (j)> : f32, !dataflow.private<8xf32>
    dataflow.stream_write %new, %t when affine_set<(i, j) : (i - 3 == 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "take" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %t : !dataflow.stream<f32, 2> -> f32
  }
}
