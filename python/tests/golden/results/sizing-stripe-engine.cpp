// Design 'engines': a dataflow region of 2 leaf tasks.
#include "engines.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace engines_tasks {

// load: at most 4096 iterations, II 1 in w_load, then II 1 in v_load, then II 1 in u_load, then II 1 in t_load
void w_load_and_3(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
                  const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
                  const hls::vector<float, 16> *v_s0, const hls::vector<float, 16> *v_s1,
                  const hls::vector<float, 16> *v_s2, const hls::vector<float, 16> *v_s3,
                  const hls::vector<float, 16> *u_s0, const hls::vector<float, 16> *u_s1,
                  const hls::vector<float, 16> *u_s2, const hls::vector<float, 16> *u_s3,
                  const hls::vector<float, 16> *u_s4, const hls::vector<float, 16> *u_s5,
                  const hls::vector<float, 16> *u_s6, const hls::vector<float, 16> *u_s7,
                  const hls::vector<float, 16> *t_s0, const hls::vector<float, 16> *t_s1,
                  const hls::vector<float, 16> *t_s2, const hls::vector<float, 16> *t_s3,
                  const hls::vector<float, 16> *t_s4, const hls::vector<float, 16> *t_s5,
                  const hls::vector<float, 16> *t_s6, const hls::vector<float, 16> *t_s7,
                  hls::stream<hls::vector<float, 64>> &wf, hls::stream<hls::vector<float, 128>> &uf,
                  hls::stream<hls::vector<float, 128>> &tf, int layers) {
#pragma HLS inline off
w_load_and_3_i0:
  for (int i0 = 0; i0 < layers; ++i0) {
#pragma HLS loop_tripcount max=4
w_load_and_3_w_load_i1:
    for (int w_load_i1 = 0; w_load_i1 < 256; ++w_load_i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> w_s0_word[4];
#pragma HLS array_partition variable=w_s0_word type=complete dim=0
      w_s0_word[0] = w_s0[i0 * 256 + w_load_i1];
      w_s0_word[1] = w_s1[i0 * 256 + w_load_i1];
      w_s0_word[2] = w_s2[i0 * 256 + w_load_i1];
      w_s0_word[3] = w_s3[i0 * 256 + w_load_i1];
      float w_s0_value[1][4][16];
#pragma HLS array_partition variable=w_s0_value type=complete dim=0
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        for (int u2 = 0; u2 < 16; ++u2) {
#pragma HLS unroll
          w_s0_value[0][u1][u2] = w_s0_word[u2 / 4][u1 * 4 + u2 % 4];
        }
      }
      hls::vector<float, 64> wf_token;
      for (int u0 = 0; u0 < 64; ++u0) {
#pragma HLS unroll
        wf_token[u0] = w_s0_value[0][u0 / 16][u0 % 16];
      }
      wf.write(wf_token);
    }
w_load_and_3_v_load_i1:
    for (int v_load_i1 = 0; v_load_i1 < 256; ++v_load_i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> v_s0_word[4];
#pragma HLS array_partition variable=v_s0_word type=complete dim=0
      v_s0_word[0] = v_s0[i0 * 256 + v_load_i1];
      v_s0_word[1] = v_s1[i0 * 256 + v_load_i1];
      v_s0_word[2] = v_s2[i0 * 256 + v_load_i1];
      v_s0_word[3] = v_s3[i0 * 256 + v_load_i1];
      float v_s0_value[1][4][16];
#pragma HLS array_partition variable=v_s0_value type=complete dim=0
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        for (int u2_1 = 0; u2_1 < 16; ++u2_1) {
#pragma HLS unroll
          v_s0_value[0][u1_1][u2_1] = v_s0_word[u2_1 / 4][u1_1 * 4 + u2_1 % 4];
        }
      }
      hls::vector<float, 64> wf_token_1;
      for (int u0_1 = 0; u0_1 < 64; ++u0_1) {
#pragma HLS unroll
        wf_token_1[u0_1] = v_s0_value[0][u0_1 / 16][u0_1 % 16];
      }
      wf.write(wf_token_1);
    }
