// Design 'words': a dataflow region of 3 leaf tasks.
#include "words.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace words_tasks {

// load: 60 iterations, II 1
void x_load(const hls::vector<float, 16> *x_s0, const hls::vector<float, 16> *x_s1,
            const hls::vector<float, 16> *x_s2, const hls::vector<float, 16> *x_s3,
            const hls::vector<float, 16> *x_s4, hls::stream<hls::vector<float, 80>> &a) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
x_load_i1:
    for (int i1 = 0; i1 < 10; ++i1) {
x_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<float, 16> x_s0_word[5];
#pragma HLS array_partition variable=x_s0_word type=complete dim=0
        x_s0_word[0] = x_s0[i1 * 2 + i2];
        x_s0_word[1] = x_s1[i1 * 2 + i2];
        x_s0_word[2] = x_s2[i1 * 2 + i2];
        x_s0_word[3] = x_s3[i1 * 2 + i2];
        x_s0_word[4] = x_s4[i1 * 2 + i2];
        hls::vector<float, 80> x_s0_value;
        for (int u1 = 0; u1 < 80; ++u1) {
#pragma HLS unroll
          x_s0_value[u1] = x_s0_word[u1 / 16][u1 % 16];
        }
        a.write(x_s0_value);
      }
    }
  }
}

// compute: 60 iterations, II 1
void take(hls::stream<hls::vector<float, 80>> &a, hls::stream<float> &c) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 60; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 80> a_token = a.read();
    if (i0 == 59) {
      c.write(a_token[3]);
    }
  }
}

// store: 1 iterations, II 1
void z_store(hls::stream<float> &c, float *z) {
#pragma HLS inline off
  const float c_token = c.read();
  z[0] = c_token;
}

} // namespace words_tasks

extern "C" void words(const hls::vector<float, 16> *x_s0, const hls::vector<float, 16> *x_s1,
                      const hls::vector<float, 16> *x_s2, const hls::vector<float, 16> *x_s3,
                      const hls::vector<float, 16> *x_s4, float *z) {
#pragma HLS interface mode=m_axi port=x_s0 bundle=gmem_x_s0 offset=slave depth=20 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=x_s1 bundle=gmem_x_s1 offset=slave depth=20 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=x_s2 bundle=gmem_x_s2 offset=slave depth=20 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=x_s3 bundle=gmem_x_s3 offset=slave depth=20 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=x_s4 bundle=gmem_x_s4 offset=slave depth=20 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x_s0 bundle=control
#pragma HLS interface mode=s_axilite port=x_s1 bundle=control
#pragma HLS interface mode=s_axilite port=x_s2 bundle=control
#pragma HLS interface mode=s_axilite port=x_s3 bundle=control
#pragma HLS interface mode=s_axilite port=x_s4 bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 80>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  words_tasks::x_load(x_s0, x_s1, x_s2, x_s3, x_s4, a);
  words_tasks::take(a, c);
  words_tasks::z_store(c, z);
}

// The call through which a native run enters 'words'.
#include "words.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int words_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    words(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
          static_cast<const hls::vector<float, 16> *>(st_ports[1]),
          static_cast<const hls::vector<float, 16> *>(st_ports[2]),
          static_cast<const hls::vector<float, 16> *>(st_ports[3]),
          static_cast<const hls::vector<float, 16> *>(st_ports[4]),
          static_cast<float *>(st_ports[5]));
  });
}
