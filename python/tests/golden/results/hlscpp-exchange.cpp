// Design 'exchange': a dataflow region of 3 leaf tasks.
#include "exchange.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace exchange_tasks {

// load: 128 iterations, II 1
void x_load(const float *x, hls::stream<float> &x_fifo) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
x_load_i1:
    for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 32 + i1];
      x_fifo.write(x_word);
    }
  }
}

// compute: 128 iterations, II 1
void delay(hls::stream<float> &x_fifo, hls::stream<float> &y_fifo) {
#pragma HLS inline off
  float local[32];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
delay_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
delay_i1:
    for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_fifo_token = x_fifo.read();
      const float local_value = local[i1];
      local[i1] = x_fifo_token;
      y_fifo.write(local_value);
    }
  }
}

// store: 128 iterations, II 1
void y_store(hls::stream<float> &y_fifo, float *y) {
#pragma HLS inline off
y_store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
y_store_i1:
    for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float y_fifo_token = y_fifo.read();
      y[i0 * 32 + i1] = y_fifo_token;
    }
  }
}

} // namespace exchange_tasks

extern "C" void exchange(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=128 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=128 max_write_burst_length=128 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> x_fifo("x_fifo");
#pragma HLS stream variable=x_fifo depth=2
#pragma HLS bind_storage variable=x_fifo type=fifo impl=srl
  hls::stream<float> y_fifo("y_fifo");
#pragma HLS stream variable=y_fifo depth=2
#pragma HLS bind_storage variable=y_fifo type=fifo impl=srl

  exchange_tasks::x_load(x, x_fifo);
  exchange_tasks::delay(x_fifo, y_fifo);
  exchange_tasks::y_store(y_fifo, y);
}

// The call through which a native run enters 'exchange'.
#include "exchange.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int exchange_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    exchange(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