w_load_and_3_u_load_i1:
    for (int u_load_i1 = 0; u_load_i1 < 256; ++u_load_i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> u_s0_word[8];
#pragma HLS array_partition variable=u_s0_word type=complete dim=0
      u_s0_word[0] = u_s0[i0 * 256 + u_load_i1];
      u_s0_word[1] = u_s1[i0 * 256 + u_load_i1];
      u_s0_word[2] = u_s2[i0 * 256 + u_load_i1];
      u_s0_word[3] = u_s3[i0 * 256 + u_load_i1];
      u_s0_word[4] = u_s4[i0 * 256 + u_load_i1];
      u_s0_word[5] = u_s5[i0 * 256 + u_load_i1];
      u_s0_word[6] = u_s6[i0 * 256 + u_load_i1];
      u_s0_word[7] = u_s7[i0 * 256 + u_load_i1];
      float u_s0_value[1][8][16];
#pragma HLS array_partition variable=u_s0_value type=complete dim=0
      for (int u1_2 = 0; u1_2 < 8; ++u1_2) {
#pragma HLS unroll
        for (int u2_2 = 0; u2_2 < 16; ++u2_2) {
#pragma HLS unroll
          u_s0_value[0][u1_2][u2_2] = u_s0_word[u2_2 / 2][u1_2 * 2 + u2_2 % 2];
        }
      }
      hls::vector<float, 128> uf_token;
      for (int u0_2 = 0; u0_2 < 128; ++u0_2) {
#pragma HLS unroll
        uf_token[u0_2] = u_s0_value[0][u0_2 / 16][u0_2 % 16];
      }
      uf.write(uf_token);
    }
w_load_and_3_t_load_i1:
    for (int t_load_i1 = 0; t_load_i1 < 256; ++t_load_i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> t_s0_word[8];
#pragma HLS array_partition variable=t_s0_word type=complete dim=0
      t_s0_word[0] = t_s0[i0 * 256 + t_load_i1];
      t_s0_word[1] = t_s1[i0 * 256 + t_load_i1];
      t_s0_word[2] = t_s2[i0 * 256 + t_load_i1];
      t_s0_word[3] = t_s3[i0 * 256 + t_load_i1];
      t_s0_word[4] = t_s4[i0 * 256 + t_load_i1];
      t_s0_word[5] = t_s5[i0 * 256 + t_load_i1];
      t_s0_word[6] = t_s6[i0 * 256 + t_load_i1];
      t_s0_word[7] = t_s7[i0 * 256 + t_load_i1];
      float t_s0_value[1][8][16];
#pragma HLS array_partition variable=t_s0_value type=complete dim=0
      for (int u1_3 = 0; u1_3 < 8; ++u1_3) {
#pragma HLS unroll
        for (int u2_3 = 0; u2_3 < 16; ++u2_3) {
#pragma HLS unroll
          t_s0_value[0][u1_3][u2_3] = t_s0_word[u2_3 / 2][u1_3 * 2 + u2_3 % 2];
        }
      }
      hls::vector<float, 128> tf_token;
      for (int u0_3 = 0; u0_3 < 128; ++u0_3) {
#pragma HLS unroll
        tf_token[u0_3] = t_s0_value[0][u0_3 / 16][u0_3 % 16];
      }
      tf.write(tf_token);
    }
  }
}

