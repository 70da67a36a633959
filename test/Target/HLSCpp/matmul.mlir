// RUN: rm -rf %t && streamtensor-opt %s %u55c --streamtensor-schedule-phase -mlir-print-debuginfo | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/matmul.cpp
// RUN: FileCheck %s --input-file=%t/vitis/matmul.cfg --check-prefix=LINK
// RUN: sed -e 's/"value": 250/"value": 300/' %devices/u55c.json > %t.json
// RUN: FileCheck %s --input-file=%t/vitis/matmul-hls.cfg --check-prefix=HLS
// RUN: streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t.clock && FileCheck %s --check-prefix=CLOCK --input-file=%t.clock/vitis/Makefile

// y = x w^T with w streamed through a FIFO, filled into ping-pong blocks of 16
// rows, and results drained from another block.

// CHECK: using weight_block_t = float[16][32];
// CHECK: // model.layers.0.proj
// CHECK-NEXT: // compute: 384 iterations, II 1
// CHECK-NEXT: void proj(hls::stream<hls::vector<float, 4>> &hidden,
// CHECK-NEXT: {{^}}          hls::stream_of_blocks<weight_block_t, 2> &weight,
// CHECK-NEXT: {{^}}          hls::stream_of_blocks<result_block_t, 2> &result) {
// CHECK-NEXT: #pragma HLS inline off
// CHECK-NEXT:   float local[16][16];
// CHECK-NEXT: #pragma HLS array_partition variable=local type=complete dim=2
// CHECK-NEXT: #pragma HLS bind_storage variable=local type=ram_2p impl=lutram
// CHECK-NEXT: #pragma HLS dependence variable=local type=inter direction=RAW distance=16 dependent=true
// CHECK-NEXT: proj_i0:
// CHECK-NEXT:   for (int i0 = 0; i0 < 3; ++i0) {
// CHECK-NEXT:     hls::read_lock<weight_block_t> weight_block(weight);
// CHECK-NEXT:     hls::write_lock<result_block_t> result_block(result);
// CHECK-NEXT: proj_i1:
// CHECK-NEXT:     for (int i1 = 0; i1 < 2; ++i1) {
// CHECK:             for (int i3 = 0; i3 < 16; ++i3) {
// CHECK-NEXT: #pragma HLS loop_flatten
// CHECK-NEXT: #pragma HLS pipeline II=1 style=flp
// CHECK-NEXT:           const hls::vector<float, 4> hidden_token = hidden.read();
// CHECK:                for (int u0 = 0; u0 < 16; ++u0) {
// CHECK-NEXT: #pragma HLS unroll
// CHECK-NEXT:             for (int u1 = 0; u1 < 4; ++u1) {
// CHECK-NEXT: #pragma HLS unroll
// CHECK-NEXT:               const float lane_product = hidden_token[u1] * weight_block[u0][i1 * 16 + i2 * 4 + u1];
// CHECK-NEXT: #pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
// CHECK-NEXT:               product[u0][u1] = lane_product;
// CHECK:                if (i1 == 1 && i2 == 3) {

// CHECK: extern "C" void matmul(const hls::vector<float, 4> *x, const hls::vector<float, 16> *w,
// CHECK-NEXT: {{^}}                       hls::vector<float, 16> *y) {
// CHECK-NEXT: #pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=128 max_read_burst_length=2 num_read_outstanding=14
// CHECK: #pragma HLS dataflow
// CHECK-NEXT:   hls::stream<hls::vector<float, 4>> hidden("hidden");
// CHECK-NEXT: #pragma HLS stream variable=hidden depth=2
// CHECK-NEXT: #pragma HLS bind_storage variable=hidden type=fifo impl=srl
// CHECK: hls::stream_of_blocks<weight_block_t, 2> weight;
// CHECK-NEXT: #pragma HLS array_partition variable=weight type=complete dim=1
// CHECK-NEXT: #pragma HLS array_partition variable=weight type=cyclic factor=4 dim=2
// CHECK-NEXT: #pragma HLS bind_storage variable=weight type=ram_2p impl=lutram
// CHECK: matmul_tasks::proj(hidden, weight, result);

// HLS: part=xcu55c-fsvh2892-2L-e
// HLS: [hls]
// HLS: clock=250MHz
// HLS: syn.top=matmul
// HLS-NEXT: syn.file=@OUT@/hls/matmul.cpp
// HLS: tb.file=@OUT@/hls/testbench.cpp
// HLS: tb.file=@OUT@/hls/matmul_native.cpp

// LINK: sp=matmul_1.m_axi_gmem_x:HBM[0]
// LINK: sp=matmul_1.m_axi_gmem_y:HBM[2]

func.func @main(%x: tensor<16x32xf32> {streamtensor.name = "x"},
                %w: tensor<48x32xf32> {streamtensor.name = "proj.weight", streamtensor.kind = "parameter"})
    -> tensor<16x48xf32> {
  %y = dataflow.launch @matmul(%x, %w) : (tensor<16x32xf32>, tensor<48x32xf32>) -> tensor<16x48xf32>
  return %y : tensor<16x48xf32>
}

