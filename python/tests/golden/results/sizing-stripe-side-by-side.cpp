// Design 'layers': a dataflow region of 9 leaf tasks.
#include "layers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace layers_tasks {

// load: at most 32 iterations, II 1
void x_load(const hls::vector<float, 8> *x, hls::stream<hls::vector<float, 8>> &xf, int layers_1) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
x_load_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> x_word = x[i1];
      xf.write(x_word);
    }
  }
}

// fork: at most 32 iterations, II 1
void enter(hls::stream<hls::vector<float, 8>> &xf, hls::stream<hls::vector<float, 8>> &entered,
           int layers_1) {
#pragma HLS inline off
enter_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
enter_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> xf_token = xf.read();
      hls::vector<float, 8> chosen;
      for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
        chosen[u0] = (i0 == 0) ? xf_token[u0] : 0.0f;
      }
      entered.write(chosen);
    }
  }
}

// load: at most 64 iterations, II 1
void a_load(const hls::vector<float, 4> *a, hls::stream<hls::vector<float, 4>> &af, int layers_1) {
#pragma HLS inline off
a_load_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
a_load_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 4> a_word = a[i0 * 16 + i1];
      af.write(a_word);
    }
  }
}

// load: at most 32 iterations, II 1
void b_load(const hls::vector<float, 8> *b, hls::stream<hls::vector<float, 8>> &bf, int layers_1) {
#pragma HLS inline off
b_load_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
b_load_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> b_word = b[i0 * 8 + i1];
      bf.write(b_word);
    }
  }
}

// load: at most 4096 iterations, II 1
void w_load(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
            const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
            hls::stream<hls::vector<float, 64>> &wf, int layers_1) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
w_load_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> w_s0_word[4];
#pragma HLS array_partition variable=w_s0_word type=complete dim=0
      w_s0_word[0] = w_s0[i0 * 1024 + i1];
      w_s0_word[1] = w_s1[i0 * 1024 + i1];
      w_s0_word[2] = w_s2[i0 * 1024 + i1];
      w_s0_word[3] = w_s3[i0 * 1024 + i1];
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
  }
}

// load: at most 4096 iterations, II 1
void v_load(const hls::vector<float, 16> *v_s0, const hls::vector<float, 16> *v_s1,
            const hls::vector<float, 16> *v_s2, const hls::vector<float, 16> *v_s3,
            hls::stream<hls::vector<float, 64>> &vf, int layers_1) {
#pragma HLS inline off
v_load_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
v_load_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> v_s0_word[4];
#pragma HLS array_partition variable=v_s0_word type=complete dim=0
      v_s0_word[0] = v_s0[i0 * 1024 + i1];
      v_s0_word[1] = v_s1[i0 * 1024 + i1];
      v_s0_word[2] = v_s2[i0 * 1024 + i1];
      v_s0_word[3] = v_s3[i0 * 1024 + i1];
      float v_s0_value[1][4][16];
#pragma HLS array_partition variable=v_s0_value type=complete dim=0
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        for (int u2 = 0; u2 < 16; ++u2) {
#pragma HLS unroll
          v_s0_value[0][u1][u2] = v_s0_word[u2 / 4][u1 * 4 + u2 % 4];
        }
      }
      hls::vector<float, 64> vf_token;
      for (int u0 = 0; u0 < 64; ++u0) {
#pragma HLS unroll
        vf_token[u0] = v_s0_value[0][u0 / 16][u0 % 16];
      }
      vf.write(vf_token);
    }
  }
}

// compute: at most 4096 iterations, II 1
void first(hls::stream<hls::vector<float, 64>> &wf, hls::stream<hls::vector<float, 8>> &entered,
           hls::stream<hls::vector<float, 4>> &af, hls::stream<hls::vector<float, 8>> &rows,
           int layers_1) {
#pragma HLS inline off
  hls::vector<float, 8> entered_token;
  hls::vector<float, 4> af_token;
first_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
first_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 64> wf_token = wf.read();
      if (i1 <= 7) {
        entered_token = entered.read();
      }
      if (i1 <= 15) {
        af_token = af.read();
      }
      hls::vector<float, 8> insert_strided_slice;
      for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
        insert_strided_slice[u0] = entered_token[u0];
      }
      for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
        insert_strided_slice[u0] = af_token[u0];
      }
      hls::vector<float, 8> sum;
      for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
        const float lane_sum = wf_token[u0] + insert_strided_slice[u0];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
        sum[u0] = lane_sum;
      }
      rows.write(sum);
    }
  }
}

// compute: at most 4096 iterations, II 1
void between(hls::stream<hls::vector<float, 8>> &rows, hls::stream<hls::vector<float, 8>> &rounded,
             int layers_1) {
#pragma HLS inline off
between_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
between_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> rows_token = rows.read();
      rounded.write(rows_token);
    }
  }
}