// compute: at most 4096 iterations, II 1 in first, then II 1 in second, then II 1 in third, then II 1 in fourth
void engine(hls::stream<hls::vector<float, 64>> &wf, hls::stream<hls::vector<float, 128>> &tf,
            hls::stream<hls::vector<float, 128>> &uf, float *y, int layers) {
#pragma HLS inline off
engine_i0:
  for (int i0 = 0; i0 < layers; ++i0) {
#pragma HLS loop_tripcount max=4
engine_first_i1:
    for (int first_i1 = 0; first_i1 < 256; ++first_i1) {
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 64> wf_token = wf.read();
      if (first_i1 == 255) {
        y[i0] = wf_token[0];
      }
    }
engine_second_i1:
    for (int second_i1 = 0; second_i1 < 256; ++second_i1) {
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 64> wf_token_1 = wf.read();
      if (second_i1 == 255) {
        y[i0] = wf_token_1[0];
      }
    }
engine_third_i1:
    for (int third_i1 = 0; third_i1 < 256; ++third_i1) {
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 128> tf_token = tf.read();
      if (third_i1 == 255) {
        y[i0] = tf_token[0];
      }
    }
engine_fourth_i1:
    for (int fourth_i1 = 0; fourth_i1 < 256; ++fourth_i1) {
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 128> uf_token = uf.read();
      if (fourth_i1 == 255) {
        y[i0] = uf_token[0];
      }
    }
  }
}

} // namespace engines_tasks

extern "C" void engines(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
                        const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
                        const hls::vector<float, 16> *v_s0, const hls::vector<float, 16> *v_s1,
                        const hls::vector<float, 16> *v_s2, const hls::vector<float, 16> *v_s3,
                        const hls::vector<float, 16> *u_s0, const hls::vector<float, 16> *u_s1,
                        const hls::vector<float, 16> *u_s2, const hls::vector<float, 16> *u_s3,
                        const hls::vector<float, 16> *u_s4, const hls::vector<float, 16> *u_s5,
                        const hls::vector<float, 16> *u_s6, const hls::vector<float, 16> *u_s7,
                        const hls::vector<float, 16> *t_s0, const hls::vector<float, 16> *t_s1,
                        const hls::vector<float, 16> *t_s2, const hls::vector<float, 16> *t_s3,
                        const hls::vector<float, 16> *t_s4, const hls::vector<float, 16> *t_s5,
                        const hls::vector<float, 16> *t_s6, const hls::vector<float, 16> *t_s7,
                        float *y, int layers) {
#pragma HLS interface mode=m_axi port=w_s0 bundle=gmem_w_and_3_s0 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s1 bundle=gmem_w_and_3_s1 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s2 bundle=gmem_w_and_3_s2 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s3 bundle=gmem_w_and_3_s3 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s0 bundle=gmem_w_and_3_s0 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s1 bundle=gmem_w_and_3_s1 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s2 bundle=gmem_w_and_3_s2 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s3 bundle=gmem_w_and_3_s3 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s0 bundle=gmem_w_and_3_s0 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s1 bundle=gmem_w_and_3_s1 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s2 bundle=gmem_w_and_3_s2 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s3 bundle=gmem_w_and_3_s3 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s4 bundle=gmem_w_and_3_s4 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s5 bundle=gmem_w_and_3_s5 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s6 bundle=gmem_w_and_3_s6 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=u_s7 bundle=gmem_w_and_3_s7 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s0 bundle=gmem_w_and_3_s0 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s1 bundle=gmem_w_and_3_s1 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s2 bundle=gmem_w_and_3_s2 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s3 bundle=gmem_w_and_3_s3 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s4 bundle=gmem_w_and_3_s4 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s5 bundle=gmem_w_and_3_s5 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s6 bundle=gmem_w_and_3_s6 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=t_s7 bundle=gmem_w_and_3_s7 offset=slave depth=1024 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=4 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=w_s0 bundle=control
#pragma HLS interface mode=s_axilite port=w_s1 bundle=control
#pragma HLS interface mode=s_axilite port=w_s2 bundle=control
#pragma HLS interface mode=s_axilite port=w_s3 bundle=control
#pragma HLS interface mode=s_axilite port=v_s0 bundle=control
#pragma HLS interface mode=s_axilite port=v_s1 bundle=control
#pragma HLS interface mode=s_axilite port=v_s2 bundle=control
#pragma HLS interface mode=s_axilite port=v_s3 bundle=control
#pragma HLS interface mode=s_axilite port=u_s0 bundle=control
#pragma HLS interface mode=s_axilite port=u_s1 bundle=control
#pragma HLS interface mode=s_axilite port=u_s2 bundle=control
#pragma HLS interface mode=s_axilite port=u_s3 bundle=control
#pragma HLS interface mode=s_axilite port=u_s4 bundle=control
#pragma HLS interface mode=s_axilite port=u_s5 bundle=control
#pragma HLS interface mode=s_axilite port=u_s6 bundle=control
#pragma HLS interface mode=s_axilite port=u_s7 bundle=control
#pragma HLS interface mode=s_axilite port=t_s0 bundle=control
#pragma HLS interface mode=s_axilite port=t_s1 bundle=control
#pragma HLS interface mode=s_axilite port=t_s2 bundle=control
#pragma HLS interface mode=s_axilite port=t_s3 bundle=control
#pragma HLS interface mode=s_axilite port=t_s4 bundle=control
#pragma HLS interface mode=s_axilite port=t_s5 bundle=control
#pragma HLS interface mode=s_axilite port=t_s6 bundle=control
#pragma HLS interface mode=s_axilite port=t_s7 bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=layers bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 64>> wf("wf");
#pragma HLS stream variable=wf depth=160
#pragma HLS bind_storage variable=wf type=fifo impl=lutram
  hls::stream<hls::vector<float, 128>> uf("uf");
#pragma HLS stream variable=uf depth=512
#pragma HLS bind_storage variable=uf type=fifo impl=uram
  hls::stream<hls::vector<float, 128>> tf("tf");
#pragma HLS stream variable=tf depth=2
#pragma HLS bind_storage variable=tf type=fifo impl=srl

  engines_tasks::w_load_and_3(w_s0, w_s1, w_s2, w_s3, v_s0, v_s1, v_s2, v_s3, u_s0, u_s1, u_s2,
                              u_s3, u_s4, u_s5, u_s6, u_s7, t_s0, t_s1, t_s2, t_s3, t_s4, t_s5,
                              t_s6, t_s7, wf, uf, tf, layers);
  engines_tasks::engine(wf, tf, uf, y, layers);
}

