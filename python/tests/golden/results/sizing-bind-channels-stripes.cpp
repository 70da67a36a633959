// Design 'twice': a dataflow region of 4 leaf tasks.
#include "twice.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace twice_tasks {

// load: 100 iterations, II 1
void half_load(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 16>> &a) {
#pragma HLS inline off
half_load_i0:
  for (int i0 = 0; i0 < 100; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> x_word = x[i0 * 2];
    a.write(x_word);
  }
}

// load: 100 iterations, II 1
void whole_load(const hls::vector<float, 16> *x_1_s0, const hls::vector<float, 16> *x_1_s1,
                hls::stream<hls::vector<float, 32>> &b) {
#pragma HLS inline off
whole_load_i0:
  for (int i0 = 0; i0 < 100; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 16> x_1_s0_word[2];
#pragma HLS array_partition variable=x_1_s0_word type=complete dim=0
    x_1_s0_word[0] = x_1_s0[i0];
    x_1_s0_word[1] = x_1_s1[i0];
    hls::vector<float, 32> x_1_s0_value;
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      x_1_s0_value[u1] = x_1_s0_word[u1 / 16][u1 % 16];
    }
    b.write(x_1_s0_value);
  }
}

// compute: 100 iterations, II 1
void take(hls::stream<hls::vector<float, 16>> &a, hls::stream<hls::vector<float, 32>> &b,
          hls::stream<float> &c) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 100; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> a_token = a.read();
    const hls::vector<float, 32> b_token = b.read();
    if (i0 == 99) {
      const float sum = a_token[3] + b_token[3];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      c.write(sum);
    }
  }
}

// store: 1 iterations, II 1
void z_store(hls::stream<float> &c, float *z) {
#pragma HLS inline off
  const float c_token = c.read();
  z[0] = c_token;
}

} // namespace twice_tasks

extern "C" void twice(const hls::vector<float, 16> *x, const hls::vector<float, 16> *x_1_s0,
                      const hls::vector<float, 16> *x_1_s1, float *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=200 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=x_1_s0 bundle=gmem_x_1_s0 offset=slave depth=100 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=x_1_s1 bundle=gmem_x_1_s1 offset=slave depth=100 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=x_1_s0 bundle=control
#pragma HLS interface mode=s_axilite port=x_1_s1 bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<hls::vector<float, 32>> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  twice_tasks::half_load(x, a);
  twice_tasks::whole_load(x_1_s0, x_1_s1, b);
  twice_tasks::take(a, b, c);
  twice_tasks::z_store(c, z);
}

// The call through which a native run enters 'twice'.
#include "twice.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int twice_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    twice(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
          static_cast<const hls::vector<float, 16> *>(st_ports[1]),
          static_cast<const hls::vector<float, 16> *>(st_ports[2]),
          static_cast<float *>(st_ports[3]));
  });
}
