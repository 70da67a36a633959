// DEFINE: %{place} =
// DEFINE: %{translate} = sed 's/math.absi\(.*place = %{place} :\)/math.ctpop\1/' %t.mlir | not streamtensor-translate --output-dir=%t 2>&1 | FileCheck %s
// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-size-phase -o %t.mlir
// REDEFINE: %{place} = 1
// RUN: %{translate}
// REDEFINE: %{place} = 2
// RUN: %{translate}
// REDEFINE: %{place} = 3
// RUN: %{translate}
// REDEFINE: %{place} = 4
// RUN: %{translate}
// REDEFINE: %{place} = 5
// RUN: %{translate}
// REDEFINE: %{place} = 6
// RUN: %{translate}
// REDEFINE: %{place} = 7
// RUN: %{translate}
// REDEFINE: %{place} = 8
// RUN: %{translate}
// REDEFINE: %{place} = 9
// RUN: %{translate}
// REDEFINE: %{place} = 10
// RUN: %{translate}
// REDEFINE: %{place} = 11
// RUN: %{translate}
// REDEFINE: %{place} = 12
// RUN: %{translate}
// REDEFINE: %{place} = 13
// RUN: %{translate}
// REDEFINE: %{place} = 14
// RUN: %{translate}
// REDEFINE: %{place} = 15
// RUN: %{translate}
// RUN: not ls %t