// The call through which a native run enters 'engines'.
#include "engines.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int engines_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    engines(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
            static_cast<const hls::vector<float, 16> *>(st_ports[1]),
            static_cast<const hls::vector<float, 16> *>(st_ports[2]),
            static_cast<const hls::vector<float, 16> *>(st_ports[3]),
            static_cast<const hls::vector<float, 16> *>(st_ports[4]),
            static_cast<const hls::vector<float, 16> *>(st_ports[5]),
            static_cast<const hls::vector<float, 16> *>(st_ports[6]),
            static_cast<const hls::vector<float, 16> *>(st_ports[7]),
            static_cast<const hls::vector<float, 16> *>(st_ports[8]),
            static_cast<const hls::vector<float, 16> *>(st_ports[9]),
            static_cast<const hls::vector<float, 16> *>(st_ports[10]),
            static_cast<const hls::vector<float, 16> *>(st_ports[11]),
            static_cast<const hls::vector<float, 16> *>(st_ports[12]),
            static_cast<const hls::vector<float, 16> *>(st_ports[13]),
            static_cast<const hls::vector<float, 16> *>(st_ports[14]),
            static_cast<const hls::vector<float, 16> *>(st_ports[15]),
            static_cast<const hls::vector<float, 16> *>(st_ports[16]),
            static_cast<const hls::vector<float, 16> *>(st_ports[17]),
            static_cast<const hls::vector<float, 16> *>(st_ports[18]),
            static_cast<const hls::vector<float, 16> *>(st_ports[19]),
            static_cast<const hls::vector<float, 16> *>(st_ports[20]),
            static_cast<const hls::vector<float, 16> *>(st_ports[21]),
            static_cast<const hls::vector<float, 16> *>(st_ports[22]),
            static_cast<const hls::vector<float, 16> *>(st_ports[23]),
            static_cast<float *>(st_ports[24]), st::scalar("layers", st_ports[25], 1, 4));
  });
}
