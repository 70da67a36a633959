// Design 'rows': a dataflow region of 3 leaf tasks.
#include "rows.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace rows_tasks {

// load: at most 32 iterations, II 1
void load(const float *x, hls::stream<float> &a, int n) {
#pragma HLS inline off
  int i0 = 0;
  int i1 = 0;
load_iteration:
  for (int iteration = 0; iteration < 4 * n; ++iteration) {
#pragma HLS loop_tripcount max=32
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0 * 8 + i1];
    a.write(x_word);
    if (++i1 == n) {
      i1 = 0;
      ++i0;
    }
  }
}

// compute: at most 32 iterations, II 1
void copy(hls::stream<float> &a, hls::stream<float> &b, int n) {
#pragma HLS inline off
  int i0 = 0;
  int i2 = 0;
copy_iteration:
  for (int iteration = 0; iteration < 4 * n; ++iteration) {
#pragma HLS loop_tripcount max=32
#pragma HLS pipeline II=1 style=flp
    const float a_token = a.read();
    b.write(a_token);
    if (++i2 == n) {
      i2 = 0;
      ++i0;
    }
  }
}

// store: at most 32 iterations, II 1
void store(hls::stream<float> &b, float *y, int n) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
store_i1:
    for (int i1 = 0; i1 < n; ++i1) {
#pragma HLS loop_tripcount max=8
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1 style=flp
      const float b_token = b.read();
      y[i0 * 8 + i1] = b_token;
    }
  }
}

} // namespace rows_tasks

extern "C" void rows(const float *x, float *y, int n) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=n bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=32
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=32
#pragma HLS bind_storage variable=b type=fifo impl=srl

  rows_tasks::load(x, a, n);
  rows_tasks::copy(a, b, n);
  rows_tasks::store(b, y, n);
}

// The call through which a native run enters 'rows'.
#include "rows.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int rows_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    rows(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]),
         st::scalar("n", st_ports[2], 1, 8));
  });
}
