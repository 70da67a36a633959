// Design 'copy': a dataflow region of 2 leaf tasks.
#include "copy.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace copy_tasks {

// load: 64 iterations, II 1
void x_load(const hls::vector<float, 16> *x_s0, const hls::vector<float, 16> *x_s1,
            const hls::vector<float, 16> *x_s2, const hls::vector<float, 16> *x_s3,
            hls::stream<hls::vector<float, 64>> &rows) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 16> x_s0_word[4];
#pragma HLS array_partition variable=x_s0_word type=complete dim=0
    x_s0_word[0] = x_s0[i0];
    x_s0_word[1] = x_s1[i0];
    x_s0_word[2] = x_s2[i0];
    x_s0_word[3] = x_s3[i0];
    float x_s0_value[4][16];
#pragma HLS array_partition variable=x_s0_value type=complete dim=0
    for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
        x_s0_value[u0][u1] = x_s0_word[u1 / 4][u0 * 4 + u1 % 4];
      }
    }
    hls::vector<float, 64> rows_token;
    for (int u0 = 0; u0 < 64; ++u0) {
#pragma HLS unroll
      rows_token[u0] = x_s0_value[u0 / 16][u0 % 16];
    }
    rows.write(rows_token);
  }
}

// store: 64 iterations, II 1
void y_store(hls::stream<hls::vector<float, 64>> &rows, hls::vector<float, 16> *y_s0,
             hls::vector<float, 16> *y_s1, hls::vector<float, 16> *y_s2,
             hls::vector<float, 16> *y_s3) {
#pragma HLS inline off
y_store_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 64> rows_token = rows.read();
    hls::vector<float, 16> y_s0_word[4]{};
#pragma HLS array_partition variable=y_s0_word type=complete dim=0
    for (int u1 = 0; u1 < 64; ++u1) {
#pragma HLS unroll
      y_s0_word[u1 / 16][u1 % 16] = rows_token[u1];
    }
    y_s0[i0] = y_s0_word[0];
    y_s1[i0] = y_s0_word[1];
    y_s2[i0] = y_s0_word[2];
    y_s3[i0] = y_s0_word[3];
  }
}

} // namespace copy_tasks

extern "C" void copy(const hls::vector<float, 16> *x_s0, const hls::vector<float, 16> *x_s1,
                     const hls::vector<float, 16> *x_s2, const hls::vector<float, 16> *x_s3,
                     hls::vector<float, 16> *y_s0, hls::vector<float, 16> *y_s1,
                     hls::vector<float, 16> *y_s2, hls::vector<float, 16> *y_s3) {
#pragma HLS interface mode=m_axi port=x_s0 bundle=gmem_x_s0 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=x_s1 bundle=gmem_x_s1 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=x_s2 bundle=gmem_x_s2 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=x_s3 bundle=gmem_x_s3 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y_s0 bundle=gmem_y_s0 offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y_s1 bundle=gmem_y_s1 offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y_s2 bundle=gmem_y_s2 offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y_s3 bundle=gmem_y_s3 offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x_s0 bundle=control
#pragma HLS interface mode=s_axilite port=x_s1 bundle=control
#pragma HLS interface mode=s_axilite port=x_s2 bundle=control
#pragma HLS interface mode=s_axilite port=x_s3 bundle=control
#pragma HLS interface mode=s_axilite port=y_s0 bundle=control
#pragma HLS interface mode=s_axilite port=y_s1 bundle=control
#pragma HLS interface mode=s_axilite port=y_s2 bundle=control
#pragma HLS interface mode=s_axilite port=y_s3 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 64>> rows("rows");
#pragma HLS stream variable=rows depth=2
#pragma HLS bind_storage variable=rows type=fifo impl=srl

  copy_tasks::x_load(x_s0, x_s1, x_s2, x_s3, rows);
  copy_tasks::y_store(rows, y_s0, y_s1, y_s2, y_s3);
}

// The call through which a native run enters 'copy'.
#include "copy.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int copy_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    copy(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
         static_cast<const hls::vector<float, 16> *>(st_ports[1]),
         static_cast<const hls::vector<float, 16> *>(st_ports[2]),
         static_cast<const hls::vector<float, 16> *>(st_ports[3]),
         static_cast<hls::vector<float, 16> *>(st_ports[4]),
         static_cast<hls::vector<float, 16> *>(st_ports[5]),
         static_cast<hls::vector<float, 16> *>(st_ports[6]),
         static_cast<hls::vector<float, 16> *>(st_ports[7]));
  });
}
