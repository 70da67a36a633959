// Design 'joined': a dataflow region of 2 leaf tasks.
#include "joined.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace joined_tasks {

// load: 2048 iterations, II 1
void load(const float *x, hls::stream<float> &a, hls::stream<float> &b) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 2048; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0 % 1024];
    if (i0 <= 1023) {
      a.write(x_word);
    }
    if (i0 >= 1024) {
      b.write(x_word);
    }
  }
}

// store: 1024 iterations, II 1
void store(hls::stream<float> &a, hls::stream<float> &b, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float a_token = a.read();
    const float b_token = b.read();
    const float sum = a_token + b_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    y[i0] = sum;
  }
}

} // namespace joined_tasks

extern "C" void joined(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1024 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=1024 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=1024
#pragma HLS bind_storage variable=a type=fifo impl=uram
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl

  joined_tasks::load(x, a, b);
  joined_tasks::store(a, b, y);
}

// The call through which a native run enters 'joined'.
#include "joined.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int joined_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    joined(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
