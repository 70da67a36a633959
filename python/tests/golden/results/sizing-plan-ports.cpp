// Design 'twice': a dataflow region of 2 leaf tasks.
#include "twice.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace twice_tasks {

// compute: 4 iterations, II 1
void one(const float *x, const float *b, const float *again, float *y) {
#pragma HLS inline off
one_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    const float b_word = b[i0];
    const float again_word = again[-i0 + 3];
    const float sum = x_word + b_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    const float sum_1 = sum + again_word;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    y[i0] = sum_1;
  }
}

// compute: 4 iterations, II 1
void other(const float *x_1, float *z) {
#pragma HLS inline off
other_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_1_word = x_1[-i0 + 3];
    z[i0] = x_1_word;
  }
}

} // namespace twice_tasks

extern "C" void twice(const float *x, const float *x_1, const float *b, const float *again,
                      float *y, float *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=x_1 bundle=gmem_x_1 offset=slave depth=4 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=again bundle=gmem_again offset=slave depth=4 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=x_1 bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=again bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  twice_tasks::one(x, b, again, y);
  twice_tasks::other(x_1, z);
}

// The call through which a native run enters 'twice'.
#include "twice.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int twice_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    twice(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
          static_cast<const float *>(st_ports[2]), static_cast<const float *>(st_ports[3]),
          static_cast<float *>(st_ports[4]), static_cast<float *>(st_ports[5]));
  });
}
