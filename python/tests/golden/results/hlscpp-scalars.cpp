// Design 'rows': a dataflow region of 3 leaf tasks.
#include "rows.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace rows_tasks {

// load: at most 48 iterations, II 1
void load(const float *x, hls::stream<float> &a, int tokens, int width) {
#pragma HLS inline off
  const int i1_count = st::ceil_div(width, 2);
  int i0 = 0;
  int i1 = 0;
  int i2 = 0;
load_iteration:
  for (int iteration = 0; iteration < tokens * i1_count * 2; ++iteration) {
#pragma HLS loop_tripcount max=48
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[-i0 * 6 + tokens * 6 + i1 * 2 + i2 - 6];
    a.write(x_word);
    if (++i2 == 2) {
      i2 = 0;
      if (++i1 == i1_count) {
        i1 = 0;
        ++i0;
      }
    }
  }
}

// compute: at most 48 iterations, II 1
void last(hls::stream<float> &a, hls::stream<float> &b, int tokens, int width) {
#pragma HLS inline off
  const int i1_count = st::ceil_div(width, 2) * 2;
  int i0 = 0;
  int i1 = 0;
last_iteration:
  for (int iteration = 0; iteration < tokens * i1_count; ++iteration) {
#pragma HLS loop_tripcount max=48
#pragma HLS pipeline II=1 style=flp
    const float a_token = a.read();
    if (i0 == tokens - 1) {
      b.write(a_token);
    }
    if (++i1 == i1_count) {
      i1 = 0;
      ++i0;
    }
  }
}

// store: at most 6 iterations, II 1
void store(hls::stream<float> &b, float *y, int width) {
#pragma HLS inline off
  const int i0_count = st::ceil_div(width, 2) * 2;
store_i0:
  for (int i0 = 0; i0 < i0_count; ++i0) {
#pragma HLS loop_tripcount max=6
#pragma HLS pipeline II=1 style=flp
    const float b_token = b.read();
    if (i0 == st::ceil_div(width, 2) * 2 - 1) {
      const float product = b_token * float(std::int32_t(width));
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
      y[0] = product;
    }
  }
}

} // namespace rows_tasks

extern "C" void rows(const float *x, float *y, int tokens, int width) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=48 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=tokens bundle=control
#pragma HLS interface mode=s_axilite port=width bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=32
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=6
#pragma HLS bind_storage variable=b type=fifo impl=srl

  rows_tasks::load(x, a, tokens, width);
  rows_tasks::last(a, b, tokens, width);
  rows_tasks::store(b, y, width);
}

// The call through which a native run enters 'rows'.
#include "rows.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int rows_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    rows(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]),
         st::scalar("tokens", st_ports[2], 1, 8), st::scalar("width", st_ports[3], 1, 6));
  });
}
