// Design 'matmul': a dataflow region of 6 leaf tasks.
#include "matmul.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace matmul_tasks {

using weight_block_t = float[16][32];
using result_block_t = float[16][16];

// load: 384 iterations, II 1
void load_x(const hls::vector<float, 4> *x, hls::stream<hls::vector<float, 4>> &hidden) {
#pragma HLS inline off
load_x_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
load_x_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
load_x_i2:
      for (int i2 = 0; i2 < 4; ++i2) {
load_x_i3:
        for (int i3 = 0; i3 < 16; ++i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          const hls::vector<float, 4> x_word = x[i3 * 8 + i1 * 4 + i2];
          hidden.write(x_word);
        }
      }
    }
  }
}

// load: 96 iterations, II 1
void load_w(const hls::vector<float, 16> *w, hls::stream<hls::vector<float, 16>> &weight_stream) {
#pragma HLS inline off
load_w_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
load_w_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
load_w_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 16> w_word = w[i0 * 32 + i1 * 2 + i2];
        weight_stream.write(w_word);
      }
    }
  }
}

// fill: 96 iterations, II 1
void fill_w(hls::stream<hls::vector<float, 16>> &weight_stream,
            hls::stream_of_blocks<weight_block_t, 2> &weight) {
#pragma HLS inline off
fill_w_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::write_lock<weight_block_t> weight_block(weight);
fill_w_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
fill_w_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 16> weight_stream_token = weight_stream.read();
        for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
          weight_block[i1][i2 * 16 + u1] = weight_stream_token[u1];
        }
      }
    }
  }
}

// compute: 384 iterations, II 1
void proj(hls::stream<hls::vector<float, 4>> &hidden,
          hls::stream_of_blocks<weight_block_t, 2> &weight,
          hls::stream_of_blocks<result_block_t, 2> &result) {
#pragma HLS inline off
  float local[16][16];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=16 dependent=true
proj_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::read_lock<weight_block_t> weight_block(weight);
    hls::write_lock<result_block_t> result_block(result);
proj_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
proj_i2:
      for (int i2 = 0; i2 < 4; ++i2) {
proj_i3:
        for (int i3 = 0; i3 < 16; ++i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          const hls::vector<float, 4> hidden_token = hidden.read();
          float product[16][4];
#pragma HLS array_partition variable=product type=complete dim=0
          for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
            for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
              const float lane_product = hidden_token[u1] * weight_block[u0][i1 * 16 + i2 * 4 + u1];
#pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
              product[u0][u1] = lane_product;
            }
          }
          float sum[16][2];
#pragma HLS array_partition variable=sum type=complete dim=0
          for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
            for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
              const float lane_sum = product[u0][u1] + product[u0][u1 + 2];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
              sum[u0][u1] = lane_sum;
            }
          }
          hls::vector<float, 16> sum_1;
          for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
            const float lane_sum_1 = sum[u1][0] + sum[u1][1];
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
            const float lane_sum_2 = ((i1 == 0 && i2 == 0) ? 0.0f : local[i3][u1]) + lane_sum_1;
#pragma HLS bind_op variable=lane_sum_2 op=fadd impl=fulldsp latency=6
            sum_1[u1] = lane_sum_2;
            local[i3][u1] = sum_1[u1];
          }
          if (i1 == 1 && i2 == 3) {
            for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
              result_block[i3][u1] = sum_1[u1];
            }
          }
        }
      }
    }
  }
}

// drain: 48 iterations, II 1
void drain(hls::stream_of_blocks<result_block_t, 2> &result,
           hls::stream<hls::vector<float, 16>> &result_stream) {
#pragma HLS inline off
drain_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::read_lock<result_block_t> result_block(result);
drain_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 16> result_block_value;
      for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
        result_block_value[u1] = result_block[i1][u1];
      }
      result_stream.write(result_block_value);
    }
  }
}

// store: 48 iterations, II 1
void store_y(hls::stream<hls::vector<float, 16>> &result_stream, hls::vector<float, 16> *y) {
#pragma HLS inline off
store_y_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
store_y_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> result_stream_token = result_stream.read();
      y[i1 * 3 + i0] = result_stream_token;
    }
  }
}

} // namespace matmul_tasks

using namespace matmul_tasks;

extern "C" void matmul(const hls::vector<float, 4> *x, const hls::vector<float, 16> *w,
                       hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=128 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=96 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=48 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 4>> hidden("hidden");
#pragma HLS stream variable=hidden depth=6
#pragma HLS bind_storage variable=hidden type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> weight_stream("weight_stream");
#pragma HLS stream variable=weight_stream depth=6
#pragma HLS bind_storage variable=weight_stream type=fifo impl=lutram
  hls::stream_of_blocks<weight_block_t, 2> weight;
#pragma HLS array_partition variable=weight type=complete dim=1
#pragma HLS array_partition variable=weight type=cyclic factor=4 dim=2
#pragma HLS bind_storage variable=weight type=ram_2p impl=lutram
  hls::stream_of_blocks<result_block_t, 2> result;
#pragma HLS array_partition variable=result type=complete dim=2
#pragma HLS bind_storage variable=result type=ram_2p impl=lutram
  hls::stream<hls::vector<float, 16>> result_stream("result_stream");
#pragma HLS stream variable=result_stream depth=2
#pragma HLS bind_storage variable=result_stream type=fifo impl=srl

  matmul_tasks::load_x(x, hidden);
  matmul_tasks::load_w(w, weight_stream);
  matmul_tasks::fill_w(weight_stream, weight);
  matmul_tasks::proj(hidden, weight, result);
  matmul_tasks::drain(result, result_stream);
  matmul_tasks::store_y(result_stream, y);
}

// The call through which a native run enters 'matmul'.
#include "matmul.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int matmul_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"weight", "result"});
    matmul(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
           static_cast<const hls::vector<float, 16> *>(st_ports[1]),
           static_cast<hls::vector<float, 16> *>(st_ports[2]));
  });
}
