// Design 'lanes': a dataflow region of 3 leaf tasks.
#include "lanes.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace lanes_tasks {

// compute: 8 iterations, II 1
void choose(const std::int32_t *p, const hls::vector<float, 8> *x, float *y) {
#pragma HLS inline off
choose_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t p_word = p[i0];
    const hls::vector<float, 8> x_word = x[i0];
    y[i0] = x_word[st::floor_div(int(p_word), 4) * 4 + st::floor_mod(int(p_word), 4)];
  }
}

// compute: 8 iterations, II 1
void next(const std::int32_t *q, const hls::vector<float, 8> *t, float *u) {
#pragma HLS inline off
next_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t q_word = q[i0];
    const int converted = int(q_word);
    const hls::vector<float, 8> t_word = t[i0];
    const float difference = t_word[converted + 1] - t_word[converted];
#pragma HLS bind_op variable=difference op=fsub impl=fulldsp latency=6
    u[i0] = difference;
  }
}

// compute: 64 iterations, II 1
void each(const hls::vector<float, 8> *z, float *w) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
each_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> z_word = z[i0];
      w[i0 * 8 + i1] = z_word[(i1 / 4) * 4 + i1 % 4];
    }
  }
}

} // namespace lanes_tasks

extern "C" void lanes(const hls::vector<float, 8> *x, const std::int32_t *p,
                      const hls::vector<float, 8> *z, const std::int32_t *q,
                      const hls::vector<float, 8> *t, float *y, float *w, float *u) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=p bundle=gmem_p offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=128 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=q bundle=gmem_q offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=t bundle=gmem_t offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=u bundle=gmem_u offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=p bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=q bundle=control
#pragma HLS interface mode=s_axilite port=t bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=u bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  lanes_tasks::choose(p, x, y);
  lanes_tasks::next(q, t, u);
  lanes_tasks::each(z, w);
}

// The call through which a native run enters 'lanes'.
#include "lanes.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int lanes_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    lanes(static_cast<const hls::vector<float, 8> *>(st_ports[0]),
          static_cast<const std::int32_t *>(st_ports[1]),
          static_cast<const hls::vector<float, 8> *>(st_ports[2]),
          static_cast<const std::int32_t *>(st_ports[3]),
          static_cast<const hls::vector<float, 8> *>(st_ports[4]),
          static_cast<float *>(st_ports[5]), static_cast<float *>(st_ports[6]),
          static_cast<float *>(st_ports[7]));
  });
}
