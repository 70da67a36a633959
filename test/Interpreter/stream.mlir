// RUN: streamtensor-run %s --elements=8 | FileCheck %s

// A row is read once and held; a block buffer turns it around; partial sums stay in a private
// memory and leave on the last trip.

#first = affine_set<(d0, d1) : (d1 == 0)>
#last = affine_set<(d0, d1) : (d1 - 3 == 0)>
dataflow.design @turned {
  %x = dataflow.port in "x" : !dataflow.port<2x4xi32>
  %b = dataflow.port in "b" : !dataflow.port<2xi32>
  %y = dataflow.port out "y" : !dataflow.port<2x4xi32>
  %s = dataflow.port out "s" : !dataflow.port<2xi32>
  %rows = dataflow.stream "rows" : !dataflow.stream<vector<2xi32>, 2>
  %offsets = dataflow.stream "offsets" : !dataflow.stream<i32, 2>
  %turned = dataflow.stream "turned" : !dataflow.stream<i32, 2>
  %block = dataflow.buffer "block" blocks 2 : !dataflow.buffer<4xi32>
  dataflow.leaf "load" load [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.load %x affine_map<(i, j) -> (i, j * 2)> : !dataflow.port<2x4xi32> -> vector<1x2xi32>
    %w = vector.shape_cast %v : vector<1x2xi32> to vector<2xi32>
    dataflow.stream_write %w, %rows : vector<2xi32>, !dataflow.stream<vector<2xi32>, 2>
  }
  dataflow.leaf "load_b" load [2] {
  ^bb0(%i: index):
    %v = dataflow.load %b affine_map<(i) -> (i)> : !dataflow.port<2xi32> -> i32
    dataflow.stream_write %v, %offsets : i32, !dataflow.stream<i32, 2>
  }
  dataflow.leaf "fill" fill [2, 2] writes(%block at 1 : !dataflow.buffer<4xi32>) {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %rows : !dataflow.stream<vector<2xi32>, 2> -> vector<2xi32>
    dataflow.store %v, %block affine_map<(i, j) -> (j * 2)> : vector<2xi32>, !dataflow.buffer<4xi32>
  }
  dataflow.leaf "turn" compute [2, 4] reads(%block at 1 : !dataflow.buffer<4xi32>) {
  ^bb0(%i: index, %j: index, %sum: !dataflow.private<1xi32>):
    %v = dataflow.load %block affine_map<(i, j) -> (3 - j)> : !dataflow.buffer<4xi32> -> i32
    %o = dataflow.stream_read %offsets when #first : !dataflow.stream<i32, 2> -> i32
    %w = arith.addi %v, %o : i32
    dataflow.stream_write %w, %turned : i32, !dataflow.stream<i32, 2>
    %isFirst = dataflow.test #first
    %zero = arith.constant 0 : i32
    %before = dataflow.load %sum affine_map<(i, j) -> (0)> : !dataflow.private<1xi32> -> i32
    %start = arith.select %isFirst, %zero, %before : i32
    %next = arith.addi %start, %v : i32
    dataflow.store %next, %sum affine_map<(i, j) -> (0)> : i32, !dataflow.private<1xi32>
    dataflow.store %next, %s affine_map<(i, j) -> (i)> when #last : i32, !dataflow.port<2xi32>
  }
  dataflow.leaf "store" store [2, 4] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %turned : !dataflow.stream<i32, 2> -> i32
    dataflow.store %v, %y affine_map<(i, j) -> (i, j)> : i32, !dataflow.port<2x4xi32>
  }
}

// The lanes of vectors change places.
dataflow.design @lanes {
  %x = dataflow.port in "x" : !dataflow.port<2x4xi32>
  %y = dataflow.port out "y" : !dataflow.port<8xi32>
  %f = dataflow.stream "f" : !dataflow.stream<vector<8xi32>>
  dataflow.leaf "move" compute [1] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (0, 0)> : !dataflow.port<2x4xi32> -> vector<2x4xi32>
    %t = vector.transpose %v, [1, 0] : vector<2x4xi32> to vector<4x2xi32>
    %h = vector.extract_strided_slice %t {offsets = [1, 0], sizes = [2, 1], strides = [1, 1]} : vector<4x2xi32> to vector<2x1xi32>
    %w = vector.insert_strided_slice %h, %t {offsets = [0, 1], strides = [1, 1]} : vector<2x1xi32> into vector<4x2xi32>
    %e = vector.extract %v[1, 3] : i32 from vector<2x4xi32>
    %b = vector.broadcast %e : i32 to vector<4x2xi32>
    %s = arith.subi %b, %w : vector<4x2xi32>
    %r = vector.shape_cast %s : vector<4x2xi32> to vector<8xi32>
    dataflow.stream_write %r, %f : vector<8xi32>, !dataflow.stream<vector<8xi32>>
  }
  dataflow.leaf "store" store [1] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %f : !dataflow.stream<vector<8xi32>> -> vector<8xi32>
    %n = vector.step : vector<8xindex>
    %k = arith.index_cast %n : vector<8xindex> to vector<8xi32>
    %w = arith.muli %v, %k : vector<8xi32>
    dataflow.store %w, %y affine_map<(i) -> (0)> : vector<8xi32>, !dataflow.port<8xi32>
  }
}

func.func @main() -> (tensor<2x4xi32>, tensor<2xi32>, tensor<8xi32>) {
  %x = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %b = arith.constant dense<[10, 20]> : tensor<2xi32>
  // CHECK: level stream
  // CHECK: result0 tensor<2x4xi32> [14, 13, 12, 11, 28, 27, 26, 25]
  // CHECK: result1 tensor<2xi32> [10, 26]
  %y, %s = dataflow.launch @turned(%x, %b) : (tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2x4xi32>, tensor<2xi32>)
  // CHECK: result2 tensor<8xi32> [0, 6, 12, 15, 20, 5, 24, 0]
  %z = dataflow.launch @lanes(%x) : (tensor<2x4xi32>) -> tensor<8xi32>
  return %y, %s, %z : tensor<2x4xi32>, tensor<2xi32>, tensor<8xi32>
}
