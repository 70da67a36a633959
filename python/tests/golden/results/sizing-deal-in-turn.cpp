// Design 'layers': a dataflow region of 2 leaf tasks.
#include "layers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace layers_tasks {

// load: at most 40 iterations, II 1
void w_load(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
            const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
            hls::stream<hls::vector<float, 16>> &f0, hls::stream<hls::vector<float, 16>> &f1,
            hls::stream<hls::vector<float, 16>> &f2, hls::stream<hls::vector<float, 16>> &f3,
            int layers_1) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
w_load_i1:
    for (int i1 = 0; i1 < 10; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> w_s0_word[4];
#pragma HLS array_partition variable=w_s0_word type=complete dim=0
      w_s0_word[0] = w_s0[i0 * 10 + i1];
      w_s0_word[1] = w_s1[i0 * 10 + i1];
      w_s0_word[2] = w_s2[i0 * 10 + i1];
      w_s0_word[3] = w_s3[i0 * 10 + i1];
      float w_s0_value[1][1][4][16];
#pragma HLS array_partition variable=w_s0_value type=complete dim=0
      for (int u2 = 0; u2 < 4; ++u2) {
#pragma HLS unroll
        for (int u3 = 0; u3 < 16; ++u3) {
#pragma HLS unroll
          w_s0_value[0][0][u2][u3] = w_s0_word[u3 / 4][u2 * 4 + u3 % 4];
        }
      }
      hls::vector<float, 16> f0_token;
      for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
        f0_token[u0] = w_s0_value[0][0][0][u0];
      }
      f0.write(f0_token);
      hls::vector<float, 16> f1_token;
      for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
        f1_token[u0] = w_s0_value[0][0][1][u0];
      }
      f1.write(f1_token);
      hls::vector<float, 16> f2_token;
      for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
        f2_token[u0] = w_s0_value[0][0][2][u0];
      }
      f2.write(f2_token);
      hls::vector<float, 16> f3_token;
      for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
        f3_token[u0] = w_s0_value[0][0][3][u0];
      }
      f3.write(f3_token);
    }
  }
}

// compute: at most 40 iterations, II 1
void sum(hls::stream<hls::vector<float, 16>> &f0, hls::stream<hls::vector<float, 16>> &f1,
         hls::stream<hls::vector<float, 16>> &f2, hls::stream<hls::vector<float, 16>> &f3,
         hls::vector<float, 16> *y, int layers_1) {
#pragma HLS inline off
sum_i0:
  for (int i0 = 0; i0 < layers_1; ++i0) {
#pragma HLS loop_tripcount max=4
sum_i1:
    for (int i1 = 0; i1 < 10; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> f0_token = f0.read();
      const hls::vector<float, 16> f1_token = f1.read();
      const hls::vector<float, 16> f2_token = f2.read();
      const hls::vector<float, 16> f3_token = f3.read();
      hls::vector<float, 16> y_word;
      for (int u2 = 0; u2 < 16; ++u2) {
#pragma HLS unroll
        const float lane_difference = f0_token[u2] - f1_token[u2];
#pragma HLS bind_op variable=lane_difference op=fsub impl=fulldsp latency=6
        const float lane_product = f2_token[u2] * f3_token[u2];
#pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
        const float lane_quotient = lane_difference / lane_product;
#pragma HLS bind_op variable=lane_quotient op=fdiv impl=fabric latency=11
        y_word[u2] = lane_quotient;
      }
      y[i0 * 10 + i1] = y_word;
    }
  }
}

} // namespace layers_tasks

extern "C" void layers(const hls::vector<float, 16> *w_s0, const hls::vector<float, 16> *w_s1,
                       const hls::vector<float, 16> *w_s2, const hls::vector<float, 16> *w_s3,
                       hls::vector<float, 16> *y, int layers_1) {
#pragma HLS interface mode=m_axi port=w_s0 bundle=gmem_w_s0 offset=slave depth=40 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s1 bundle=gmem_w_s1 offset=slave depth=40 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s2 bundle=gmem_w_s2 offset=slave depth=40 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_s3 bundle=gmem_w_s3 offset=slave depth=40 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=40 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=w_s0 bundle=control
#pragma HLS interface mode=s_axilite port=w_s1 bundle=control
#pragma HLS interface mode=s_axilite port=w_s2 bundle=control
#pragma HLS interface mode=s_axilite port=w_s3 bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=layers_1 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> f0("f0");
#pragma HLS stream variable=f0 depth=2
#pragma HLS bind_storage variable=f0 type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> f1("f1");
#pragma HLS stream variable=f1 depth=2
#pragma HLS bind_storage variable=f1 type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> f2("f2");
#pragma HLS stream variable=f2 depth=2
#pragma HLS bind_storage variable=f2 type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> f3("f3");
#pragma HLS stream variable=f3 depth=2
#pragma HLS bind_storage variable=f3 type=fifo impl=srl

  layers_tasks::w_load(w_s0, w_s1, w_s2, w_s3, f0, f1, f2, f3, layers_1);
  layers_tasks::sum(f0, f1, f2, f3, y, layers_1);
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
           static_cast<hls::vector<float, 16> *>(st_ports[4]),
           st::scalar("layers", st_ports[5], 1, 4));
  });
}
