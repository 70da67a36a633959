// Design 'thirds': a dataflow region of 3 leaf tasks.
#include "thirds.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace thirds_tasks {

// load: 81 iterations, II 1
void by_three(const hls::vector<float, 16> *x, hls::stream<float> &xs) {
#pragma HLS inline off
by_three_i0:
  for (int i0 = 0; i0 < 81; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> x_word = x[i0];
    if (i0 == 80) {
      xs.write(x_word[0]);
    }
  }
}

// load: 35 iterations, II 1
void by_five(const hls::vector<float, 16> *y, hls::stream<float> &ys) {
#pragma HLS inline off
by_five_i0:
  for (int i0 = 0; i0 < 35; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> y_word = y[i0];
    if (i0 == 34) {
      ys.write(y_word[0]);
    }
  }
}

// compute: 1 iterations, II 1
void take(hls::stream<float> &xs, hls::stream<float> &ys) {
#pragma HLS inline off
  const float xs_token = xs.read();
  const float ys_token = ys.read();
}

} // namespace thirds_tasks

extern "C" void thirds(const hls::vector<float, 16> *x, const hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=81 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=35 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> xs("xs");
#pragma HLS stream variable=xs depth=2
#pragma HLS bind_storage variable=xs type=fifo impl=srl
  hls::stream<float> ys("ys");
#pragma HLS stream variable=ys depth=2
#pragma HLS bind_storage variable=ys type=fifo impl=srl

  thirds_tasks::by_three(x, xs);
  thirds_tasks::by_five(y, ys);
  thirds_tasks::take(xs, ys);
}

// The call through which a native run enters 'thirds'.
#include "thirds.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int thirds_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    thirds(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
           static_cast<const hls::vector<float, 16> *>(st_ports[1]));
  });
}
