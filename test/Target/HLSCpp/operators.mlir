// RUN: cp %devices/u55c.json %t.json
// RUN: sed -i -e 's/"log_f32": {/"log_f32": {"impl": "fulldsp", /' %t.json
// RUN: rm -rf %t && streamtensor-opt %s --dataflow-attach-device=device=%t.json --streamtensor-schedule-phase | streamtensor-translate --output-dir=%t
// RUN: FileCheck %s --input-file=%t/hls/operators.cpp
// RUN: FileCheck %s --input-file=%t/hls/operators.cpp --check-prefix=FREE

// Every operation that the device file says what to build of is alone in its variable, in front of what needs it, and
// bound to that and to the latency with which it was scheduled.

// CHECK-LABEL: void scalars(
// CHECK: const float product = x_token * x_token;
// CHECK-NEXT: #pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
// CHECK-NEXT: const float sum = product + x_token;
// CHECK-NEXT: #pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
// CHECK-NEXT: const float difference = sum - x_token;
// CHECK-NEXT: #pragma HLS bind_op variable=difference op=fsub impl=fulldsp latency=6
// CHECK-NEXT: const float quotient = difference / sum;
// CHECK-NEXT: #pragma HLS bind_op variable=quotient op=fdiv impl=fabric latency=11
// CHECK-NEXT: const float exponential = st::exp(quotient);
// CHECK-NEXT: #pragma HLS bind_op variable=exponential op=fexp impl=fulldsp latency=9
// CHECK-NEXT: const float log = st::log(exponential);
// CHECK-NEXT: #pragma HLS bind_op variable=log op=flog impl=fulldsp latency=11
// CHECK-NEXT: const float root = st::sqrt(log);
// CHECK-NEXT: #pragma HLS bind_op variable=root op=fsqrt impl=fabric latency=11
// CHECK-NEXT: const float reciprocal_root = st::rsqrt(root);
// CHECK-NEXT: #pragma HLS bind_op variable=reciprocal_root op=frsqrt impl=fulldsp latency=16
// CHECK-NEXT: y.write((i0 == 0) ? product : reciprocal_root);

// CHECK-LABEL: void lanes(
// CHECK: for (int u0 = 0; u0 < 4; ++u0) {
// CHECK-NEXT: #pragma HLS unroll
// CHECK-NEXT: const st::half lane_sum = st::half(h_token[u0] + h_token[u0]);
// CHECK-NEXT: #pragma HLS bind_op variable=lane_sum op=hadd impl=fulldsp latency=4
// CHECK: const std::int32_t lane_product = {{.*}} * {{.*}};
// CHECK-NEXT: #pragma HLS bind_op variable=lane_product op=mul impl=dsp latency=3
// CHECK: const double lane_product_1 = {{.*}} * {{.*}};
// CHECK-NEXT: #pragma HLS bind_op variable=lane_product_1 op=dmul impl=maxdsp latency=6

// What Vitis cannot bind stands where it is used: the rest of a division, a product of several DSPs.
// FREE-LABEL: void free(
// FREE-NOT: bind_op
// FREE: w.write(st::fmod(
// FREE-NOT: bind_op
// FREE: }

