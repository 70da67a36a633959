// Design 'ring': a dataflow region of 3 leaf tasks.
#include "ring.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace ring_tasks {

struct tuple_f32x4_i1 {
  hls::vector<float, 4> m0;
  bool m1;
};

// load: 8 iterations, II 1
void split(const hls::vector<float, 4> *x, hls::stream<tuple_f32x4_i1> &there,
           hls::stream<float> &beside) {
#pragma HLS inline off
split_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> x_word = x[i0];
    const bool holds = x_word[0] > 0.0f;
    const tuple_f32x4_i1 token = {x_word, holds};
    there.write(token);
    beside.write(x_word[0]);
  }
}

// compute: at most 8 iterations, II 1
void sum(hls::stream<tuple_f32x4_i1> &there, hls::stream<float> &back, int rows) {
#pragma HLS inline off
sum_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const tuple_f32x4_i1 there_token = there.read();
    back.write(there_token.m1 ? there_token.m0[3] : float(std::int32_t(rows)));
  }
}

// store: 8 iterations, II 1
void join(hls::stream<float> &beside, hls::stream<float> &back, float *y) {
#pragma HLS inline off
join_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float beside_token = beside.read();
    const float back_token = back.read();
    const float sum_1 = beside_token + back_token;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    y[i0] = sum_1;
  }
}

} // namespace ring_tasks

using namespace ring_tasks;

extern "C" void ring(const hls::vector<float, 4> *x, float *y, int rows) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=rows bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<tuple_f32x4_i1> there("there");
#pragma HLS stream variable=there depth=7
#pragma HLS bind_storage variable=there type=fifo impl=srl
  hls::stream<float> back("back");
#pragma HLS stream variable=back depth=8
#pragma HLS bind_storage variable=back type=fifo impl=srl
  hls::stream<float> beside("beside");
#pragma HLS stream variable=beside depth=8
#pragma HLS bind_storage variable=beside type=fifo impl=srl

  ring_tasks::split(x, there, beside);
  ring_tasks::sum(there, back, rows);
  ring_tasks::join(beside, back, y);
}

// The call through which a native run enters 'ring'.
#include "ring.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int ring_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    ring(static_cast<const hls::vector<float, 4> *>(st_ports[0]), static_cast<float *>(st_ports[1]),
         st::scalar("rows", st_ports[2], 1, 8));
  });
}
