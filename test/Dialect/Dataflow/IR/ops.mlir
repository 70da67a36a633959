// RUN: %roundtrip %s | FileCheck %s

!rows = !itensor.itensor<4x4xf32, iter_space: [2] * [4], iter_map: (d0) -> (0, d0)>

// CHECK-LABEL: func.func @kernel
func.func @kernel(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: dataflow.kernel "twice"(%{{.*}}) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = dataflow.kernel "twice" (%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %s = itensor.from_tensor %a : tensor<4x8xf32> -> !rows
    %e = itensor.empty : !rows
    // CHECK: dataflow.task "add" outs(%{{.*}} : {{.*}}) -> {{.*}} {
    %t = dataflow.task "add" outs(%e : !rows) -> !rows {
    ^bb0(%out: !rows):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%o = %out) -> !rows {
        %tile = itensor.read %s[%i] : !rows -> tensor<4x4xf32>
        %sum = arith.addf %tile, %tile : tensor<4x4xf32>
        %w = itensor.write %sum into %o[%i] : tensor<4x4xf32>, !rows
        scf.yield %w : !rows
      }
      dataflow.yield %r : !rows
    }
    %z = itensor.to_tensor %t : !rows -> tensor<4x8xf32>
    dataflow.yield %z : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: dataflow.design @matvec
dataflow.design @matvec {
  // CHECK: %hbm3 = dataflow.channel "HBM"[3] <bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  // CHECK: %gmem_weight = dataflow.interface "gmem_weight" <bits = 512, read = 77, write = 7, gap = 5> on %hbm3
  // CHECK: %[[w:.*]] = dataflow.port in "weight" via %gmem_weight : <16x64xf32>
  // CHECK: %[[y:.*]] = dataflow.port out "y" : <16xf32>
  %c = dataflow.channel "HBM"[3] #dataflow.channel<bits = 256, khz = 450000, peak = 14375, sustained = 13280, cycles_khz = 250000>
  %g = dataflow.interface "gmem_weight" #dataflow.interface<bits = 512, read = 77, write = 7, gap = 5> on %c
  %x = dataflow.port in "x" : !dataflow.port<64xf32>
  %w = dataflow.port in "weight" via %g : !dataflow.port<16x64xf32>
  %y = dataflow.port out "y" : !dataflow.port<16xf32>
  // CHECK: dataflow.stream "h" : <vector<4xf32>>
  %h = dataflow.stream "h" : !dataflow.stream<vector<4xf32>>
  // CHECK: dataflow.stream "r" {latency = 1 : i64, memory = #dataflow.memory<srl>} : <f32, 2>
  %r = dataflow.stream "r" {latency = 1 : i64, memory = #dataflow.memory<srl>} : !dataflow.stream<f32, 2>
  // CHECK: %[[tile:.*]] = dataflow.buffer "tile" blocks 2 {storage = #dataflow.storage<bram partition [1, 4] ports 2 read 2 write 1>} : <4x64xf32>
  %tile = dataflow.buffer "tile" blocks 2 {storage = #dataflow.storage<bram partition [1, 4] ports 2 read 2 write 1>} : !dataflow.buffer<4x64xf32>
  // CHECK: dataflow.leaf "load_x" load [4, 16] {
  dataflow.leaf "load_x" load [4, 16] {
  ^bb0(%n: index, %k: index):
    // CHECK: dataflow.load %{{.*}} affine_map<(d0, d1) -> (d1 * 4)> : !dataflow.port<64xf32> -> vector<4xf32>
    %v = dataflow.load %x affine_map<(n, k) -> (k * 4)> : !dataflow.port<64xf32> -> vector<4xf32>
    dataflow.stream_write %v, %h : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  // CHECK: dataflow.leaf "load_w" load [4, 4, 16] writes(%[[tile]] at 1 : !dataflow.buffer<4x64xf32>) attributes {depth = 78 : i64, ii = 1 : i64} {
  dataflow.leaf "load_w" load [4, 4, 16] writes(%tile at 1 : !dataflow.buffer<4x64xf32>) attributes {ii = 1 : i64, depth = 78 : i64} {
  ^bb0(%n: index, %m: index, %k: index):
    %v = dataflow.load %w affine_map<(n, m, k) -> (n * 4 + m, k * 4)> {dataflow.timing = #dataflow.timing<at 0 for 77>, words = #dataflow.words<count = 1, lanes = 4, used = 4, burst = 256, outstanding = 1>} : !dataflow.port<16x64xf32> -> vector<1x4xf32>
    dataflow.store %v, %tile affine_map<(n, m, k) -> (m, k * 4)> {dataflow.timing = #dataflow.timing<at 77 for 1>} : vector<1x4xf32>, !dataflow.buffer<4x64xf32>
  }
  // CHECK: dataflow.leaf "dot" compute [4, 16] reads(%[[tile]] at 1 : !dataflow.buffer<4x64xf32>) attributes {style = #dataflow.style<stp>} {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: !dataflow.private<4xf32>):
  dataflow.leaf "dot" compute [4, 16] reads(%tile at 1 : !dataflow.buffer<4x64xf32>) attributes {style = #dataflow.style<stp>} {
  ^bb0(%n: index, %k: index, %acc: !dataflow.private<4xf32>):
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %v = dataflow.stream_read %h : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    %m = dataflow.load %tile affine_map<(n, k) -> (0, k * 4)> : !dataflow.buffer<4x64xf32> -> vector<4x4xf32>
    %b = vector.broadcast %v : vector<4xf32> to vector<4x4xf32>
    %p = arith.mulf %m, %b : vector<4x4xf32>
    %p0 = vector.extract_strided_slice %p {offsets = [0, 0], sizes = [4, 2], strides = [1, 1]} : vector<4x4xf32> to vector<4x2xf32>
    %p1 = vector.extract_strided_slice %p {offsets = [0, 2], sizes = [4, 2], strides = [1, 1]} : vector<4x4xf32> to vector<4x2xf32>
    %s = arith.addf %p0, %p1 : vector<4x2xf32>
    %s0 = vector.extract_strided_slice %s {offsets = [0, 0], sizes = [4, 1], strides = [1, 1]} : vector<4x2xf32> to vector<4x1xf32>
    %s1 = vector.extract_strided_slice %s {offsets = [0, 1], sizes = [4, 1], strides = [1, 1]} : vector<4x2xf32> to vector<4x1xf32>
    %t = arith.addf %s0, %s1 : vector<4x1xf32>
    %u = vector.shape_cast %t : vector<4x1xf32> to vector<4xf32>
    %old = dataflow.load %acc affine_map<(n, k) -> (0)> : !dataflow.private<4xf32> -> vector<4xf32>
    // CHECK: dataflow.test {{#set[0-9]*}}
    %first = dataflow.test affine_set<(n, k) : (k == 0)>
    %start = arith.select %first, %zero, %old : vector<4xf32>
    %new = arith.addf %start, %u : vector<4xf32>
    dataflow.store %new, %acc affine_map<(n, k) -> (0)> : vector<4xf32>, !dataflow.private<4xf32>
    %last = vector.extract %new[3] : f32 from vector<4xf32>
    // CHECK: dataflow.stream_write %{{.*}}, %{{.*}} when {{#set[0-9]*}} : f32, <f32, 2>
    dataflow.stream_write %last, %r when affine_set<(n, k) : (k - 12 >= 0)> : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store_y" store [16] {
  ^bb0(%n: index):
    %v = dataflow.stream_read %r : !dataflow.stream<f32, 2> -> f32
    dataflow.store %v, %y affine_map<(n) -> (n)> : f32, !dataflow.port<16xf32>
  }
}

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<64xf32>, %w: tensor<16x64xf32>) -> tensor<16xf32> {
  // CHECK: dataflow.launch @matvec(%{{.*}}, %{{.*}}) : (tensor<64xf32>, tensor<16x64xf32>) -> tensor<16xf32>
  %y = dataflow.launch @matvec(%x, %w) : (tensor<64xf32>, tensor<16x64xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// Two FIFOs become one row, the second half negated: reads that do not start in
// the first iteration are used where they happened.
// CHECK-LABEL: dataflow.design @concat
dataflow.design @concat {
  %x = dataflow.port in "x" : !dataflow.port<4xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %a = dataflow.stream "a" : !dataflow.stream<f32>
  %b = dataflow.stream "b" : !dataflow.stream<f32>
  %c = dataflow.stream "c" : !dataflow.stream<f32>
  %d = dataflow.stream "d" : !dataflow.stream<f32>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i)> : !dataflow.port<4xf32> -> f32
    dataflow.stream_write %v, %a : f32, !dataflow.stream<f32>
    dataflow.stream_write %v, %b : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "by_guards" concat [2, 4] {
  ^bb0(%half: index, %i: index):
    %l = dataflow.stream_read %a when affine_set<(h, i) : (h == 0)> : !dataflow.stream<f32> -> f32
    dataflow.stream_write %l, %c when affine_set<(h, i) : (-h >= 0)> : f32, !dataflow.stream<f32>
    %r = dataflow.stream_read %b when affine_set<(h, i) : (h - 1 == 0)> : !dataflow.stream<f32> -> f32
    %n = arith.negf %r : f32
    dataflow.stream_write %n, %c when affine_set<(h, i) : (h - 1 >= 0)> : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "by_select" concat [2, 4] {
  ^bb0(%half: index, %i: index):
    %r = dataflow.stream_read %c when affine_set<(h, i) : (h - 1 == 0)> : !dataflow.stream<f32> -> f32
    %l = dataflow.stream_read %c when affine_set<(h, i) : (h == 0)> : !dataflow.stream<f32> -> f32
    %low = dataflow.test affine_set<(h, i) : (h == 0)>
    %v = arith.select %low, %l, %r : f32
    dataflow.stream_write %v, %d : f32, !dataflow.stream<f32>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %v = dataflow.stream_read %d : !dataflow.stream<f32> -> f32
    dataflow.store %v, %y affine_map<(i) -> ((i mod 2) * 4 + i floordiv 2)> : f32, !dataflow.port<8xf32>
  }
}

// The orders at both ends of a FIFO are equal in normal form.
// CHECK-LABEL: dataflow.design @orders
dataflow.design @orders {
  %x = dataflow.port in "x" : !dataflow.port<16xf32>
  %y = dataflow.port out "y" : !dataflow.port<16xf32>
  %s = dataflow.stream "s" : !dataflow.stream<vector<4xf32>>
  dataflow.leaf "load" load [4] {
  ^bb0(%i: index):
    %v = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<16xf32> -> vector<4xf32>
    // CHECK: dataflow.stream_write {{.*}} {dataflow.order = !itensor.itensor<4xf32
    dataflow.stream_write %v, %s {dataflow.order = !itensor.itensor<4xf32, iter_space: [4] * [4], iter_map: (d0) -> (d0)>} : vector<4xf32>, !dataflow.stream<vector<4xf32>>
  }
  dataflow.leaf "store" store [2, 2] {
  ^bb0(%i: index, %j: index):
    %v = dataflow.stream_read %s {dataflow.order = !itensor.itensor<4xf32, iter_space: [2, 2, 3] * [8, 4, 1], iter_map: (d0, d1, d2) -> (d0 + d1)>} : !dataflow.stream<vector<4xf32>> -> vector<4xf32>
    dataflow.store %v, %y affine_map<(i, j) -> (i * 8 + j * 4)> : vector<4xf32>, !dataflow.port<16xf32>
  }
}

// A token of two members, put together by one leaf and taken apart by the other.
// CHECK-LABEL: dataflow.design @tuples
dataflow.design @tuples {
  %x = dataflow.port in "x" : !dataflow.port<8xf32>
  %y = dataflow.port out "y" : !dataflow.port<2xf32>
  %s = dataflow.stream "s" : !dataflow.stream<tuple<vector<4xf32>, f32>>
  dataflow.leaf "load" load [2] {
  ^bb0(%i: index):
    %row = dataflow.load %x affine_map<(i) -> (i * 4)> : !dataflow.port<8xf32> -> vector<4xf32>
    %last = vector.extract %row[3] : f32 from vector<4xf32>
    // CHECK: dataflow.tuple %{{.*}}, %{{.*}} : vector<4xf32>, f32 -> tuple<vector<4xf32>, f32>
    %both = dataflow.tuple %row, %last : vector<4xf32>, f32 -> tuple<vector<4xf32>, f32>
    dataflow.stream_write %both, %s : tuple<vector<4xf32>, f32>, !dataflow.stream<tuple<vector<4xf32>, f32>>
  }
  dataflow.leaf "store" store [2] {
  ^bb0(%i: index):
    %both = dataflow.stream_read %s : !dataflow.stream<tuple<vector<4xf32>, f32>> -> tuple<vector<4xf32>, f32>
    // CHECK: dataflow.member %{{.*}}[1] : tuple<vector<4xf32>, f32> -> f32
    %second = dataflow.member %both[1] : tuple<vector<4xf32>, f32> -> f32
    dataflow.store %second, %y affine_map<(i) -> (i)> : f32, !dataflow.port<2xf32>
  }
}
