// RUN: rm -rf %t && mkdir %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase --dataflow-cut-kernels -o %t/cut.mlir
// RUN: streamtensor-translate %t/cut.mlir --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/ring.cpp
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/hls/ring.h
// RUN: FileCheck %s --check-prefix=CALL --input-file=%t/hls/ring_native.cpp
// RUN: FileCheck %s --check-prefix=LINK --input-file=%t/vitis/ring.cfg
// RUN: FileCheck %s --check-prefix=HLS --input-file=%t/vitis/ring_SLR2-hls.cfg
// RUN: FileCheck %s --check-prefix=MAKE --input-file=%t/vitis/Makefile
// RUN: FileCheck %s --check-prefix=PROGRAM --input-file=%t/host/program.h
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/interface.json
// RUN: not ls %t/vitis/ring_floorplan.tcl

// A kernel for each die: each is a dataflow region with the arguments of its leaf tasks and an AXI stream for each FIFO to
// or from another die. Values go there and back, so that no order of calls would run kernels one after the other: C
// calls the leaf tasks of all.

// HEADER: template <> struct TokenBits<ring_tasks::tuple_f32x4_i1> {
// HEADER: bits.range(end0 - 1, 0) = Bits0::get(token.m0);
// HEADER-NEXT: bits.range(end1 - 1, end0) = Bits1::get(token.m1);
// HEADER: extern "C" void ring_SLR0(
// HEADER: extern "C" void ring_SLR2(
// HEADER: struct ring_links {
// HEADER-NEXT: st::LinkInC<st::Link<tuple_f32x4_i1>> there{"there"};
// HEADER: extern "C" void ring(const hls::vector<float, 4> *x, float *y, int rows);

// CHECK: void split(const hls::vector<float, 4> *x, hls::stream<st::Link<tuple_f32x4_i1>> &there,
// CHECK-NEXT: hls::stream<float> &beside) {
// CHECK: there.write(st::to_link<tuple_f32x4_i1>(token));
// CHECK: void sum(hls::stream<st::Link<tuple_f32x4_i1>> &there, hls::stream<st::Link<float>> &back,
// CHECK-NEXT: int rows) {
// CHECK: const tuple_f32x4_i1 there_token = st::from_link<tuple_f32x4_i1>(there.read());

// CHECK: // The kernel on SLR0.
// CHECK-NEXT: extern "C" void ring_SLR0(const hls::vector<float, 4> *x, float *y,
// CHECK-NEXT: hls::stream<st::Link<float>> &back,
// CHECK-NEXT: hls::stream<st::Link<tuple_f32x4_i1>> &there) {
// CHECK-NEXT: #pragma HLS interface mode=m_axi port=x
// CHECK-NEXT: #pragma HLS interface mode=m_axi port=y
// CHECK-NEXT: #pragma HLS interface mode=s_axilite port=x bundle=control
// CHECK-NEXT: #pragma HLS interface mode=s_axilite port=y bundle=control
// CHECK-NEXT: #pragma HLS interface mode=axis port=back
// CHECK-NEXT: #pragma HLS interface mode=axis port=there
// CHECK-NEXT: #pragma HLS interface mode=s_axilite port=return bundle=control
// CHECK-NEXT: #pragma HLS dataflow
// CHECK-NEXT: hls::stream<float> beside("beside");
// CHECK-NOT: hls::stream
// CHECK: ring_tasks::split(x, there, beside);
// CHECK-NEXT: ring_tasks::join(beside, back, y);

// CHECK: // The kernel on SLR2.
// CHECK-NEXT: extern "C" void ring_SLR2(int rows, hls::stream<st::Link<tuple_f32x4_i1>> &there,
// CHECK-NEXT: hls::stream<st::Link<float>> &back) {
// CHECK-NEXT: #pragma HLS interface mode=s_axilite port=rows bundle=control
// CHECK: ring_tasks::sum(there, back, rows);

// CHECK: #ifndef __SYNTHESIS__
// CHECK: void ring_together(const hls::vector<float, 4> *x, float *y, int rows, ring_links &links) {
// CHECK-NEXT: hls::stream<float> beside("beside");
// CHECK: ring_tasks::split(x, links.there.written, beside);
// CHECK-NEXT: links.there.pass();
// CHECK-NEXT: ring_tasks::sum(links.there.read, links.back.written, rows);
// CHECK-NEXT: links.back.pass();
// CHECK-NEXT: ring_tasks::join(beside, links.back.read, y);
// CHECK: extern "C" void ring(const hls::vector<float, 4> *x, float *y, int rows) {
// CHECK-NEXT: ring_links links;
// CHECK-NEXT: ring_together(x, y, rows, links);
// CHECK: #endif

