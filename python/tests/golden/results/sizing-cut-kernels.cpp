// Design 'alone': a dataflow region of 2 leaf tasks.
#include "alone.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace alone_tasks {

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

} // namespace alone_tasks

extern "C" void alone(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=16 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=16 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  alone_tasks::load(x, fifo);
  alone_tasks::store(fifo, y);
}

// The call through which a native run enters 'alone'.
#include "alone.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int alone_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    alone(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}

// Design 'ring': a dataflow region of 3 leaf tasks.
#include "ring.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace ring_tasks {

// load: 512 iterations, II 1
void split(const float *x, hls::stream<float> &there, hls::stream<float> &beside) {
#pragma HLS inline off
split_i0:
  for (int i0 = 0; i0 < 512; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    there.write(x_word);
    beside.write(x_word);
  }
}

// compute: 512 iterations, II 1
void pass(hls::stream<float> &there, hls::stream<float> &back) {
#pragma HLS inline off
pass_i0:
  for (int i0 = 0; i0 < 512; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float there_token = there.read();
    back.write(there_token);
  }
}

// store: 512 iterations, II 1
void join(hls::stream<float> &beside, hls::stream<float> &back, float *y) {
#pragma HLS inline off
join_i0:
  for (int i0 = 0; i0 < 512; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float beside_token = beside.read();
    const float back_token = back.read();
    const float sum = beside_token + back_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    y[i0] = sum;
  }
}

} // namespace ring_tasks

extern "C" void ring(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=512 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=512 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> there("there");
#pragma HLS stream variable=there depth=2
#pragma HLS bind_storage variable=there type=fifo impl=srl
  hls::stream<float> back("back");
#pragma HLS stream variable=back depth=2
#pragma HLS bind_storage variable=back type=fifo impl=srl
  hls::stream<float> beside("beside");
#pragma HLS stream variable=beside depth=4
#pragma HLS bind_storage variable=beside type=fifo impl=srl

  ring_tasks::split(x, there, beside);
  ring_tasks::pass(there, back);
  ring_tasks::join(beside, back, y);
}

// The call through which a native run enters 'ring'.
#include "ring.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int ring_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    ring(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