dataflow.design @operators {
  %xp = dataflow.port in "xp" : !dataflow.port<8xf32>
  %hp = dataflow.port in "hp" : !dataflow.port<8x4xf16>
  %ip = dataflow.port in "ip" : !dataflow.port<8x4xi8>
  %dp = dataflow.port in "dp" : !dataflow.port<8x4xf64>
  %yp = dataflow.port out "yp" : !dataflow.port<8xf32>
  %wp = dataflow.port out "wp" : !dataflow.port<8xf32>
  %sp = dataflow.port out "sp" : !dataflow.port<8x4xf16>
  %pp = dataflow.port out "pp" : !dataflow.port<8x4xi32>
  %qp = dataflow.port out "qp" : !dataflow.port<8x4xf64>
  %x = dataflow.stream "x" : !dataflow.stream<f32, 2>
  %z = dataflow.stream "z" : !dataflow.stream<f32, 2>
  %y = dataflow.stream "y" : !dataflow.stream<f32, 2>
  %w = dataflow.stream "w" : !dataflow.stream<f32, 2>
  %h = dataflow.stream "h" : !dataflow.stream<vector<4xf16>, 2>
  %n = dataflow.stream "n" : !dataflow.stream<vector<4xi8>, 2>
  %d = dataflow.stream "d" : !dataflow.stream<vector<4xf64>, 2>
  %s = dataflow.stream "s" : !dataflow.stream<vector<4xf16>, 2>
  %p = dataflow.stream "p" : !dataflow.stream<vector<4xi32>, 2>
  %q = dataflow.stream "q" : !dataflow.stream<vector<4xf64>, 2>
  dataflow.leaf "load" load [8] {
  ^bb0(%i: index):
    %a = dataflow.load %xp affine_map<(i) -> (i)> : !dataflow.port<8xf32> -> f32
    %b = dataflow.load %hp affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xf16> -> vector<1x4xf16>
    %c = dataflow.load %ip affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xi8> -> vector<1x4xi8>
    %e = dataflow.load %dp affine_map<(i) -> (i, 0)> : !dataflow.port<8x4xf64> -> vector<1x4xf64>
    %bs = vector.shape_cast %b : vector<1x4xf16> to vector<4xf16>
    %cs = vector.shape_cast %c : vector<1x4xi8> to vector<4xi8>
    %es = vector.shape_cast %e : vector<1x4xf64> to vector<4xf64>
    dataflow.stream_write %a, %x : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %a, %z : f32, !dataflow.stream<f32, 2>
    dataflow.stream_write %bs, %h : vector<4xf16>, !dataflow.stream<vector<4xf16>, 2>
    dataflow.stream_write %cs, %n : vector<4xi8>, !dataflow.stream<vector<4xi8>, 2>
    dataflow.stream_write %es, %d : vector<4xf64>, !dataflow.stream<vector<4xf64>, 2>
  }
  dataflow.leaf "scalars" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.stream_read %x : !dataflow.stream<f32, 2> -> f32
    %m = arith.mulf %a, %a : f32
    %t = arith.addf %m, %a : f32
    %u = arith.subf %t, %a : f32
    %v = arith.divf %u, %t : f32
    %e = math.exp %v : f32
    %l = math.log %e : f32
    %r = math.sqrt %l : f32
    %k = math.rsqrt %r : f32
    %first = dataflow.test affine_set<(i) : (i == 0)>
    %o = arith.select %first, %m, %k : f32
    dataflow.stream_write %o, %y : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "lanes" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.stream_read %h : !dataflow.stream<vector<4xf16>, 2> -> vector<4xf16>
    %b = dataflow.stream_read %n : !dataflow.stream<vector<4xi8>, 2> -> vector<4xi8>
    %c = dataflow.stream_read %d : !dataflow.stream<vector<4xf64>, 2> -> vector<4xf64>
    %t = arith.addf %a, %a : vector<4xf16>
    %e = arith.extsi %b : vector<4xi8> to vector<4xi32>
    %m = arith.muli %e, %e : vector<4xi32>
    %f = arith.mulf %c, %c : vector<4xf64>
    dataflow.stream_write %t, %s : vector<4xf16>, !dataflow.stream<vector<4xf16>, 2>
    dataflow.stream_write %m, %p : vector<4xi32>, !dataflow.stream<vector<4xi32>, 2>
    dataflow.stream_write %f, %q : vector<4xf64>, !dataflow.stream<vector<4xf64>, 2>
  }
  dataflow.leaf "free" compute [8] {
  ^bb0(%i: index):
    %a = dataflow.stream_read %z : !dataflow.stream<f32, 2> -> f32
    %b = arith.bitcast %a : f32 to i32
    %c = arith.muli %b, %b : i32
    %e = arith.bitcast %c : i32 to f32
    %r = arith.remf %a, %e : f32
    dataflow.stream_write %r, %w : f32, !dataflow.stream<f32, 2>
  }
  dataflow.leaf "store" store [8] {
  ^bb0(%i: index):
    %a = dataflow.stream_read %y : !dataflow.stream<f32, 2> -> f32
    %e = dataflow.stream_read %w : !dataflow.stream<f32, 2> -> f32
    %b = dataflow.stream_read %s : !dataflow.stream<vector<4xf16>, 2> -> vector<4xf16>
    %c = dataflow.stream_read %p : !dataflow.stream<vector<4xi32>, 2> -> vector<4xi32>
    %f = dataflow.stream_read %q : !dataflow.stream<vector<4xf64>, 2> -> vector<4xf64>
    %bs = vector.shape_cast %b : vector<4xf16> to vector<1x4xf16>
    %cs = vector.shape_cast %c : vector<4xi32> to vector<1x4xi32>
    %fs = vector.shape_cast %f : vector<4xf64> to vector<1x4xf64>
    dataflow.store %a, %yp affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
    dataflow.store %e, %wp affine_map<(i) -> (i)> : f32, !dataflow.port<8xf32>
    dataflow.store %bs, %sp affine_map<(i) -> (i, 0)> : vector<1x4xf16>, !dataflow.port<8x4xf16>
    dataflow.store %cs, %pp affine_map<(i) -> (i, 0)> : vector<1x4xi32>, !dataflow.port<8x4xi32>
    dataflow.store %fs, %qp affine_map<(i) -> (i, 0)> : vector<1x4xf64>, !dataflow.port<8x4xf64>
  }
}
