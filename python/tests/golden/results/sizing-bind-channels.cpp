// Design 'step': a dataflow region of 2 leaf tasks.
#include "step.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace step_tasks {

// compute: 64 iterations, II 1
void one(const float *x, const float *c, float *y) {
#pragma HLS inline off
one_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    const float c_word = c[i0];
    const float sum = x_word + c_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    y[i0] = sum;
  }
}

// compute: 16 iterations, II 1
void other(const float *b, float *z) {
#pragma HLS inline off
other_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float b_word = b[i0];
    z[i0] = b_word;
  }
}

} // namespace step_tasks

extern "C" void step(const float *x, const float *b, const float *c, float *y, float *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=16 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=c bundle=gmem_c offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=16 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=c bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  step_tasks::one(x, c, y);
  step_tasks::other(b, z);
}

// The call through which a native run enters 'step'.
#include "step.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int step_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    step(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
         static_cast<const float *>(st_ports[2]), static_cast<float *>(st_ports[3]),
         static_cast<float *>(st_ports[4]));
  });
}