dataflow.design @matmul {
  %x = dataflow.port in "x" : !dataflow.port<16x32xf32>
  %w = dataflow.port in "w" : !dataflow.port<48x32xf32>
  %y = dataflow.port out "y" : !dataflow.port<16x48xf32>
  %h = dataflow.stream "hidden" : !dataflow.stream<vector<4xf32>, 2>
  %wf = dataflow.stream "weight_stream" : !dataflow.stream<vector<16xf32>, 4>
  %wb = dataflow.buffer "weight" blocks 2 {storage = #dataflow.storage<unset partition [16, 4]>} : !dataflow.buffer<16x32xf32>
  %rb = dataflow.buffer "result" blocks 2 {storage = #dataflow.storage<unset partition [1, 16]>} : !dataflow.buffer<16x16xf32>
  %yf = dataflow.stream "result_stream" : !dataflow.stream<vector<16xf32>, 2>

  dataflow.leaf "load_x" load [3, 2, 4, 16] {
  ^bb0(%n: index, %kt: index, %kp: index, %m: index):
    %v = dataflow.load %x affine_map<(n, kt, kp, m) -> (m, kt * 16 + kp * 4)> : !dataflow.port<16x32xf32> -> vector<1x4xf32>
    %t = vector.shape_cast %v : vector<1x4xf32> to vector<4xf32>
    dataflow.stream_write %t, %h : vector<4xf32>, !dataflow.stream<vector<4xf32>, 2>
  }
  dataflow.leaf "load_w" load [3, 16, 2] {
  ^bb0(%n: index, %j: index, %kt: index):
    %v = dataflow.load %w affine_map<(n, j, kt) -> (n * 16 + j, kt * 16)> : !dataflow.port<48x32xf32> -> vector<1x16xf32>
    %t = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %t, %wf : vector<16xf32>, !dataflow.stream<vector<16xf32>, 4>
  }
  dataflow.leaf "fill_w" fill [3, 16, 2] writes(%wb at 1 : !dataflow.buffer<16x32xf32>) {
  ^bb0(%n: index, %j: index, %kt: index):
    %t = dataflow.stream_read %wf : !dataflow.stream<vector<16xf32>, 4> -> vector<16xf32>
    %v = vector.shape_cast %t : vector<16xf32> to vector<1x16xf32>
    dataflow.store %v, %wb affine_map<(n, j, kt) -> (j, kt * 16)> : vector<1x16xf32>, !dataflow.buffer<16x32xf32>
  }
  dataflow.leaf "proj" compute [3, 2, 4, 16] reads(%wb at 1 : !dataflow.buffer<16x32xf32>)
      writes(%rb at 1 : !dataflow.buffer<16x16xf32>) {
  ^bb0(%n: index, %kt: index, %kp: index, %m: index, %acc: !dataflow.private<16x16xf32>):
    %a = dataflow.stream_read %h : !dataflow.stream<vector<4xf32>, 2> -> vector<4xf32>
    %b = dataflow.load %wb affine_map<(n, kt, kp, m) -> (0, kt * 16 + kp * 4)> : !dataflow.buffer<16x32xf32> -> vector<16x4xf32>
    %ab = vector.broadcast %a : vector<4xf32> to vector<16x4xf32>
    %p = arith.mulf %ab, %b : vector<16x4xf32>
    %p0 = vector.extract_strided_slice %p {offsets = [0, 0], sizes = [16, 2], strides = [1, 1]} : vector<16x4xf32> to vector<16x2xf32>
    %p1 = vector.extract_strided_slice %p {offsets = [0, 2], sizes = [16, 2], strides = [1, 1]} : vector<16x4xf32> to vector<16x2xf32>
    %q = arith.addf %p0, %p1 : vector<16x2xf32>
    %q0 = vector.extract_strided_slice %q {offsets = [0, 0], sizes = [16, 1], strides = [1, 1]} : vector<16x2xf32> to vector<16x1xf32>
    %q1 = vector.extract_strided_slice %q {offsets = [0, 1], sizes = [16, 1], strides = [1, 1]} : vector<16x2xf32> to vector<16x1xf32>
    %r = arith.addf %q0, %q1 : vector<16x1xf32>
    %dot = vector.shape_cast %r : vector<16x1xf32> to vector<1x16xf32>
    %zero = arith.constant dense<0.0> : vector<1x16xf32>
    %first = dataflow.test affine_set<(n, kt, kp, m) : (kt == 0, kp == 0)>
    %old = dataflow.load %acc affine_map<(n, kt, kp, m) -> (m, 0)> : !dataflow.private<16x16xf32> -> vector<1x16xf32>
    %start = arith.select %first, %zero, %old : vector<1x16xf32>
    %new = arith.addf %start, %dot : vector<1x16xf32>
    dataflow.store %new, %acc affine_map<(n, kt, kp, m) -> (m, 0)> : vector<1x16xf32>, !dataflow.private<16x16xf32>
    dataflow.store %new, %rb affine_map<(n, kt, kp, m) -> (m, 0)> when affine_set<(n, kt, kp, m) : (kt - 1 == 0, kp - 3 == 0)> : vector<1x16xf32>, !dataflow.buffer<16x16xf32>
  } loc("model.layers.0.proj")
  dataflow.leaf "drain" drain [3, 16] reads(%rb at 1 : !dataflow.buffer<16x16xf32>) {
  ^bb0(%n: index, %m: index):
    %v = dataflow.load %rb affine_map<(n, m) -> (m, 0)> : !dataflow.buffer<16x16xf32> -> vector<1x16xf32>
    %t = vector.shape_cast %v : vector<1x16xf32> to vector<16xf32>
    dataflow.stream_write %t, %yf : vector<16xf32>, !dataflow.stream<vector<16xf32>, 2>
  }
  dataflow.leaf "store_y" store [3, 16] {
  ^bb0(%n: index, %m: index):
    %t = dataflow.stream_read %yf : !dataflow.stream<vector<16xf32>, 2> -> vector<16xf32>
    %v = vector.shape_cast %t : vector<16xf32> to vector<1x16xf32>
    dataflow.store %v, %y affine_map<(n, m) -> (m, n * 16)> : vector<1x16xf32>, !dataflow.port<16x48xf32>
  }
}

// CLOCK: CLOCK_MHZ ?= 300
// CLOCK: v++ -l {{.*}} $(LINK_CLOCK)
