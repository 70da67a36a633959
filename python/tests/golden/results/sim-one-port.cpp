// Design 'one_port': a dataflow region of 2 leaf tasks.
#include "one_port.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace one_port_tasks {

// load: 8 iterations, II 2
void load(const float *x, hls::stream<float> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const float x_word = x[i0];
    const float x_word_1 = x[i0 + 8];
    const float sum = x_word + x_word_1;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    fifo.write(sum);
  }
}

// store: 8 iterations, II 1
void store(hls::stream<float> &fifo, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float fifo_token = fifo.read();
    y[i0] = fifo_token;
  }
}

} // namespace one_port_tasks

extern "C" void one_port(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=16 max_read_burst_length=256 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  one_port_tasks::load(x, fifo);
  one_port_tasks::store(fifo, y);
}

// The call through which a native run enters 'one_port'.
#include "one_port.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int one_port_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    one_port(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
