// Design 'pieces': a dataflow region of 2 leaf tasks.
#include "pieces.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace pieces_tasks {

// load: 12 iterations, II 4
void load(const float *x, hls::stream<hls::vector<float, 4>> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
load_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=4 style=flp
        float x_value[2][2][1];
#pragma HLS array_partition variable=x_value type=complete dim=0
        for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
          for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
            x_value[u0][u1][0] = x[i0 * 24 + u0 * 12 + i1 * 6 + u1 * 3 + i2];
          }
        }
        hls::vector<float, 4> fifo_token;
        for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
          fifo_token[u0] = x_value[u0 / 2][u0 % 2][0];
        }
        fifo.write(fifo_token);
      }
    }
  }
}

// store: 12 iterations, II 1
void store(hls::stream<hls::vector<float, 4>> &fifo, hls::vector<float, 4> *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> fifo_token = fifo.read();
    y[i0] = fifo_token;
  }
}

} // namespace pieces_tasks

extern "C" void pieces(const float *x, hls::vector<float, 4> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=48 max_read_burst_length=256 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=12 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 4>> fifo("fifo");
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
           static_cast<hls::vector<float, 4> *>(st_ports[1]));
  });
}
