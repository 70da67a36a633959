// Design 'squares': a dataflow region of 1 leaf tasks.
#include "squares.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace squares_tasks {

// compute: at most 8 iterations, II 1
void sums(const hls::vector<float, 2> *x, float *y, int rows) {
#pragma HLS inline off
sums_i0:
  for (int i0 = 0; i0 < rows; ++i0) {
#pragma HLS loop_tripcount max=8
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 2> x_word = x[i0];
    hls::vector<float, 2> product;
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      const float lane_product = x_word[u0] * x_word[u0];
#pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
      product[u0] = lane_product;
    }
    const float sum = product[0] + product[1];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    y[i0] = sum;
  }
}

} // namespace squares_tasks

extern "C" void squares(const hls::vector<float, 2> *x, float *y, int rows) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=rows bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  squares_tasks::sums(x, y, rows);
}

// The call through which a native run enters 'squares'.
#include "squares.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int squares_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    squares(static_cast<const hls::vector<float, 2> *>(st_ports[0]),
            static_cast<float *>(st_ports[1]), st::scalar("rows", st_ports[2], 1, 8));
  });
}
