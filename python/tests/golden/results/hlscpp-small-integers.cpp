// Design 'sums': a dataflow region of 1 leaf tasks.
#include "sums.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace sums_tasks {

// compute: 8 iterations, II 1
void sum(const std::int8_t *a, const std::int16_t *b, const std::int32_t *c, const std::int64_t *d,
         std::int64_t *w, std::int64_t *x, std::int64_t *y, std::int64_t *z) {
#pragma HLS inline off
sum_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int8_t a_word = a[i0];
    const std::int16_t b_word = b[i0];
    const std::int32_t c_word = c[i0];
    const std::int64_t d_word = d[i0];
    w[i0] = std::int64_t(std::int8_t(a_word + a_word));
    x[i0] = std::int64_t(std::int16_t(b_word + b_word));
    y[i0] = std::int64_t(c_word + c_word);
    z[i0] = (d_word + d_word) * d_word;
  }
}

} // namespace sums_tasks

extern "C" void sums(const std::int8_t *a, const std::int16_t *b, const std::int32_t *c,
                     const std::int64_t *d, std::int64_t *w, std::int64_t *x, std::int64_t *y,
                     std::int64_t *z) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=c bundle=gmem_c offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=d bundle=gmem_d offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=c bundle=control
#pragma HLS interface mode=s_axilite port=d bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  sums_tasks::sum(a, b, c, d, w, x, y, z);
}

// The call through which a native run enters 'sums'.
#include "sums.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int sums_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    sums(static_cast<const std::int8_t *>(st_ports[0]),
         static_cast<const std::int16_t *>(st_ports[1]),
         static_cast<const std::int32_t *>(st_ports[2]),
         static_cast<const std::int64_t *>(st_ports[3]), static_cast<std::int64_t *>(st_ports[4]),
         static_cast<std::int64_t *>(st_ports[5]), static_cast<std::int64_t *>(st_ports[6]),
         static_cast<std::int64_t *>(st_ports[7]));
  });
}
