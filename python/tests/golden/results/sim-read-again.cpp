// Design 'read_again': a dataflow region of 2 leaf tasks.
#include "read_again.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace read_again_tasks {

// load: 48 iterations, II 1
void load(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 16>> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> x_word = x[i1];
      fifo.write(x_word);
    }
  }
}

// store: 48 iterations, II 1
void store(hls::stream<hls::vector<float, 16>> &fifo, hls::vector<float, 16> *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 16> fifo_token = fifo.read();
      y[i0 * 8 + i1] = fifo_token;
    }
  }
}

} // namespace read_again_tasks

extern "C" void read_again(const hls::vector<float, 16> *x, hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=48 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  read_again_tasks::load(x, fifo);
  read_again_tasks::store(fifo, y);
}

// The call through which a native run enters 'read_again'.
#include "read_again.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int read_again_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    read_again(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
               static_cast<hls::vector<float, 16> *>(st_ports[1]));
  });
}
