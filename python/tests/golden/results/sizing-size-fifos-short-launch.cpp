// Design 'layers': a dataflow region of 4 leaf tasks.
#include "layers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace layers_tasks {

// load: 4096 iterations, II 2
void w_load(const hls::vector<float, 16> *w, hls::stream<hls::vector<float, 32>> &weights) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
w_load_i1:
    for (int i1 = 0; i1 < 128; ++i1) {
w_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=2 style=flp
        hls::vector<float, 16> w_word[2];
#pragma HLS array_partition variable=w_word type=complete dim=0
        for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
          w_word[word] = w[i0 * 512 + i1 * 4 + i2 * 2 + word];
        }
        hls::vector<float, 32> w_value;
        for (int u2 = 0; u2 < 32; ++u2) {
#pragma HLS unroll
          w_value[u2] = w_word[u2 / 16][u2 % 16];
        }
        weights.write(w_value);
      }
    }
  }
}

// load: 4096 iterations, II 1
void x_load(const float *x, hls::stream<float> &others) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
x_load_i1:
    for (int i1 = 0; i1 < 256; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 256 + i1];
      others.write(x_word);
    }
  }
}

// compute: at most 36864 iterations, II 1 in other, then II 1 in core
void task(hls::stream<float> &others, hls::stream<hls::vector<float, 32>> &weights,
          hls::stream<float> &results, int tokens) {
#pragma HLS inline off
  hls::vector<float, 32> weights_token;
task_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
task_other_i1:
    for (int other_i1 = 0; other_i1 < 256; ++other_i1) {
#pragma HLS pipeline II=1 style=flp
      const float others_token = others.read();
      results.write(others_token);
    }
    {
      int core_i1 = 0;
      int core_i2 = 0;
task_iteration:
      for (int iteration = 0; iteration < 256 * tokens; ++iteration) {
#pragma HLS loop_tripcount max=2048
#pragma HLS pipeline II=1 style=flp
        if (core_i2 == 0) {
          weights_token = weights.read();
        }
        if (core_i2 == 0) {
          results.write(weights_token[0]);
        }
        if (++core_i2 == tokens) {
          core_i2 = 0;
          ++core_i1;
        }
      }
    }
  }
}

// store: 8192 iterations, II 1
void store(hls::stream<float> &results, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 512; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float results_token = results.read();
      y[i0 * 512 + i1] = results_token;
    }
  }
}

} // namespace layers_tasks

extern "C" void layers(const hls::vector<float, 16> *w, const float *x, float *y, int tokens) {
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=8192 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=4096 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8192 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=tokens bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> weights("weights");
#pragma HLS stream variable=weights depth=128
#pragma HLS bind_storage variable=weights type=fifo impl=lutram
  hls::stream<float> others("others");
#pragma HLS stream variable=others depth=32
#pragma HLS bind_storage variable=others type=fifo impl=srl
  hls::stream<float> results("results");
#pragma HLS stream variable=results depth=32
#pragma HLS bind_storage variable=results type=fifo impl=srl

  layers_tasks::w_load(w, weights);
  layers_tasks::x_load(x, others);
  layers_tasks::task(others, weights, results, tokens);
  layers_tasks::store(results, y);
}

// The call through which a native run enters 'layers'.
#include "layers.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int layers_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    layers(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
           static_cast<const float *>(st_ports[1]), static_cast<float *>(st_ports[2]),
           st::scalar("tokens", st_ports[3], 1, 8));
  });
}
