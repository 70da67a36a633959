// Design 'inserted': a dataflow region of 1 leaf tasks.
#include "inserted.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace inserted_tasks {

// compute: 8 iterations, II 1
void insert(const hls::vector<float, 2> *x, const hls::vector<float, 8> *y,
            hls::vector<float, 8> *z) {
#pragma HLS inline off
insert_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 2> x_word = x[i0];
    const hls::vector<float, 8> y_word = y[i0];
    float insert_strided_slice[2][4];
#pragma HLS array_partition variable=insert_strided_slice type=complete dim=0
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        insert_strided_slice[u0][u1] = y_word[u0 * 4 + u1];
      }
    }
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      insert_strided_slice[1][u0 + 1] = x_word[u0];
    }
    hls::vector<float, 8> z_word;
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        z_word[u0 * 4 + u1] = insert_strided_slice[u0][u1];
      }
    }
    z[i0] = z_word;
  }
}

} // namespace inserted_tasks

extern "C" void inserted(const hls::vector<float, 2> *x, const hls::vector<float, 8> *y,
                         hls::vector<float, 8> *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  inserted_tasks::insert(x, y, z);
}

// The call through which a native run enters 'inserted'.
#include "inserted.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int inserted_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    inserted(static_cast<const hls::vector<float, 2> *>(st_ports[0]),
             static_cast<const hls::vector<float, 8> *>(st_ports[1]),
             static_cast<hls::vector<float, 8> *>(st_ports[2]));
  });
}
