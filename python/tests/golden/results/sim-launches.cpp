// Design 'long': a dataflow region of 2 leaf tasks.
#include "long_1.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace long_1_tasks {

// load: 32 iterations, II 1
void load(const float *x, hls::stream<float> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    fifo.write(x_word);
  }
}

// store: 32 iterations, II 1
void store(hls::stream<float> &fifo, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 32; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float fifo_token = fifo.read();
    y[i0] = fifo_token;
  }
}

} // namespace long_1_tasks

extern "C" void long_1(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  long_1_tasks::load(x, fifo);
  long_1_tasks::store(fifo, y);
}

// The call through which a native run enters 'long'.
#include "long_1.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int long_1_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    long_1(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}

// Design 'short': a dataflow region of 2 leaf tasks.
#include "short_1.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace short_1_tasks {

// load: 16 iterations, II 1
void load(const float *x, hls::stream<float> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    fifo.write(x_word);
  }
}

// store: 16 iterations, II 1
void store(hls::stream<float> &fifo, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float fifo_token = fifo.read();
    y[i0] = fifo_token;
  }
}

} // namespace short_1_tasks

extern "C" void short_1(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=16 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=16 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  short_1_tasks::load(x, fifo);
  short_1_tasks::store(fifo, y);
}

// The call through which a native run enters 'short'.
#include "short_1.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int short_1_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    short_1(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
