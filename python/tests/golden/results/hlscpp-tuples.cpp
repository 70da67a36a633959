// Design 'pairs': a dataflow region of 2 leaf tasks.
#include "pairs.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace pairs_tasks {

struct tuple_f32x4_i32 {
  hls::vector<float, 4> m0;
  std::int32_t m1;
};

struct tuple_i32_f32 {
  std::int32_t m0;
  float m1;
};

// compute: 8 iterations, II 1
void pack(const hls::vector<float, 4> *x, const std::int32_t *n, hls::stream<tuple_f32x4_i32> &s) {
#pragma HLS inline off
pack_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> x_word = x[i0];
    const std::int32_t n_word = n[i0];
    hls::vector<float, 4> sum;
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      const float lane_sum = x_word[u0] + x_word[u0];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
      sum[u0] = lane_sum;
    }
    const tuple_f32x4_i32 token = {sum, n_word};
    s.write(token);
  }
}

// compute: 8 iterations, II 1
void unpack(hls::stream<tuple_f32x4_i32> &s, float *y) {
#pragma HLS inline off
unpack_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const tuple_f32x4_i32 s_token = s.read();
    const tuple_i32_f32 token = {s_token.m1, s_token.m0[0]};
    y[i0] = token.m1;
  }
}

} // namespace pairs_tasks

using namespace pairs_tasks;

extern "C" void pairs(const hls::vector<float, 4> *x, const std::int32_t *n, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=n bundle=gmem_n offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=n bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<tuple_f32x4_i32> s("s");
#pragma HLS stream variable=s depth=2
#pragma HLS bind_storage variable=s type=fifo impl=srl

  pairs_tasks::pack(x, n, s);
  pairs_tasks::unpack(s, y);
}

// The call through which a native run enters 'pairs'.
#include "pairs.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int pairs_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    pairs(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
          static_cast<const std::int32_t *>(st_ports[1]), static_cast<float *>(st_ports[2]));
  });
}
