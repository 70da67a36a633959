// Design 'guards': a dataflow region of 4 leaf tasks.
#include "guards.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace guards_tasks {

// load: 8 iterations, II 1
void load(const float *x, hls::stream<float> &a) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    a.write(x_word);
  }
}

// compute: 32 iterations, II 1
void repeat(hls::stream<float> &a, hls::stream<float> &b) {
#pragma HLS inline off
  float a_token;
repeat_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
repeat_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i1 == 0) {
        a_token = a.read();
      }
      b.write(a_token);
    }
  }
}

// compute: 32 iterations, II 1
void last(hls::stream<float> &b, hls::stream<float> &c) {
#pragma HLS inline off
last_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
last_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float b_token = b.read();
      if (i1 == 3) {
        c.write(b_token);
      }
    }
  }
}

// store: 8 iterations, II 1
void store(hls::stream<float> &c, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float c_token = c.read();
    y[i0] = c_token;
  }
}

} // namespace guards_tasks

extern "C" void guards(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=6
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  guards_tasks::load(x, a);
  guards_tasks::repeat(a, b);
  guards_tasks::last(b, c);
  guards_tasks::store(c, y);
}

// The call through which a native run enters 'guards'.
#include "guards.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int guards_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    guards(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
