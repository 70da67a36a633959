// Design 'around': a dataflow region of 2 leaf tasks.
#include "around.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace around_tasks {

// fork: 32768 iterations, II 8
void fork(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 128>> &direct,
          hls::stream<float> &end) {
#pragma HLS inline off
fork_i0:
  for (int i0 = 0; i0 < 32768; ++i0) {
#pragma HLS pipeline II=8 style=flp
    hls::vector<float, 16> x_word[8];
#pragma HLS array_partition variable=x_word type=complete dim=0
    for (int word = 0; word < 8; ++word) {
#pragma HLS unroll
      x_word[word] = x[i0 * 8 + word];
    }
    hls::vector<float, 128> x_value;
    for (int u1 = 0; u1 < 128; ++u1) {
#pragma HLS unroll
      x_value[u1] = x_word[u1 / 16][u1 % 16];
    }
    direct.write(x_value);
    if (i0 == 32767) {
      end.write(x_value[0]);
    }
  }
}

// compute: 32768 iterations, II 1
void join(hls::stream<float> &end, hls::stream<hls::vector<float, 128>> &direct, float *y) {
#pragma HLS inline off
  float end_token;
join_i0:
  for (int i0 = 0; i0 < 32768; ++i0) {
#pragma HLS pipeline II=1 style=flp
    if (i0 == 0) {
      end_token = end.read();
    }
    const hls::vector<float, 128> direct_token = direct.read();
    y[i0] = direct_token[0];
  }
}

} // namespace around_tasks

extern "C" void around(const hls::vector<float, 16> *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=262144 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32768 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 128>> direct("direct");
#pragma HLS stream variable=direct depth=32768
#pragma HLS bind_storage variable=direct type=fifo impl=uram
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
    around(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
           static_cast<float *>(st_ports[1]));
  });
}
