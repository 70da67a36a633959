// Design 'bits': a dataflow region of 1 leaf tasks.
#include "bits.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bits_tasks {

// compute: 8 iterations, II 1
void sum(const std::int32_t *x, const std::int32_t *z, bool *y) {
#pragma HLS inline off
sum_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t x_word = x[i0];
    const std::int32_t z_word = z[i0];
    y[i0] = ((x_word & 1) != 0) != ((z_word & 1) != 0);
  }
}

} // namespace bits_tasks

extern "C" void bits(const std::int32_t *x, const std::int32_t *z, bool *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  bits_tasks::sum(x, z, y);
}

// The call through which a native run enters 'bits'.
#include "bits.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bits_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    bits(static_cast<const std::int32_t *>(st_ports[0]),
         static_cast<const std::int32_t *>(st_ports[1]), static_cast<bool *>(st_ports[2]));
  });
}
