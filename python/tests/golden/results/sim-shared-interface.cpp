// Design 'shared': a dataflow region of 2 leaf tasks.
#include "shared.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace shared_tasks {

// load: 8 iterations, II 2
void load(const float *x, const float *y, hls::stream<float> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=2 style=flp
      const float x_word = x[i0 * 8 + i1];
      const float y_word = y[i0 * 8 + i1];
      const float sum = x_word + y_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      fifo.write(sum);
    }
  }
}

// store: 8 iterations, II 1
void store(hls::stream<float> &fifo, float *z) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float fifo_token = fifo.read();
    z[i0] = fifo_token;
  }
}

} // namespace shared_tasks

extern "C" void shared(const float *x, const float *y, float *z) {
#pragma HLS interface mode=m_axi port=x bundle=g offset=slave depth=16 max_read_burst_length=256 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=g offset=slave depth=16 max_read_burst_length=256 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=g offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  shared_tasks::load(x, y, fifo);
  shared_tasks::store(fifo, z);
}

// The call through which a native run enters 'shared'.
#include "shared.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int shared_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    shared(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
           static_cast<float *>(st_ports[2]));
  });
}
