// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/gathered.cpp

// Numbers become the lanes of a vector in row-major order: the third of four is lane 2 of a row, and in two rows of two
// the first of the second.
// CHECK: void gather(
// CHECK: hls::vector<float, 4> elements;
// CHECK: elements[0] = a_word;
// CHECK-NEXT: elements[1] = b_word;
// CHECK-NEXT: elements[2] = b_word;
// CHECK-NEXT: elements[3] = a_word;
// CHECK: float elements_1[2][2];
// CHECK: elements_1[0][0] = b_word;
// CHECK-NEXT: elements_1[0][1] = a_word;
// CHECK-NEXT: elements_1[1][0] = a_word;
// CHECK-NEXT: elements_1[1][1] = a_word;
dataflow.design @gathered {
  %a = dataflow.port in "a" : !dataflow.port<8xf32>
  %b = dataflow.port in "b" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<32xf32>
  %z = dataflow.port out "z" : !dataflow.port<16x2xf32>
  dataflow.leaf "gather" compute [8] {
  ^bb0(%i: index):
    %p = dataflow.load %a affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %q = dataflow.load %b affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %row = vector.from_elements %p, %q, %q, %p : vector<4xf32>
    dataflow.store %row, %y affine_map<(i) -> (i * 4)> : vector<4xf32>, !dataflow.port<32xf32>
    %rows = vector.from_elements %q, %p, %p, %p : vector<2x2xf32>
    dataflow.store %rows, %z affine_map<(i) -> (i * 2, 0)> : vector<2x2xf32>, !dataflow.port<16x2xf32>
  }
}
