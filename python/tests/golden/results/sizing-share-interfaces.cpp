// Design 'biases': a dataflow region of 3 leaf tasks.
#include "biases.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace biases_tasks {

// load: 128 iterations, II 1 in a_load, then II 1 in b_load
void a_load_and_1(const hls::vector<float, 16> *a, const hls::vector<float, 16> *b,
                  hls::stream<hls::vector<float, 16>> &af,
                  hls::stream<hls::vector<float, 16>> &bf) {
#pragma HLS inline off
a_load_and_1_a_load_i0:
  for (int a_load_i0 = 0; a_load_i0 < 64; ++a_load_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> a_word = a[a_load_i0];
    af.write(a_word);
  }
a_load_and_1_b_load_i0:
  for (int b_load_i0 = 0; b_load_i0 < 64; ++b_load_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> b_word = b[b_load_i0];
    bf.write(b_word);
  }
}

// load: 65536 iterations, II 1
void w_load(const hls::vector<float, 16> *w, hls::stream<hls::vector<float, 16>> &wf) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
w_load_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> w_word = w[i1 * 64 + i0];
      wf.write(w_word);
    }
  }
}

// compute: 65536 iterations, II 1
void sum(hls::stream<hls::vector<float, 16>> &wf, hls::stream<hls::vector<float, 16>> &af,
         hls::stream<hls::vector<float, 16>> &bf, hls::vector<float, 16> *y) {
#pragma HLS inline off
  hls::vector<float, 16> af_token;
  hls::vector<float, 16> bf_token;
sum_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
sum_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> wf_token = wf.read();
      if (i1 == 0) {
        af_token = af.read();
      }
      if (i1 == 0) {
        bf_token = bf.read();
      }
      hls::vector<float, 16> sum_1;
      for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
        const float lane_sum = wf_token[u0] + af_token[u0];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
        const float lane_sum_1 = lane_sum + bf_token[u0];
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
        sum_1[u0] = lane_sum_1;
      }
      if (i1 == 1023) {
        y[i0] = sum_1;
      }
    }
  }
}

} // namespace biases_tasks

extern "C" void biases(const hls::vector<float, 16> *a, const hls::vector<float, 16> *b,
                       const hls::vector<float, 16> *w, hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a_and_1 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=b bundle=gmem_a_and_1 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=65536 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> af("af");
#pragma HLS stream variable=af depth=64
#pragma HLS bind_storage variable=af type=fifo impl=lutram
  hls::stream<hls::vector<float, 16>> bf("bf");
#pragma HLS stream variable=bf depth=31
#pragma HLS bind_storage variable=bf type=fifo impl=lutram
  hls::stream<hls::vector<float, 16>> wf("wf");
#pragma HLS stream variable=wf depth=2
#pragma HLS bind_storage variable=wf type=fifo impl=srl

  biases_tasks::a_load_and_1(a, b, af, bf);
  biases_tasks::w_load(w, wf);
  biases_tasks::sum(wf, af, bf, y);
}

// The call through which a native run enters 'biases'.
#include "biases.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int biases_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    biases(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
           static_cast<const hls::vector<float, 16> *>(st_ports[1]),
           static_cast<const hls::vector<float, 16> *>(st_ports[2]),
           static_cast<hls::vector<float, 16> *>(st_ports[3]));
  });
}
