// Design 'fifos': a dataflow region of 4 leaf tasks.
#include "fifos.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace fifos_tasks {

// load: 64 iterations, II 1
void load(const float *x, hls::stream<float> &short_1) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    short_1.write(x_word);
  }
}

// compute: 64 iterations, II 1
void first(hls::stream<float> &short_1, hls::stream<float> &stated) {
#pragma HLS inline off
first_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float short_1_token = short_1.read();
    stated.write(short_1_token);
  }
}

// compute: 64 iterations, II 1
void second(hls::stream<float> &stated, hls::stream<float> &later) {
#pragma HLS inline off
second_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float stated_token = stated.read();
    later.write(stated_token);
  }
}

// store: 64 iterations, II 1
void store(hls::stream<float> &later, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float later_token = later.read();
    y[i0] = later_token;
  }
}

} // namespace fifos_tasks

extern "C" void fifos(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> short_1("short_1");
#pragma HLS stream variable=short_1 depth=2
#pragma HLS bind_storage variable=short_1 type=fifo impl=srl
  hls::stream<float> stated("stated");
#pragma HLS stream variable=stated depth=2
#pragma HLS bind_storage variable=stated type=fifo impl=srl
  hls::stream<float> later("later");
#pragma HLS stream variable=later depth=2
#pragma HLS bind_storage variable=later type=fifo impl=srl

  fifos_tasks::load(x, short_1);
  fifos_tasks::first(short_1, stated);
  fifos_tasks::second(stated, later);
  fifos_tasks::store(later, y);
}

// The call through which a native run enters 'fifos'.
#include "fifos.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int fifos_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    fifos(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
