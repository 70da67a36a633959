// Design 'frozen_writer': a dataflow region of 3 leaf tasks.
#include "frozen_writer.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace frozen_writer_tasks {

// pad: 8 iterations, II 1
void fork(hls::stream<float> &value, hls::stream<float> &square) {
#pragma HLS inline off
fork_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    value.write(3.0f);
    const float product = 3.0f * 3.0f;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    square.write(product);
  }
}

// compute: 8 iterations, II 1
void squares(hls::stream<float> &square) {
#pragma HLS inline off
squares_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float square_token = square.read();
    const float negated = -square_token;
  }
}

// compute: 56 iterations, II 1
void values(hls::stream<float> &value) {
#pragma HLS inline off
  float value_token;
values_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
values_i1:
    for (int i1 = 0; i1 < 7; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i1 == 0) {
        value_token = value.read();
      }
      const float negated = -value_token;
    }
  }
}

} // namespace frozen_writer_tasks

extern "C" void frozen_writer() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> value("value");
#pragma HLS stream variable=value depth=7
#pragma HLS bind_storage variable=value type=fifo impl=srl
  hls::stream<float> square("square");
#pragma HLS stream variable=square depth=2
#pragma HLS bind_storage variable=square type=fifo impl=srl

  frozen_writer_tasks::fork(value, square);
  frozen_writer_tasks::squares(square);
  frozen_writer_tasks::values(value);
}

// The call through which a native run enters 'frozen_writer'.
#include "frozen_writer.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int frozen_writer_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    frozen_writer();
  });
}
