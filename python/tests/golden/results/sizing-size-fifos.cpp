// Design 'normalise': a dataflow region of 5 leaf tasks.
#include "normalise.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace normalise_tasks {

// load: 1024 iterations, II 1
void load(const float *x, hls::stream<float> &loaded) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 16 + i1];
      loaded.write(x_word);
    }
  }
}

// fork: 1024 iterations, II 1
void fork(hls::stream<float> &loaded, hls::stream<float> &direct, hls::stream<float> &around) {
#pragma HLS inline off
fork_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
fork_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float loaded_token = loaded.read();
      direct.write(loaded_token);
      around.write(loaded_token);
    }
  }
}

// compute: 1024 iterations, II 9
void sum_1(hls::stream<float> &around, hls::stream<float> &sum) {
#pragma HLS inline off
  float local[1];
sum_1_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
sum_1_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=9 style=flp
      const float around_token = around.read();
      const float sum_2 = ((i1 == 0) ? 0.0f : local[0]) + around_token;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
      local[0] = sum_2;
      if (i1 == 15) {
        sum.write(sum_2);
      }
    }
  }
}

// compute: 1024 iterations, II 1
void scale(hls::stream<float> &sum, hls::stream<float> &direct, hls::stream<float> &scaled) {
#pragma HLS inline off
  float sum_token;
scale_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
scale_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i1 == 0) {
        sum_token = sum.read();
      }
      const float direct_token = direct.read();
      const float quotient = direct_token / sum_token;
#pragma HLS bind_op variable=quotient op=fdiv impl=fabric latency=11
      scaled.write(quotient);
    }
  }
}

// store: 1024 iterations, II 1
void store(hls::stream<float> &scaled, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float scaled_token = scaled.read();
      y[i0 * 16 + i1] = scaled_token;
    }
  }
}

} // namespace normalise_tasks

extern "C" void normalise(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1024 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=1024 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> loaded("loaded");
#pragma HLS stream variable=loaded depth=2
#pragma HLS bind_storage variable=loaded type=fifo impl=srl
  hls::stream<float> direct("direct");
#pragma HLS stream variable=direct depth=22
#pragma HLS bind_storage variable=direct type=fifo impl=srl
  hls::stream<float> around("around");
#pragma HLS stream variable=around depth=11
#pragma HLS bind_storage variable=around type=fifo impl=srl
  hls::stream<float> sum("sum");
#pragma HLS stream variable=sum depth=2
#pragma HLS bind_storage variable=sum type=fifo impl=srl
  hls::stream<float> scaled("scaled");
#pragma HLS stream variable=scaled depth=2
#pragma HLS bind_storage variable=scaled type=fifo impl=srl

  normalise_tasks::load(x, loaded);
  normalise_tasks::fork(loaded, direct, around);
  normalise_tasks::sum_1(around, sum);
  normalise_tasks::scale(sum, direct, scaled);
  normalise_tasks::store(scaled, y);
}

// The call through which a native run enters 'normalise'.
#include "normalise.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int normalise_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    normalise(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
