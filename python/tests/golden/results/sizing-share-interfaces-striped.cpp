// Design 'rows': a dataflow region of 4 leaf tasks.
#include "rows.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace rows_tasks {

// load: 64 iterations, II 1
void a_load(const hls::vector<float, 16> *a, hls::stream<hls::vector<float, 16>> &af) {
#pragma HLS inline off
a_load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> a_word = a[i0];
    af.write(a_word);
  }
}

// load: 64 iterations, II 1
void b_load(const hls::vector<float, 16> *b, hls::stream<hls::vector<float, 16>> &bf) {
#pragma HLS inline off
b_load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> b_word = b[i0];
    bf.write(b_word);
  }
}

// load: 1024 iterations, II 1
void w_load(const hls::vector<float, 8> *w_s0, const hls::vector<float, 8> *w_s1,
            const hls::vector<float, 8> *w_s2, const hls::vector<float, 8> *w_s3,
            const hls::vector<float, 8> *w_s4, const hls::vector<float, 8> *w_s5,
            const hls::vector<float, 8> *w_s6, const hls::vector<float, 8> *w_s7,
            hls::stream<hls::vector<float, 64>> &wf) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 8> w_s0_word[8];
#pragma HLS array_partition variable=w_s0_word type=complete dim=0
    w_s0_word[0] = w_s0[i0];
    w_s0_word[1] = w_s1[i0];
    w_s0_word[2] = w_s2[i0];
    w_s0_word[3] = w_s3[i0];
    w_s0_word[4] = w_s4[i0];
    w_s0_word[5] = w_s5[i0];
    w_s0_word[6] = w_s6[i0];
    w_s0_word[7] = w_s7[i0];
    hls::vector<float, 64> w_s0_value;
    for (int u1 = 0; u1 < 64; ++u1) {
#pragma HLS unroll
      w_s0_value[u1] = w_s0_word[u1 / 8][u1 % 8];
    }
    wf.write(w_s0_value);
  }
}

// compute: 1024 iterations, II 1
void sum(hls::stream<hls::vector<float, 64>> &wf, hls::stream<hls::vector<float, 16>> &af,
         hls::stream<hls::vector<float, 16>> &bf, hls::vector<float, 16> *y) {
#pragma HLS inline off
  hls::vector<float, 16> af_token;
  hls::vector<float, 16> bf_token;
sum_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
sum_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 64> wf_token = wf.read();
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
      if (i1 == 15) {
        y[i0] = sum_1;
      }
    }
  }
}

} // namespace rows_tasks

extern "C" void rows(const hls::vector<float, 16> *a, const hls::vector<float, 16> *b,
                     const hls::vector<float, 8> *w_s0, const hls::vector<float, 8> *w_s1,
                     const hls::vector<float, 8> *w_s2, const hls::vector<float, 8> *w_s3,
                     const hls::vector<float, 8> *w_s4, const hls::vector<float, 8> *w_s5,
                     const hls::vector<float, 8> *w_s6, const hls::vector<float, 8> *w_s7,
                     hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s0 bundle=gmem_w_s0 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s1 bundle=gmem_w_s1 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s2 bundle=gmem_w_s2 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s3 bundle=gmem_w_s3 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s4 bundle=gmem_w_s4 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s5 bundle=gmem_w_s5 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s6 bundle=gmem_w_s6 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=w_s7 bundle=gmem_w_s7 offset=slave depth=1024 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=w_s0 bundle=control
#pragma HLS interface mode=s_axilite port=w_s1 bundle=control
#pragma HLS interface mode=s_axilite port=w_s2 bundle=control
#pragma HLS interface mode=s_axilite port=w_s3 bundle=control
#pragma HLS interface mode=s_axilite port=w_s4 bundle=control
#pragma HLS interface mode=s_axilite port=w_s5 bundle=control
#pragma HLS interface mode=s_axilite port=w_s6 bundle=control
#pragma HLS interface mode=s_axilite port=w_s7 bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> af("af");
#pragma HLS stream variable=af depth=7
#pragma HLS bind_storage variable=af type=fifo impl=lutram
  hls::stream<hls::vector<float, 16>> bf("bf");
#pragma HLS stream variable=bf depth=7
#pragma HLS bind_storage variable=bf type=fifo impl=lutram
  hls::stream<hls::vector<float, 64>> wf("wf");
#pragma HLS stream variable=wf depth=2
#pragma HLS bind_storage variable=wf type=fifo impl=srl

  rows_tasks::a_load(a, af);
  rows_tasks::b_load(b, bf);
  rows_tasks::w_load(w_s0, w_s1, w_s2, w_s3, w_s4, w_s5, w_s6, w_s7, wf);
  rows_tasks::sum(wf, af, bf, y);
}

// The call through which a native run enters 'rows'.
#include "rows.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int rows_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    rows(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
         static_cast<const hls::vector<float, 16> *>(st_ports[1]),
         static_cast<const hls::vector<float, 8> *>(st_ports[2]),
         static_cast<const hls::vector<float, 8> *>(st_ports[3]),
         static_cast<const hls::vector<float, 8> *>(st_ports[4]),
         static_cast<const hls::vector<float, 8> *>(st_ports[5]),
         static_cast<const hls::vector<float, 8> *>(st_ports[6]),
         static_cast<const hls::vector<float, 8> *>(st_ports[7]),
         static_cast<const hls::vector<float, 8> *>(st_ports[8]),
         static_cast<const hls::vector<float, 8> *>(st_ports[9]),
         static_cast<hls::vector<float, 16> *>(st_ports[10]));
  });
}
