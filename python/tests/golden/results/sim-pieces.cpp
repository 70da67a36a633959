// Design 'pieces': a dataflow region of 2 leaf tasks.
#include "pieces.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace pieces_tasks {

// load: 6 iterations, II 2
void load(const float *x, hls::stream<hls::vector<float, 2>> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=2 style=flp
      hls::vector<float, 2> x_value;
      for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
        x_value[u0] = x[i0 * 6 + u0 * 3 + i1];
      }
      fifo.write(x_value);
    }
  }
}

// store: 6 iterations, II 1
void store(hls::stream<hls::vector<float, 2>> &fifo, hls::vector<float, 2> *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 2> fifo_token = fifo.read();
      y[i0 * 3 + i1] = fifo_token;
    }
  }
}

} // namespace pieces_tasks

extern "C" void pieces(const float *x, hls::vector<float, 2> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=12 max_read_burst_length=256 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=6 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 2>> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  pieces_tasks::load(x, fifo);
  pieces_tasks::store(fifo, y);
}

// The call through which a native run enters 'pieces'.
#include "pieces.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int pieces_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    pieces(static_cast<const float *>(st_ports[0]),
           static_cast<hls::vector<float, 2> *>(st_ports[1]));
  });
}
