// Design 'part': a dataflow region of 2 leaf tasks.
#include "part.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace part_tasks {

// load: 160 iterations, II 1
void load(const hls::vector<float, 8> *x, hls::stream<hls::vector<float, 8>> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 160; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> x_word = x[i0 + 32];
    fifo.write(x_word);
  }
}

// store: 160 iterations, II 1
void store(hls::stream<hls::vector<float, 8>> &fifo, hls::vector<float, 8> *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 160; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 8> fifo_token = fifo.read();
    y[i0] = fifo_token;
  }
}

} // namespace part_tasks

extern "C" void part(const hls::vector<float, 8> *x, hls::vector<float, 8> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=256 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=160 max_write_burst_length=128 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 8>> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  part_tasks::load(x, fifo);
  part_tasks::store(fifo, y);
}

// The call through which a native run enters 'part'.
#include "part.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int part_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    part(static_cast<const hls::vector<float, 8> *>(st_ports[0]),
         static_cast<hls::vector<float, 8> *>(st_ports[1]));
  });
}