// An operation without a form in C++ is an error wherever it stands, and nothing is written.
// CHECK: error: 'math.ctpop' op has no HLS C++ form yet; rewrite it with other arith and math operations
// CHECK-NOT: error:
dataflow.design @places {
  %one_x = dataflow.port in "one_x" : !dataflow.port<8xi32>
  %words_x = dataflow.port in "words_x" : !dataflow.port<8x16xi32>
  %parts_x = dataflow.port in "parts_x" : !dataflow.port<8x2x16xi32>
  %named_x = dataflow.port in "named_x" : !dataflow.port<8xi32>
  %lanes_x = dataflow.port in "lanes_x" : !dataflow.port<8x16xi32>
  %scalar_x = dataflow.port in "scalar_x" : !dataflow.port<8xi32>
  %vector_x = dataflow.port in "vector_x" : !dataflow.port<8x16xi32>
  %pair_x = dataflow.port in "pair_x" : !dataflow.port<8xi32>
  %pair_z = dataflow.port in "pair_z" : !dataflow.port<8x16xi32>
  %lane_x = dataflow.port in "lane_x" : !dataflow.port<8x16xi32>
  %lane_p = dataflow.port in "lane_p" : !dataflow.port<8xi32>
  %insert_x = dataflow.port in "insert_x" : !dataflow.port<8x16xi32>
  %gather_x = dataflow.port in "gather_x" : !dataflow.port<8xi32>
  %nests_x = dataflow.port in "nests_x" : !dataflow.port<8xi32>
  %steps_x = dataflow.port in "steps_x" : !dataflow.port<8xi32>
  %one_y = dataflow.port out "one_y" : !dataflow.port<8xi32>
  %words_y = dataflow.port out "words_y" : !dataflow.port<8x16xi32>
  %parts_y = dataflow.port out "parts_y" : !dataflow.port<8x2x16xi32>
  %named_y = dataflow.port out "named_y" : !dataflow.port<8xi32>
  %lanes_y = dataflow.port out "lanes_y" : !dataflow.port<8x16xi32>
  %scalar_y = dataflow.port out "scalar_y" : !dataflow.port<8xi32>
  %vector_y = dataflow.port out "vector_y" : !dataflow.port<8x16xi32>
  %pair_y = dataflow.port out "pair_y" : !dataflow.port<8xi32>
  %lane_y = dataflow.port out "lane_y" : !dataflow.port<8xi32>
  %insert_y = dataflow.port out "insert_y" : !dataflow.port<8x16xi32>
  %gather_y = dataflow.port out "gather_y" : !dataflow.port<8x2xi32>
  %nests_y = dataflow.port out "nests_y" : !dataflow.port<8xi32>
  %steps_y = dataflow.port out "steps_y" : !dataflow.port<8xi32>
  %scalar = dataflow.stream "scalar" : !dataflow.stream<i32>
  %vector = dataflow.stream "vector" : !dataflow.stream<vector<16xi32>>
  %pair = dataflow.stream "pair" : !dataflow.stream<tuple<i32, vector<16xi32>>>
  dataflow.leaf "one" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %one_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %w = math.absi %v {place = 1 : i64} : i32
    dataflow.store %w, %one_y affine_map<(i) -> (i)> : i32, !dataflow.port<8xi32>
  }
  dataflow.leaf "words" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %words_x affine_map<(i) -> (i, 0)> : !dataflow.port<8x16xi32> -> vector<1x16xi32>
    %w = math.absi %v {place = 2 : i64} : vector<1x16xi32>
    dataflow.store %w, %words_y affine_map<(i) -> (i, 0)> : vector<1x16xi32>, !dataflow.port<8x16xi32>
  }
  dataflow.leaf "parts" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %parts_x affine_map<(i) -> (i, 0, 0)> : !dataflow.port<8x2x16xi32> -> vector<1x2x16xi32>
    %w = math.absi %v {place = 3 : i64} : vector<1x2x16xi32>
    dataflow.store %w, %parts_y affine_map<(i) -> (i, 0, 0)> : vector<1x2x16xi32>, !dataflow.port<8x2x16xi32>
  }
  dataflow.leaf "named" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %named_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %w = math.absi %v {place = 4 : i64} : i32
    %s = arith.addi %w, %w : i32
    dataflow.store %s, %named_y affine_map<(i) -> (i)> : i32, !dataflow.port<8xi32>
  }
  dataflow.leaf "lanes" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %lanes_x affine_map<(i) -> (i, 0)> : !dataflow.port<8x16xi32> -> vector<1x16xi32>
    %w = math.absi %v {place = 5 : i64} : vector<1x16xi32>
    %s = arith.addi %w, %w : vector<1x16xi32>
    dataflow.store %s, %lanes_y affine_map<(i) -> (i, 0)> : vector<1x16xi32>, !dataflow.port<8x16xi32>
  }
  dataflow.leaf "scalar" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %scalar_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %w = math.absi %v {place = 6 : i64} : i32
    dataflow.stream_write %w, %scalar : i32, !dataflow.stream<i32>
  }
  dataflow.leaf "scalar_take" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %scalar : !dataflow.stream<i32> -> i32
    dataflow.store %v, %scalar_y affine_map<(i) -> (i)> : i32, !dataflow.port<8xi32>
  }
  dataflow.leaf "vector" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %vector_x affine_map<(i) -> (i, 0)> : !dataflow.port<8x16xi32> -> vector<1x16xi32>
    %u = vector.shape_cast %v : vector<1x16xi32> to vector<16xi32>
    %w = math.absi %u {place = 7 : i64} : vector<16xi32>
    dataflow.stream_write %w, %vector : vector<16xi32>, !dataflow.stream<vector<16xi32>>
  }
  dataflow.leaf "vector_take" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %vector : !dataflow.stream<vector<16xi32>> -> vector<16xi32>
    %u = vector.shape_cast %v : vector<16xi32> to vector<1x16xi32>
    dataflow.store %u, %vector_y affine_map<(i) -> (i, 0)> : vector<1x16xi32>, !dataflow.port<8x16xi32>
  }
  dataflow.leaf "pair" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %pair_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %r = dataflow.load %pair_z affine_map<(i) -> (i, 0)> : !dataflow.port<8x16xi32> -> vector<1x16xi32>
    %u = vector.shape_cast %r : vector<1x16xi32> to vector<16xi32>
    %a = math.absi %v {place = 8 : i64} : i32
    %b = math.absi %u {place = 9 : i64} : vector<16xi32>
    %t = dataflow.tuple %a, %b : i32, vector<16xi32> -> tuple<i32, vector<16xi32>>
    dataflow.stream_write %t, %pair : tuple<i32, vector<16xi32>>, !dataflow.stream<tuple<i32, vector<16xi32>>>
  }
  dataflow.leaf "pair_take" compute [8] {
  ^bb0(%i: index):
    %t = dataflow.stream_read %pair : !dataflow.stream<tuple<i32, vector<16xi32>>> -> tuple<i32, vector<16xi32>>
    %v = dataflow.member %t[0] : tuple<i32, vector<16xi32>> -> i32
    dataflow.store %v, %pair_y affine_map<(i) -> (i)> : i32, !dataflow.port<8xi32>
  }
  dataflow.leaf "lane" compute [8] {
  ^bb0(%i: index):
    %r = dataflow.load %lane_x affine_map<(i) -> (i, 0)> : !dataflow.port<8x16xi32> -> vector<1x16xi32>
    %v = dataflow.load %lane_p affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %a = math.absi %v {place = 10 : i64} : i32
    %b = arith.index_cast %a : i32 to index
    %one = arith.constant 1 : index
    %c = arith.addi %one, %b : index
    %e = vector.extract %r[0, %c] : i32 from vector<1x16xi32>
    dataflow.store %e, %lane_y affine_map<(i) -> (i)> : i32, !dataflow.port<8xi32>
  }
  dataflow.leaf "insert" compute [8] {
  ^bb0(%i: index):
    %r = dataflow.load %insert_x affine_map<(i) -> (i, 0)> : !dataflow.port<8x16xi32> -> vector<1x16xi32>
    %u = vector.shape_cast %r : vector<1x16xi32> to vector<16xi32>
    %h = vector.extract_strided_slice %u {offsets = [0], sizes = [8], strides = [1]} : vector<16xi32> to vector<8xi32>
    %a = math.absi %h {place = 11 : i64} : vector<8xi32>
    %b = math.absi %u {place = 12 : i64} : vector<16xi32>
    %c = vector.insert_strided_slice %a, %b {offsets = [4], strides = [1]} : vector<8xi32> into vector<16xi32>
    %d = vector.shape_cast %c : vector<16xi32> to vector<1x16xi32>
    dataflow.store %d, %insert_y affine_map<(i) -> (i, 0)> : vector<1x16xi32>, !dataflow.port<8x16xi32>
  }
  dataflow.leaf "gather" compute [8] {
  ^bb0(%i: index):
    %v = dataflow.load %gather_x affine_map<(i) -> (i)> : !dataflow.port<8xi32> -> i32
    %a = math.absi %v {place = 13 : i64} : i32
    %c = vector.from_elements %v, %a : vector<1x2xi32>
    dataflow.store %c, %gather_y affine_map<(i) -> (i, 0)> : vector<1x2xi32>, !dataflow.port<8x2xi32>
  }
  dataflow.leaf "nests" compute [1] {
  ^bb0(%b: index, %m: !dataflow.private<8xi32>):
    dataflow.nest "first" [8] {
    ^bb0(%i: index):
      %v = dataflow.load %nests_x affine_map<(b, i) -> (i)> : !dataflow.port<8xi32> -> i32
      dataflow.store %v, %m affine_map<(b, i) -> (i)> : i32, !dataflow.private<8xi32>
    }
    dataflow.nest "second" [8] {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(b, i) -> (i)> : !dataflow.private<8xi32> -> i32
      %w = math.absi %v {place = 14 : i64} : i32
      dataflow.store %w, %nests_y affine_map<(b, i) -> (i)> : i32, !dataflow.port<8xi32>
    }
  }
  dataflow.leaf "steps" compute [1] attributes {together} {
  ^bb0(%b: index, %m: !dataflow.private<8xi32>):
    dataflow.nest "first" [8] {
    ^bb0(%i: index):
      %v = dataflow.load %steps_x affine_map<(b, i) -> (i)> : !dataflow.port<8xi32> -> i32
      dataflow.store %v, %m affine_map<(b, i) -> (i)> : i32, !dataflow.private<8xi32>
    }
    dataflow.nest "second" [8] lag 1 {
    ^bb0(%i: index):
      %v = dataflow.load %m affine_map<(b, i) -> (i)> : !dataflow.private<8xi32> -> i32
      %w = math.absi %v {place = 15 : i64} : i32
      dataflow.store %w, %steps_y affine_map<(b, i) -> (i)> : i32, !dataflow.port<8xi32>
    }
  }
}
