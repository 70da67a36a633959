// Design 'rotary': a dataflow region of 4 leaf tasks.
#include "rotary.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace rotary_tasks {

// pad: 48 iterations, II 1
void make(hls::stream<float> &x) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
make_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      x.write(1.0f);
    }
  }
}

// chunk: 48 iterations, II 1
void chunk(hls::stream<float> &x, hls::stream<float> &low, hls::stream<float> &high) {
#pragma HLS inline off
chunk_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
chunk_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_token = x.read();
      if (i1 <= 3) {
        low.write(x_token);
      }
      if (i1 >= 4) {
        high.write(x_token);
      }
    }
  }
}

// concat: 48 iterations, II 1
void rotate(hls::stream<float> &high, hls::stream<float> &low, hls::stream<float> &y) {
#pragma HLS inline off
  float high_token;
  float low_token;
rotate_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
rotate_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
rotate_i2:
      for (int i2 = 0; i2 < 4; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (i1 == 0) {
          high_token = high.read();
        }
        if (i1 == 1) {
          low_token = low.read();
        }
        if (i1 == 0) {
          y.write(high_token);
        }
        if (i1 == 1) {
          y.write(low_token);
        }
      }
    }
  }
}

// compute: 48 iterations, II 1
void take(hls::stream<float> &y) {
#pragma HLS inline off
take_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
take_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float y_token = y.read();
    }
  }
}

} // namespace rotary_tasks

extern "C" void rotary() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> x("x");
#pragma HLS stream variable=x depth=2
#pragma HLS bind_storage variable=x type=fifo impl=srl
  hls::stream<float> low("low");
#pragma HLS stream variable=low depth=6
#pragma HLS bind_storage variable=low type=fifo impl=srl
  hls::stream<float> high("high");
#pragma HLS stream variable=high depth=2
#pragma HLS bind_storage variable=high type=fifo impl=srl
  hls::stream<float> y("y");
#pragma HLS stream variable=y depth=2
#pragma HLS bind_storage variable=y type=fifo impl=srl

  rotary_tasks::make(x);
  rotary_tasks::chunk(x, low, high);
  rotary_tasks::rotate(high, low, y);
  rotary_tasks::take(y);
}

// The call through which a native run enters 'rotary'.
#include "rotary.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int rotary_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    rotary();
  });
}
