// Design 'halves': a dataflow region of 3 leaf tasks.
#include "halves.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace halves_tasks {

// load: 10000 iterations, II 1
void x_load(const hls::vector<float, 8> *x_s0, const hls::vector<float, 8> *x_s1,
            const hls::vector<float, 8> *x_s2, const hls::vector<float, 8> *x_s3,
            hls::stream<hls::vector<float, 32>> &a) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 10000; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 8> x_s0_word[4];
#pragma HLS array_partition variable=x_s0_word type=complete dim=0
    x_s0_word[0] = x_s0[i0];
    x_s0_word[1] = x_s1[i0];
    x_s0_word[2] = x_s2[i0];
    x_s0_word[3] = x_s3[i0];
    hls::vector<float, 32> x_s0_value;
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      x_s0_value[u1] = x_s0_word[u1 / 8][u1 % 8];
    }
    a.write(x_s0_value);
  }
}

// compute: 10000 iterations, II 1
void last(hls::stream<hls::vector<float, 32>> &a, hls::stream<float> &c) {
#pragma HLS inline off
last_i0:
  for (int i0 = 0; i0 < 10000; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 32> a_token = a.read();
    if (i0 == 9999) {
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

} // namespace halves_tasks

extern "C" void halves(const hls::vector<float, 8> *x_s0, const hls::vector<float, 8> *x_s1,
                       const hls::vector<float, 8> *x_s2, const hls::vector<float, 8> *x_s3,
                       float *z) {
#pragma HLS interface mode=m_axi port=x_s0 bundle=gmem_x_s0 offset=slave depth=10000 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=x_s1 bundle=gmem_x_s1 offset=slave depth=10000 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=x_s2 bundle=gmem_x_s2 offset=slave depth=10000 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=x_s3 bundle=gmem_x_s3 offset=slave depth=10000 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x_s0 bundle=control
#pragma HLS interface mode=s_axilite port=x_s1 bundle=control
#pragma HLS interface mode=s_axilite port=x_s2 bundle=control
#pragma HLS interface mode=s_axilite port=x_s3 bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  halves_tasks::x_load(x_s0, x_s1, x_s2, x_s3, a);
  halves_tasks::last(a, c);
  halves_tasks::z_store(c, z);
}

// The call through which a native run enters 'halves'.
#include "halves.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int halves_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    halves(static_cast<const hls::vector<float, 8> *>(st_ports[0]),
           static_cast<const hls::vector<float, 8> *>(st_ports[1]),
           static_cast<const hls::vector<float, 8> *>(st_ports[2]),
           static_cast<const hls::vector<float, 8> *>(st_ports[3]),
           static_cast<float *>(st_ports[4]));
  });
}
