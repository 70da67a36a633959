// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-sim --json | FileCheck %s

// Half a block RAM is 512 words of 36 bits for one port that writes and one that reads; where both ports read, it is 1,024
// of 18 (UG573). So 512 words of 32 bits take a half in "one", and two halves in "two", which reads two words in a cycle. So
// does each block of the buffer. UltraRAM has 72 bits on either port.

// CHECK: "blocks": 2,
// CHECK-NEXT: "bram": 2,
// CHECK: "name": "one",
// CHECK: "resources": {
// CHECK-NEXT: "bram": 0.5,
// CHECK: "name": "two",
// CHECK: "resources": {
// CHECK-NEXT: "bram": 1,
// CHECK: "name": "ultra",
// CHECK: "resources": {
// CHECK-NEXT: "bram": 0,
// CHECK: "uram": 1
!bram = !dataflow.private<512xi32>
dataflow.design @ports_alike {
  %f0 = dataflow.stream "f0" : !dataflow.stream<i32, 2>
  %f1 = dataflow.stream "f1" : !dataflow.stream<i32, 2>
  %f2 = dataflow.stream "f2" : !dataflow.stream<i32, 2>
  %f3 = dataflow.stream "f3" : !dataflow.stream<i32, 2>
  %f4 = dataflow.stream "f4" : !dataflow.stream<i32, 2>
  %block = dataflow.buffer "block" blocks 2 {storage = #dataflow.storage<bram partition [1] ports 2 read 2 write 1>} : !dataflow.buffer<512xi32>
  dataflow.leaf "make" pad [256] {
  ^bb0(%i: index):
    %v = arith.constant 1 : i32
    dataflow.stream_write %v, %f0 : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "one" compute [256] attributes {storages = [#dataflow.storage<bram partition [1] ports 2 read 2 write 1>]} {
  ^bb0(%i: index, %m: !bram):
    %t = dataflow.stream_read %f0 : !dataflow.stream<i32, 2> -> i32
    dataflow.store %t, %m affine_map<(d0) -> (d0)> : i32, !bram
    %a = dataflow.load %m affine_map<(d0) -> (d0 + 256)> : !bram -> i32
    dataflow.stream_write %a, %f1 : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "two" compute [256] attributes {storages = [#dataflow.storage<bram partition [1] ports 2 read 2 write 1>]} {
  ^bb0(%i: index, %m: !bram):
    %t = dataflow.stream_read %f1 : !dataflow.stream<i32, 2> -> i32
    %a = dataflow.load %m affine_map<(d0) -> (d0)> : !bram -> i32
    %b = dataflow.load %m affine_map<(d0) -> (d0 + 256)> : !bram -> i32
    %s = arith.addi %a, %b : i32
    %r = arith.addi %s, %t : i32
    dataflow.stream_write %r, %f2 : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "ultra" compute [256] attributes {storages = [#dataflow.storage<uram partition [1] ports 2 read 3 write 1>]} {
  ^bb0(%i: index, %m: !bram):
    %t = dataflow.stream_read %f2 : !dataflow.stream<i32, 2> -> i32
    %a = dataflow.load %m affine_map<(d0) -> (d0)> : !bram -> i32
    %b = dataflow.load %m affine_map<(d0) -> (d0 + 256)> : !bram -> i32
    %s = arith.addi %a, %b : i32
    %r = arith.addi %s, %t : i32
    dataflow.stream_write %r, %f3 : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "fill" fill [256] writes(%block at 1 : !dataflow.buffer<512xi32>) {
  ^bb0(%i: index):
    %t = dataflow.stream_read %f3 : !dataflow.stream<i32, 2> -> i32
    dataflow.store %t, %block affine_map<(d0) -> (d0)> : i32, !dataflow.buffer<512xi32>
  }
  dataflow.leaf "use" compute [256] reads(%block at 1 : !dataflow.buffer<512xi32>) {
  ^bb0(%i: index):
    %a = dataflow.load %block affine_map<(d0) -> (d0)> : !dataflow.buffer<512xi32> -> i32
    %b = dataflow.load %block affine_map<(d0) -> (255 - d0)> : !dataflow.buffer<512xi32> -> i32
    %s = arith.addi %a, %b : i32
    dataflow.stream_write %s, %f4 : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "take" compute [256] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f4 : !dataflow.stream<i32, 2> -> i32
  }
}
