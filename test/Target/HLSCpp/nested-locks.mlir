// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase -o %t.mlir
// RUN: streamtensor-translate %t.mlir --output-dir=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/hls/reverse.cpp --check-prefix=CPP
// RUN: FileCheck %s --input-file=%t/hls/reverse_native.cpp --check-prefix=CALL

// A block is held under a lock, and synthesis takes no lock within another. A leaf that holds two blocks is told of,
// with the number of them; leaves that hold one are not.
// CHECK-NOT: warning
// CHECK: warning: leaf task 'both' holds 2 blocks at once; Vitis HLS takes no nested locks (UG1399), so its C++ is for simulation
// CHECK-NOT: warning

// CPP: void both(
// CPP: hls::read_lock<a_block_t> a_block(a);
// CPP-NEXT: hls::write_lock<b_block_t> b_block(b);

// AMD's streams of blocks have no constructor that takes a name, so that the native call names them for errors, in the
// order in which the region declares them.
// CPP: extern "C" void reverse(
// CPP: hls::stream_of_blocks<a_block_t, 2> a;
// CPP: hls::stream_of_blocks<b_block_t, 2> b;
// CALL: return st::native_call(st_message, st_capacity, [&] {
// CALL-NEXT: const st::BlockNames block_names({"a", "b"});
// CALL-NEXT: reverse(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
// CALL-NEXT: });

dataflow.design @reverse {
  %x = dataflow.port in "x" : !dataflow.port<4x8xf32>
  %y = dataflow.port out "y" : !dataflow.port<4x8xf32>
  %a = dataflow.buffer "a" blocks 2 : !dataflow.buffer<8xf32>
  %b = dataflow.buffer "b" blocks 2 : !dataflow.buffer<8xf32>
  dataflow.leaf "fill" compute [4, 8] writes(%a at 1 : !dataflow.buffer<8xf32>) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.load %x affine_map<(t, i) -> (t, i)> : !dataflow.port<4x8xf32> -> f32
    dataflow.store %v, %a affine_map<(t, i) -> (i)> : f32, !dataflow.buffer<8xf32>
  }
  dataflow.leaf "both" compute [4, 8] reads(%a at 1 : !dataflow.buffer<8xf32>) writes(%b at 1 : !dataflow.buffer<8xf32>) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.load %a affine_map<(t, i) -> (7 - i)> : !dataflow.buffer<8xf32> -> f32
    dataflow.store %v, %b affine_map<(t, i) -> (i)> : f32, !dataflow.buffer<8xf32>
  }
  dataflow.leaf "drain" compute [4, 8] reads(%b at 1 : !dataflow.buffer<8xf32>) {
  ^bb0(%t: index, %i: index):
    %v = dataflow.load %b affine_map<(t, i) -> (7 - i)> : !dataflow.buffer<8xf32> -> f32
    dataflow.store %v, %y affine_map<(t, i) -> (t, i)> : f32, !dataflow.port<4x8xf32>
  }
}
