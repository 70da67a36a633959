// Design 'transpose': a dataflow region of 3 leaf tasks.
#include "transpose.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace transpose_tasks {

// load: 48 iterations, II 1
void load(const float *x, hls::stream<float> &a) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 48; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    a.write(x_word);
  }
}

// compute: 96 iterations, II 1 in fill, then II 1 in drain
void swap(hls::stream<float> &a, hls::stream<float> &c) {
#pragma HLS inline off
  float local[1][4][4];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
swap_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
swap_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 4; ++fill_i1) {
swap_fill_i2:
      for (int fill_i2 = 0; fill_i2 < 4; ++fill_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float a_token = a.read();
        local[0][fill_i1][fill_i2] = a_token;
      }
    }
swap_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 4; ++drain_i1) {
swap_drain_i2:
      for (int drain_i2 = 0; drain_i2 < 4; ++drain_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        c.write(local[0][drain_i2][drain_i1]);
      }
    }
  }
}

// store: 48 iterations, II 1
void store(hls::stream<float> &c, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 48; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float c_token = c.read();
    y[i0] = c_token;
  }
}

} // namespace transpose_tasks

extern "C" void transpose(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=48 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=48 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=20
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  transpose_tasks::load(x, a);
  transpose_tasks::swap(a, c);
  transpose_tasks::store(c, y);
}

// The call through which a native run enters 'transpose'.
#include "transpose.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int transpose_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    transpose(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
