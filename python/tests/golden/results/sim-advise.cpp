// Design 'sums': a dataflow region of 4 leaf tasks.
#include "sums.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace sums_tasks {

// pad: 16 iterations, II 1
void make(hls::stream<float> &a, hls::stream<float> &b) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    a.write(1.0f);
    b.write(1.0f);
  }
}

// compute: 16 iterations, II 9
void left(hls::stream<float> &a, hls::stream<float> &x) {
#pragma HLS inline off
  float local[1];
left_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=9 style=flp
    const float a_token = a.read();
    const float sum = ((i0 == 0) ? 0.0f : local[0]) + a_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    local[0] = sum;
    if (i0 == 15) {
      x.write(sum);
    }
  }
}

// compute: 16 iterations, II 9
void right(hls::stream<float> &b, hls::stream<float> &y) {
#pragma HLS inline off
  float local[1];
right_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=9 style=flp
    const float b_token = b.read();
    const float sum = ((i0 == 0) ? 0.0f : local[0]) + b_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    local[0] = sum;
    if (i0 == 15) {
      y.write(sum);
    }
  }
}

// compute: 1 iterations, II 1
void take(hls::stream<float> &x, hls::stream<float> &y) {
#pragma HLS inline off
  const float x_token = x.read();
  const float y_token = y.read();
}

} // namespace sums_tasks

extern "C" void sums() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=14
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=14
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<float> x("x");
#pragma HLS stream variable=x depth=2
#pragma HLS bind_storage variable=x type=fifo impl=srl
  hls::stream<float> y("y");
#pragma HLS stream variable=y depth=2
#pragma HLS bind_storage variable=y type=fifo impl=srl

  sums_tasks::make(a, b);
  sums_tasks::left(a, x);
  sums_tasks::right(b, y);
  sums_tasks::take(x, y);
}

// The call through which a native run enters 'sums'.
#include "sums.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int sums_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    sums();
  });
}
