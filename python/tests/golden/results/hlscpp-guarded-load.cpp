// Design 'guarded': a dataflow region of 2 leaf tasks.
#include "guarded.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace guarded_tasks {

// load: 8 iterations, II 1
void load_x(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 16>> &s) {
#pragma HLS inline off
  hls::vector<float, 16> x_word;
load_x_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
load_x_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i1 == 0) {
        x_word = x[i0];
      }
      s.write(x_word);
    }
  }
}

// store: 8 iterations, II 1
void store_y(hls::stream<hls::vector<float, 16>> &s, hls::vector<float, 16> *y) {
#pragma HLS inline off
store_y_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
store_y_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> s_token = s.read();
      y[i0 * 2 + i1] = s_token;
    }
  }
}

} // namespace guarded_tasks

extern "C" void guarded(const hls::vector<float, 16> *x, hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=4 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> s("s");
#pragma HLS stream variable=s depth=2
#pragma HLS bind_storage variable=s type=fifo impl=srl

  guarded_tasks::load_x(x, s);
  guarded_tasks::store_y(s, y);
}

// The call through which a native run enters 'guarded'.
#include "guarded.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int guarded_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    guarded(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
            static_cast<hls::vector<float, 16> *>(st_ports[1]));
  });
}

// Design 'guarded_parts': a dataflow region of 2 leaf tasks.
#include "guarded_parts.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace guarded_parts_tasks {

// load: 8 iterations, II 2
void load_x(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 32>> &s) {
#pragma HLS inline off
  hls::vector<float, 32> x_value;
load_x_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
load_x_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=2 style=flp
      if (i1 == 0) {
        hls::vector<float, 16> x_word[2];
#pragma HLS array_partition variable=x_word type=complete dim=0
        for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
          x_word[word] = x[i0 * 2 + word];
        }
        for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
          x_value[u1] = x_word[u1 / 16][u1 % 16];
        }
      }
      s.write(x_value);
    }
  }
}

// store: 8 iterations, II 1
void store_y(hls::stream<hls::vector<float, 32>> &s, hls::vector<float, 16> *y_s0,
             hls::vector<float, 16> *y_s1) {
#pragma HLS inline off
store_y_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
store_y_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 32> s_token = s.read();
      hls::vector<float, 16> y_s0_word[2]{};
#pragma HLS array_partition variable=y_s0_word type=complete dim=0
      for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
        y_s0_word[u1 / 16][u1 % 16] = s_token[u1];
      }
      y_s0[i0 * 2 + i1] = y_s0_word[0];
      y_s1[i0 * 2 + i1] = y_s0_word[1];
    }
  }
}

} // namespace guarded_parts_tasks

extern "C" void guarded_parts(const hls::vector<float, 16> *x, hls::vector<float, 16> *y_s0,
                              hls::vector<float, 16> *y_s1) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=y_s0 bundle=gmem_y_s0 offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y_s1 bundle=gmem_y_s1 offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y_s0 bundle=control
#pragma HLS interface mode=s_axilite port=y_s1 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> s("s");
#pragma HLS stream variable=s depth=2
#pragma HLS bind_storage variable=s type=fifo impl=srl

  guarded_parts_tasks::load_x(x, s);
  guarded_parts_tasks::store_y(s, y_s0, y_s1);
}

// The call through which a native run enters 'guarded_parts'.
#include "guarded_parts.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int guarded_parts_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    guarded_parts(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
                  static_cast<hls::vector<float, 16> *>(st_ports[1]),
                  static_cast<hls::vector<float, 16> *>(st_ports[2]));
  });
}
