// Design 'around': a dataflow region of 2 leaf tasks.
#include "around.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace around_tasks {

// fork: 1024 iterations, II 1
void fork(const float *x, hls::stream<float> &direct, hls::stream<float> &end) {
#pragma HLS inline off
fork_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
fork_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 16 + i1];
      direct.write(x_word);
      if (i1 == 15) {
        end.write(x_word);
      }
    }
  }
}

// compute: 1024 iterations, II 1
void join(hls::stream<float> &end, hls::stream<float> &direct, float *y) {
#pragma HLS inline off
  float end_token;
join_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
join_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i1 == 0) {
        end_token = end.read();
      }
      const float direct_token = direct.read();
      const float sum = direct_token + end_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      y[i0 * 16 + i1] = sum;
    }
  }
}

} // namespace around_tasks

extern "C" void around(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1024 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=1024 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> direct("direct");
#pragma HLS stream variable=direct depth=17
#pragma HLS bind_storage variable=direct type=fifo impl=srl
  hls::stream<float> end("end");
#pragma HLS stream variable=end depth=2
#pragma HLS bind_storage variable=end type=fifo impl=srl

  around_tasks::fork(x, direct, end);
  around_tasks::join(end, direct, y);
}

// The call through which a native run enters 'around'.
#include "around.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int around_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    around(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
