// Design 'resources': a dataflow region of 3 leaf tasks.
#include "resources.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace resources_tasks {

// compute: 8 iterations, II 1
void bytes(const hls::vector<std::int8_t, 4> *a, hls::vector<std::int8_t, 4> *b) {
#pragma HLS inline off
bytes_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 4> a_word = a[i0];
    hls::vector<std::int8_t, 3> a_value;
    for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
      a_value[u1] = a_word[u1];
    }
    hls::vector<std::int8_t, 4> b_word{};
    for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
      const std::int8_t lane_product = std::int8_t(a_value[u1] * a_value[u1]);
#pragma HLS bind_op variable=lane_product op=mul impl=dsp latency=3
      b_word[u1] = lane_product;
    }
    b[i0] = b_word;
  }
}

// compute: 8 iterations, II 1
void pairs(const hls::vector<std::int8_t, 4> *c, hls::vector<std::int8_t, 4> *d) {
#pragma HLS inline off
pairs_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 4> c_word = c[i0];
    std::int8_t product[2][2];
#pragma HLS array_partition variable=product type=complete dim=0
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      st::multiply_pair<8, 8, 3>(c_word[u1], c_word[u1 + 2], c_word[u1], product[0][u1], product[1][u1]);
    }
    hls::vector<std::int8_t, 4> d_word;
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
        d_word[u1 * 2 + u2] = product[u1][u2];
      }
    }
    d[i0] = d_word;
  }
}

// compute: 8 iterations, II 2
void floats(const float *x, float *y) {
#pragma HLS inline off
floats_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const float x_word = x[i0];
    const float x_word_1 = x[i0 + 8];
    const float product = x_word * x_word_1;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    y[i0] = product;
  }
}

} // namespace resources_tasks

extern "C" void resources(const hls::vector<std::int8_t, 4> *a, const float *x,
                          const hls::vector<std::int8_t, 4> *c, hls::vector<std::int8_t, 4> *b,
                          hls::vector<std::int8_t, 4> *d, float *y) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=16 max_read_burst_length=256 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=c bundle=gmem_c offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=d bundle=gmem_d offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=c bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=d bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  resources_tasks::bytes(a, b);
  resources_tasks::pairs(c, d);
  resources_tasks::floats(x, y);
}

// The call through which a native run enters 'resources'.
#include "resources.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int resources_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    resources(static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[0]),
              static_cast<const float *>(st_ports[1]),
              static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[2]),
              static_cast<hls::vector<std::int8_t, 4> *>(st_ports[3]),
              static_cast<hls::vector<std::int8_t, 4> *>(st_ports[4]),
              static_cast<float *>(st_ports[5]));
  });
}
