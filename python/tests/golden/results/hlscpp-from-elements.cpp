// Design 'gathered': a dataflow region of 1 leaf tasks.
#include "gathered.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace gathered_tasks {

// compute: 8 iterations, II 1
void gather(const float *a, const float *b, hls::vector<float, 4> *y, hls::vector<float, 4> *z) {
#pragma HLS inline off
gather_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float a_word = a[i0];
    const float b_word = b[i0];
    hls::vector<float, 4> elements;
    elements[0] = a_word;
    elements[1] = b_word;
    elements[2] = b_word;
    elements[3] = a_word;
    y[i0] = elements;
    float elements_1[2][2];
#pragma HLS array_partition variable=elements_1 type=complete dim=0
    elements_1[0][0] = b_word;
    elements_1[0][1] = a_word;
    elements_1[1][0] = a_word;
    elements_1[1][1] = a_word;
    hls::vector<float, 4> z_word;
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
        z_word[u0 * 2 + u1] = elements_1[u0][u1];
      }
    }
    z[i0] = z_word;
  }
}

} // namespace gathered_tasks

extern "C" void gathered(const float *a, const float *b, hls::vector<float, 4> *y,
                         hls::vector<float, 4> *z) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  gathered_tasks::gather(a, b, y, z);
}

// The call through which a native run enters 'gathered'.
#include "gathered.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int gathered_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    gathered(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
             static_cast<hls::vector<float, 4> *>(st_ports[2]),
             static_cast<hls::vector<float, 4> *>(st_ports[3]));
  });
}
