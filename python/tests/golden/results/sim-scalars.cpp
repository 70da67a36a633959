// Design 'pairs': a dataflow region of 3 leaf tasks.
#include "pairs.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace pairs_tasks {

// load: at most 32 iterations, II 1
void load(const float *x, hls::stream<float> &a, int rows) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < rows; ++i0) {
#pragma HLS loop_tripcount max=8
load_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 4 + i1];
      a.write(x_word);
    }
  }
}

// compute: at most 32 iterations, II 1
void pairs_1(hls::stream<float> &a, hls::stream<float> &b, int rows) {
#pragma HLS inline off
  const int i0_count = rows * 2;
pairs_1_i0:
  for (int i0 = 0; i0 < i0_count; ++i0) {
#pragma HLS loop_tripcount max=16
pairs_1_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float a_token = a.read();
      if (i1 == 1) {
        b.write(a_token);
      }
    }
  }
}

// store: at most 16 iterations, II 1
void store(hls::stream<float> &b, float *y, int rows) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < rows; ++i0) {
#pragma HLS loop_tripcount max=8
store_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float b_token = b.read();
      y[i0 * 2 + i1] = b_token;
    }
  }
}

} // namespace pairs_tasks

extern "C" void pairs(const float *x, float *y, int rows) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=16 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=rows bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=32
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=16
#pragma HLS bind_storage variable=b type=fifo impl=srl

  pairs_tasks::load(x, a, rows);
  pairs_tasks::pairs_1(a, b, rows);
  pairs_tasks::store(b, y, rows);
}

// The call through which a native run enters 'pairs'.
#include "pairs.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int pairs_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    pairs(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]),
          st::scalar("rows", st_ports[2], 1, 8));
  });
}
