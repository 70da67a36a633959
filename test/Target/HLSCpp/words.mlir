// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase -mlir-print-debuginfo | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/words.cpp
// RUN: streamtensor-opt %s %u55c --streamtensor-schedule-phase | FileCheck %s --check-prefix=TIME

// How a port is read is decided once: the C++ moves as many words as the schedule counts.

dataflow.design @words {
  %padded = dataflow.port in "padded" : !dataflow.port<12x1x16xf32>
  %several = dataflow.port in "several" : !dataflow.port<12x2x16xf32>
  %plain = dataflow.port in "plain" : !dataflow.port<12x24xf32>
  %odd = dataflow.port in "odd" : !dataflow.port<12x15xf32>
  %flags = dataflow.port in "flags" : !dataflow.port<12x16xi1>
  %out = dataflow.port out "out" : !dataflow.port<12x2x16xf32>
  %mask = dataflow.port out "mask" : !dataflow.port<12x16xi1>
  %a = dataflow.stream "a" : !dataflow.stream<vector<15xf32>, 2>
  %b = dataflow.stream "b" : !dataflow.stream<vector<20xf32>, 2>
  %c = dataflow.stream "c" : !dataflow.stream<vector<24xf32>, 2>
  %d = dataflow.stream "d" : !dataflow.stream<vector<15xf32>, 2>
  %e = dataflow.stream "e" : !dataflow.stream<vector<16xi1>, 2>

  // One word of which 15 elements are data.
  // CHECK: void load_padded(const hls::vector<float, 16> *padded,
  // CHECK: const hls::vector<float, 16> padded_word = padded[i0];
  // CHECK: padded_value[u2] = padded_word[u2];
  // CHECK: a.write(padded_value);
  // TIME: dataflow.leaf "load_padded"
  // TIME-SAME: ii = 1 : i64}
  dataflow.leaf "load_padded" load [12] {
  ^bb0(%i: index):
    %v = dataflow.load %padded affine_map<(d0) -> (d0, 0, 0)> : !dataflow.port<12x1x16xf32> -> vector<1x1x15xf32>
    %t = vector.shape_cast %v : vector<1x1x15xf32> to vector<15xf32>
    dataflow.stream_write %t, %a : vector<15xf32>, !dataflow.stream<vector<15xf32>, 2>
  }

  // Two of them.
  // CHECK: void load_several(const hls::vector<float, 16> *several,
  // CHECK: hls::vector<float, 16> several_word[2];
  // CHECK-NEXT: #pragma HLS array_partition variable=several_word type=complete dim=0
  // CHECK: several_word[word] = several[i0 * 2 + word];
  // TIME: dataflow.leaf "load_several"
  // TIME-SAME: ii = 2 : i64, limit = "2 words in one iteration on port 'several'"
  dataflow.leaf "load_several" load [12] {
  ^bb0(%i: index):
    %v = dataflow.load %several affine_map<(d0) -> (d0, 0, 0)> : !dataflow.port<12x2x16xf32> -> vector<1x2x10xf32>
    %t = vector.shape_cast %v : vector<1x2x10xf32> to vector<20xf32>
    dataflow.stream_write %t, %b : vector<20xf32>, !dataflow.stream<vector<20xf32>, 2>
  }

  // Without padding, rows of 24 elements are aligned to 8.
  // CHECK: void load_plain(const hls::vector<float, 8> *plain,
  // CHECK: plain_word[word] = plain[i0 * 3 + word];
  // TIME: dataflow.leaf "load_plain"
  // TIME-SAME: ii = 3 : i64, limit = "3 words in one iteration on port 'plain'"
  dataflow.leaf "load_plain" load [12] {
  ^bb0(%i: index):
    %v = dataflow.load %plain affine_map<(d0) -> (d0, 0)> : !dataflow.port<12x24xf32> -> vector<1x24xf32>
    %t = vector.shape_cast %v : vector<1x24xf32> to vector<24xf32>
    dataflow.stream_write %t, %c : vector<24xf32>, !dataflow.stream<vector<24xf32>, 2>
  }

  // Rows of 15 start anywhere: element by element.
  // CHECK: void load_odd(const float *odd,
  // CHECK: odd[i0 * 15 + u1]
  // TIME: dataflow.leaf "load_odd"
  // TIME-SAME: ii = 15 : i64, limit = "15 words in one iteration on port 'odd'"
  dataflow.leaf "load_odd" load [12] {
  ^bb0(%i: index):
    %v = dataflow.load %odd affine_map<(d0) -> (d0, 0)> : !dataflow.port<12x15xf32> -> vector<1x15xf32>
    %t = vector.shape_cast %v : vector<1x15xf32> to vector<15xf32>
    dataflow.stream_write %t, %d : vector<15xf32>, !dataflow.stream<vector<15xf32>, 2>
  }

  // A flag has a byte of memory.
  // CHECK: void load_flags(const hls::vector<std::int8_t, 16> *flags,
  // CHECK: flags_value[u1] = bool(flags_word[u1]);
  // TIME: dataflow.leaf "load_flags"
  // TIME-SAME: ii = 1 : i64}
  dataflow.leaf "load_flags" load [12] {
  ^bb0(%i: index):
    %v = dataflow.load %flags affine_map<(d0) -> (d0, 0)> : !dataflow.port<12x16xi1> -> vector<1x16xi1>
    %t = vector.shape_cast %v : vector<1x16xi1> to vector<16xi1>
    dataflow.stream_write %t, %e : vector<16xi1>, !dataflow.stream<vector<16xi1>, 2>
  }

  dataflow.leaf "drain" compute [12] {
  ^bb0(%i: index):
    %x = dataflow.stream_read %a : !dataflow.stream<vector<15xf32>, 2> -> vector<15xf32>
    %y = dataflow.stream_read %c : !dataflow.stream<vector<24xf32>, 2> -> vector<24xf32>
    %z = dataflow.stream_read %d : !dataflow.stream<vector<15xf32>, 2> -> vector<15xf32>
  }

  // What is stored is padded with zeros.
  // CHECK: void store(
  // CHECK: hls::vector<float, 16> out_word[2]{};
  // CHECK-NEXT: #pragma HLS array_partition variable=out_word type=complete dim=0
  // CHECK: out_word[u1][u2] =
  // CHECK: out[i0 * 2 + word{{.*}}] = out_word[word
  // TIME: dataflow.leaf "store"
  // TIME-SAME: ii = 2 : i64
  dataflow.leaf "store" store [12] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %b : !dataflow.stream<vector<20xf32>, 2> -> vector<20xf32>
    %v = vector.shape_cast %t : vector<20xf32> to vector<1x2x10xf32>
    dataflow.store %v, %out affine_map<(d0) -> (d0, 0, 0)> : vector<1x2x10xf32>, !dataflow.port<12x2x16xf32>
  }

  // CHECK: void store_flags(
  // CHECK: hls::vector<std::int8_t, 16> mask_word{};
  // CHECK: mask[i0] = mask_word;
  dataflow.leaf "store_flags" store [12] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %e : !dataflow.stream<vector<16xi1>, 2> -> vector<16xi1>
    %v = vector.shape_cast %t : vector<16xi1> to vector<1x16xi1>
    dataflow.store %v, %mask affine_map<(d0) -> (d0, 0)> : vector<1x16xi1>, !dataflow.port<12x16xi1>
  }
}
