// Design 'layers': a dataflow region of 4 leaf tasks.
#include "layers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace layers_tasks {

// load: at most 6144 iterations, II 1 in w_load, then II 1 in v_load
void w_load_and_1(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
                  const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
                  const hls::vector<float, 16> *v_s0, const hls::vector<float, 16> *v_s1,
                  const hls::vector<float, 16> *v_s2, const hls::vector<float, 16> *v_s3,
                  hls::stream<hls::vector<float, 64>> &wf, hls::stream<hls::vector<float, 64>> &vf,
                  int layers_1) {
#pragma HLS inline off
w_load_and_1_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
w_load_and_1_w_load_i1:
    for (int w_load_i1 = 0; w_load_i1 < 1024; ++w_load_i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> w_s0_word[4];
#pragma HLS array_partition variable=w_s0_word type=complete dim=0
      w_s0_word[0] = w_s0[i0 * 1024 + w_load_i1];
      w_s0_word[1] = w_s1[i0 * 1024 + w_load_i1];
      w_s0_word[2] = w_s2[i0 * 1024 + w_load_i1];
      w_s0_word[3] = w_s3[i0 * 1024 + w_load_i1];
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
w_load_and_1_v_load_i1:
    for (int v_load_i1 = 0; v_load_i1 < 512; ++v_load_i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> v_s0_word[4];
#pragma HLS array_partition variable=v_s0_word type=complete dim=0
      v_s0_word[0] = v_s0[i0 * 512 + v_load_i1];
      v_s0_word[1] = v_s1[i0 * 512 + v_load_i1];
      v_s0_word[2] = v_s2[i0 * 512 + v_load_i1];
      v_s0_word[3] = v_s3[i0 * 512 + v_load_i1];
      float v_s0_value[1][4][16];
#pragma HLS array_partition variable=v_s0_value type=complete dim=0
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        for (int u2_1 = 0; u2_1 < 16; ++u2_1) {
#pragma HLS unroll
          v_s0_value[0][u1_1][u2_1] = v_s0_word[u2_1 / 4][u1_1 * 4 + u2_1 % 4];
        }
      }
      hls::vector<float, 64> vf_token;
      for (int u0_1 = 0; u0_1 < 64; ++u0_1) {
#pragma HLS unroll
        vf_token[u0_1] = v_s0_value[0][u0_1 / 16][u0_1 % 16];
      }
      vf.write(vf_token);
    }
  }
}

// compute: at most 4096 iterations, II 1
void first(hls::stream<hls::vector<float, 64>> &wf, hls::stream<float> &rows, int layers_1) {
#pragma HLS inline off
first_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
first_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 64> wf_token = wf.read();
      if (i1 >= 960) {
        rows.write(wf_token[0]);
      }
    }
  }
}

// convert_out: at most 512 iterations, II 1 in take, then II 1 in give
void hold(hls::stream<float> &rows, hls::stream<float> &held, int layers_1) {
#pragma HLS inline off
  float local[64];
#pragma HLS bind_storage variable=local type=ram_2p impl=bram latency=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=3 dependent=true
hold_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
hold_take_i1:
    for (int take_i1 = 0; take_i1 < 64; ++take_i1) {
#pragma HLS pipeline II=1 style=flp
      const float rows_token = rows.read();
      local[take_i1] = rows_token;
    }
hold_give_i1:
    for (int give_i1 = 0; give_i1 < 64; ++give_i1) {
#pragma HLS pipeline II=1 style=flp
      held.write(local[-give_i1 + 63]);
    }
  }
}

// compute: at most 4096 iterations, II 1
void second(hls::stream<hls::vector<float, 64>> &vf, hls::stream<float> &held,
            hls::vector<float, 8> *y, int layers_1) {
#pragma HLS inline off
  hls::vector<float, 64> vf_token;
  float held_token;
second_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
second_i1:
    for (int i1 = 0; i1 < 512; ++i1) {
second_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (i2 == 0) {
          vf_token = vf.read();
        }
        if (i1 <= 63 && i2 == 0) {
          held_token = held.read();
        }
        hls::vector<float, 64> sum;
        for (int u0 = 0; u0 < 64; ++u0) {
#pragma HLS unroll
          const float lane_sum = vf_token[u0] + held_token;
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
          sum[u0] = lane_sum;
        }
        if (i1 <= 7 && i2 == 0) {
          hls::vector<float, 8> y_word;
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            y_word[u1] = sum[u1];
          }
          y[i0 * 8 + i1] = y_word;
        }
      }
    }
  }
}

} // namespace layers_tasks

extern "C" void layers(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
                       const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
                       const hls::vector<float, 16> *v_s0, const hls::vector<float, 16> *v_s1,
                       const hls::vector<float, 16> *v_s2, const hls::vector<float, 16> *v_s3,
                       hls::vector<float, 8> *y, int layers_1) {
#pragma HLS interface mode=m_axi port=w_s0 bundle=gmem_w_and_1_s0 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s1 bundle=gmem_w_and_1_s1 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s2 bundle=gmem_w_and_1_s2 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s3 bundle=gmem_w_and_1_s3 offset=slave depth=4096 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s0 bundle=gmem_w_and_1_s0 offset=slave depth=2048 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s1 bundle=gmem_w_and_1_s1 offset=slave depth=2048 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s2 bundle=gmem_w_and_1_s2 offset=slave depth=2048 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=v_s3 bundle=gmem_w_and_1_s3 offset=slave depth=2048 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=w_s0 bundle=control
#pragma HLS interface mode=s_axilite port=w_s1 bundle=control
#pragma HLS interface mode=s_axilite port=w_s2 bundle=control
#pragma HLS interface mode=s_axilite port=w_s3 bundle=control
#pragma HLS interface mode=s_axilite port=v_s0 bundle=control
#pragma HLS interface mode=s_axilite port=v_s1 bundle=control
#pragma HLS interface mode=s_axilite port=v_s2 bundle=control
#pragma HLS interface mode=s_axilite port=v_s3 bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=layers_1 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 64>> wf("wf");
#pragma HLS stream variable=wf depth=32
#pragma HLS bind_storage variable=wf type=fifo impl=lutram
  hls::stream<hls::vector<float, 64>> vf("vf");
#pragma HLS stream variable=vf depth=512
#pragma HLS bind_storage variable=vf type=fifo impl=uram
  hls::stream<float> rows("rows");
#pragma HLS stream variable=rows depth=32
#pragma HLS bind_storage variable=rows type=fifo impl=srl
  hls::stream<float> held("held");
#pragma HLS stream variable=held depth=64
#pragma HLS bind_storage variable=held type=fifo impl=lutram

  layers_tasks::w_load_and_1(w_s0, w_s1, w_s2, w_s3, v_s0, v_s1, v_s2, v_s3, wf, vf, layers_1);
  layers_tasks::first(wf, rows, layers_1);
  layers_tasks::hold(rows, held, layers_1);
  layers_tasks::second(vf, held, y, layers_1);
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
           static_cast<hls::vector<float, 8> *>(st_ports[8]),
           st::scalar("layers", st_ports[9], 1, 4));
  });
}
