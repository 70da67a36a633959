// Design 'nests': a dataflow region of 1 leaf tasks.
#include "nests.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace nests_tasks {

// compute: 8 iterations, II 1
void shared(const hls::vector<float, 4> *x, const float *s, hls::vector<float, 4> *y) {
#pragma HLS inline off
shared_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> x_word = x[i0];
    const float s_word = s[i0];
    const float product_1 = s_word * s_word;
#pragma HLS bind_op variable=product_1 op=fmul impl=maxdsp latency=3
    hls::vector<float, 4> sum;
    hls::vector<float, 4> product;
    hls::vector<float, 4> sum_1;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      const float lane_sum = x_word[u0] + x_word[u0];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
      sum[u0] = lane_sum;
      const float lane_product = sum[u0] * sum[u0];
#pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
      product[u0] = lane_product;
      const float lane_product_1 = product[u0] * product_1;
#pragma HLS bind_op variable=lane_product_1 op=fmul impl=maxdsp latency=3
      const float lane_sum_1 = lane_product_1 + product[u0];
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
      sum_1[u0] = lane_sum_1;
    }
    hls::vector<float, 4> sum_2;
    hls::vector<float, 4> product_2;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      const float lane_sum_2 = sum_1[0] + sum_1[u0];
#pragma HLS bind_op variable=lane_sum_2 op=fadd impl=fulldsp latency=6
      sum_2[u0] = lane_sum_2;
      const float lane_product_2 = sum_2[u0] * sum_2[u0];
#pragma HLS bind_op variable=lane_product_2 op=fmul impl=maxdsp latency=3
      product_2[u0] = lane_product_2;
    }
    y[i0] = product_2;
  }
}

} // namespace nests_tasks

extern "C" void nests(const hls::vector<float, 4> *x, const float *s, hls::vector<float, 4> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=s bundle=gmem_s offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=s bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  nests_tasks::shared(x, s, y);
}

// The call through which a native run enters 'nests'.
#include "nests.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int nests_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    nests(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
          static_cast<const float *>(st_ports[1]),
          static_cast<hls::vector<float, 4> *>(st_ports[2]));
  });
}