// compute: at most 4096 iterations, II 1
void second(hls::stream<hls::vector<float, 64>> &vf, hls::stream<hls::vector<float, 8>> &rounded,
            hls::stream<hls::vector<float, 8>> &bf, hls::vector<float, 8> *y, int layers_1) {
#pragma HLS inline off
  hls::vector<float, 8> bf_token;
second_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
second_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 64> vf_token = vf.read();
      const hls::vector<float, 8> rounded_token = rounded.read();
      if (i1 <= 7) {
        bf_token = bf.read();
      }
      if (i1 <= 7) {
        hls::vector<float, 8> y_word;
        for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
          const float lane_sum = vf_token[u1] + rounded_token[u1];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
          const float lane_sum_1 = lane_sum + bf_token[u1];
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
          y_word[u1] = lane_sum_1;
        }
        y[i0 * 8 + i1] = y_word;
      }
    }
  }
}

} // namespace layers_tasks

extern "C" void layers(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
                       const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
                       const hls::vector<float, 16> *v_s0, const hls::vector<float, 16> *v_s1,
                       const hls::vector<float, 16> *v_s2, const hls::vector<float, 16> *v_s3,
                       const hls::vector<float, 4> *a, const hls::vector<float, 8> *b,
                       const hls::vector<float, 8> *x, hls::vector<float, 8> *y, int layers_1) {
#pragma HLS interface mode=m_axi port=w_s0 bundle=gmem_w_s0 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s1 bundle=gmem_w_s1 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s2 bundle=gmem_w_s2 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s3 bundle=gmem_w_s3 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s0 bundle=gmem_v_s0 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s1 bundle=gmem_v_s1 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s2 bundle=gmem_v_s2 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s3 bundle=gmem_v_s3 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=x bundle=gmem_x_and_1 offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_x_and_1 offset=slave depth=32 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=w_s0 bundle=control
#pragma HLS interface mode=s_axilite port=w_s1 bundle=control
#pragma HLS interface mode=s_axilite port=w_s2 bundle=control
#pragma HLS interface mode=s_axilite port=w_s3 bundle=control
#pragma HLS interface mode=s_axilite port=v_s0 bundle=control
#pragma HLS interface mode=s_axilite port=v_s1 bundle=control
#pragma HLS interface mode=s_axilite port=v_s2 bundle=control
#pragma HLS interface mode=s_axilite port=v_s3 bundle=control
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=layers_1 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 8>> xf("xf");
#pragma HLS stream variable=xf depth=4
#pragma HLS bind_storage variable=xf type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> entered("entered");
#pragma HLS stream variable=entered depth=32
#pragma HLS bind_storage variable=entered type=fifo impl=lutram
  hls::stream<hls::vector<float, 4>> af("af");
#pragma HLS stream variable=af depth=8
#pragma HLS bind_storage variable=af type=fifo impl=srl
  hls::stream<hls::vector<float, 8>> bf("bf");
#pragma HLS stream variable=bf depth=32
#pragma HLS bind_storage variable=bf type=fifo impl=lutram
  hls::stream<hls::vector<float, 64>> wf("wf");
#pragma HLS stream variable=wf depth=32
#pragma HLS bind_storage variable=wf type=fifo impl=lutram
  hls::stream<hls::vector<float, 64>> vf("vf");
#pragma HLS stream variable=vf depth=32
#pragma HLS bind_storage variable=vf type=fifo impl=lutram
  hls::stream<hls::vector<float, 8>> rows("rows");
#pragma HLS stream variable=rows depth=32
#pragma HLS bind_storage variable=rows type=fifo impl=lutram
  hls::stream<hls::vector<float, 8>> rounded("rounded");
#pragma HLS stream variable=rounded depth=32
#pragma HLS bind_storage variable=rounded type=fifo impl=lutram

  layers_tasks::x_load(x, xf, layers_1);
  layers_tasks::enter(xf, entered, layers_1);
  layers_tasks::a_load(a, af, layers_1);
  layers_tasks::b_load(b, bf, layers_1);
  layers_tasks::w_load(w_s0, w_s1, w_s2, w_s3, wf, layers_1);
  layers_tasks::v_load(v_s0, v_s1, v_s2, v_s3, vf, layers_1);
  layers_tasks::first(wf, entered, af, rows, layers_1);
  layers_tasks::between(rows, rounded, layers_1);
  layers_tasks::second(vf, rounded, bf, y, layers_1);
}

// The call through which a native run enters 'layers'.
#include "layers.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int layers_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    layers(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
           static_cast<const hls::vector<float, 16> *>(st_ports[1]),
           static_cast<const hls::vector<float, 16> *>(st_ports[2]),
           static_cast<const hls::vector<float, 16> *>(st_ports[3]),
           static_cast<const hls::vector<float, 16> *>(st_ports[4]),
           static_cast<const hls::vector<float, 16> *>(st_ports[5]),
           static_cast<const hls::vector<float, 16> *>(st_ports[6]),
           static_cast<const hls::vector<float, 16> *>(st_ports[7]),
           static_cast<const hls::vector<float, 4> *>(st_ports[8]),
           static_cast<const hls::vector<float, 8> *>(st_ports[9]),
           static_cast<const hls::vector<float, 8> *>(st_ports[10]),
           static_cast<hls::vector<float, 8> *>(st_ports[11]),
           st::scalar("layers", st_ports[12], 1, 4));
  });
}