// C simulation calls each kernel by itself as well.
// CALL: #ifdef ST_VITIS
// CALL-NEXT: const st::Kept before1(st_ports[1], 8 * sizeof(float));
// CALL: before1.restore();
// CALL-NEXT: hls::stream<st::Link<tuple_f32x4_i1>> there("there");
// CALL-NEXT: ring_SLR0(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
// CALL-NEXT: static_cast<float *>(st_ports[1]), links.back.taken, there);
// CALL-NEXT: links.there.compare(there);
// CALL: #else
// CALL: ring(

// LINK: nk=ring_SLR0:1:ring_SLR0_1
// LINK-NEXT: nk=ring_SLR2:1:ring_SLR2_1
// LINK-NEXT: slr=ring_SLR0_1:SLR0
// LINK-NEXT: slr=ring_SLR2_1:SLR2
// LINK-NEXT: sp=ring_SLR0_1.m_axi_gmem_x:HBM[0]
// LINK-NEXT: sp=ring_SLR0_1.m_axi_gmem_y:HBM[1]
// LINK-NEXT: stream_connect=ring_SLR0_1.there:ring_SLR2_1.there:16
// LINK-NEXT: stream_connect=ring_SLR2_1.back:ring_SLR0_1.back:16

// HLS: syn.top=ring_SLR2
// HLS-NEXT: syn.file=@OUT@/hls/ring.cpp
// HLS: package.output.file=ring_SLR2.xo

// MAKE: DESIGNS := ring
// MAKE-NEXT: KERNELS_ring := ring_SLR0 ring_SLR2

// PROGRAM: {{[{][{]}}"rows", 1, 8}},
// PROGRAM-NEXT: {{[{][{]}}"ring_SLR0", {0, 1}, {}}, {"ring_SLR2", {}, {0}}}, true},

// JSON: "kernels": [
// JSON: "die": "SLR0",
// JSON-NEXT: "function": "ring_SLR0",
// JSON: "links": [
// JSON: "depth": 16,
// JSON-NEXT: "from": "ring_SLR0",
// JSON-NEXT: "name": "there",
// JSON-NEXT: "to": "ring_SLR2"

func.func @main(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  %rows = arith.constant 8 : index
  %y = dataflow.launch @ring(%x) scalars(%rows) : (tensor<8x4xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

dataflow.design @ring {
  %x = dataflow.port in "x" : !dataflow.port<8x4xf32>
  %y = dataflow.port out "y" : !dataflow.port<8xf32>
  %rows = dataflow.scalar "rows" from 1 to 8 : index
  %there = dataflow.stream "there" : !dataflow.stream<tuple<vector<4xf32>, i1>, 2>
  %back = dataflow.stream "back" : !dataflow.stream<f32, 2>
  %beside = dataflow.stream "beside" : !dataflow.stream<f32, 2>
  dataflow.leaf "split" load [8] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %row = dataflow.load %x affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xf32> -> vector<1x4xf32>
    %lanes = vector.shape_cast %row : vector<1x4xf32> to vector<4xf32>
    %first = vector.extract %lanes[0] : f32 from vector<4xf32>
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %first, %zero : f32
    %pair = dataflow.tuple %lanes, %positive : vector<4xf32>, i1 -> tuple<vector<4xf32>, i1>
    dataflow.stream_write %pair, %there : tuple<vector<4xf32>, i1>, !dataflow.stream<tuple<vector<4xf32>, i1>, 2>
    dataflow.stream_write %first, %beside : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "sum" compute [8] counts affine_map<()[s0] -> (8)> (%rows) attributes {die = "SLR2"} {
  ^bb0(%i: index):
    %pair = dataflow.stream_read %there : !dataflow.stream<tuple<vector<4xf32>, i1>, 2> -> tuple<vector<4xf32>, i1>
    %lanes = dataflow.member %pair[0] : tuple<vector<4xf32>, i1> -> vector<4xf32>
    %positive = dataflow.member %pair[1] : tuple<vector<4xf32>, i1> -> i1
    %last = vector.extract %lanes[3] : f32 from vector<4xf32>
    %integer = arith.index_cast %rows : index to i32
    %count = arith.sitofp %integer : i32 to f32
    %chosen = arith.select %positive, %last, %count : f32
    dataflow.stream_write %chosen, %back : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "join" store [8] attributes {die = "SLR0"} {
  ^bb0(%i: index):
    %a = dataflow.stream_read %beside : !dataflow.stream<f32, 2> -> f32
    %b = dataflow.stream_read %back : !dataflow.stream<f32, 2> -> f32
    %sum = arith.addf %a, %b : f32
    dataflow.store %sum, %y affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
  }
}
