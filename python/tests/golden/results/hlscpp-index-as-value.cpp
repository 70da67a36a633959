// Design 'indices': a dataflow region of 1 leaf tasks.
#include "indices.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace indices_tasks {

// compute: 64 iterations, II 1 in first, then II 1 in second
void number(const hls::vector<float, 8> *x, std::int32_t *y, float *z) {
#pragma HLS inline off
number_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
number_first_i1:
    for (int first_i1 = 0; first_i1 < 8; ++first_i1) {
#pragma HLS pipeline II=1 style=flp
      y[i0 * 8 + first_i1] = (std::int32_t(i0) * 10) + std::int32_t(first_i1);
    }
number_second_i1:
    for (int second_i1 = 0; second_i1 < 2; ++second_i1) {
number_second_i2:
      for (int second_i2 = 0; second_i2 < 4; ++second_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 8> x_word = x[i0];
        const float sum = x_word[second_i2] + x_word[i0];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
        z[i0 * 8 + second_i1 * 4 + second_i2] = sum;
      }
    }
  }
}

} // namespace indices_tasks

extern "C" void indices(const hls::vector<float, 8> *x, std::int32_t *y, float *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=4 max_read_burst_length=128 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  indices_tasks::number(x, y, z);
}

// The call through which a native run enters 'indices'.
#include "indices.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int indices_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    indices(static_cast<const hls::vector<float, 8> *>(st_ports[0]),
            static_cast<std::int32_t *>(st_ports[1]), static_cast<float *>(st_ports[2]));
  });
}
