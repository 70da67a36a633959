// Design 'names': a dataflow region of 1 leaf tasks.
#include "names.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace names_tasks {

// compute: 8 iterations, II 1
void sum(const float *x, const float *z, const float *w, const float *v, float *y) {
#pragma HLS inline off
sum_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    const float z_word = z[i0];
    const float w_word = w[i0];
    const float v_word = v[i0];
    const float sum_1 = x_word + z_word;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    const float sum_2 = w_word + sum_1;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
    const float sum_3 = sum_2 + v_word;
#pragma HLS bind_op variable=sum_3 op=fadd impl=fulldsp latency=6
    y[i0] = sum_3;
  }
}

} // namespace names_tasks

extern "C" void names(const float *x, const float *z, const float *w, const float *v, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x_2 offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=w bundle=gmem_x_1 offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=v bundle=gmem_y offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y_1 offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=v bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  names_tasks::sum(x, z, w, v, y);
}

// The call through which a native run enters 'names'.
#include "names.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int names_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    names(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
          static_cast<const float *>(st_ports[2]), static_cast<const float *>(st_ports[3]),
          static_cast<float *>(st_ports[4]));
  });
}
