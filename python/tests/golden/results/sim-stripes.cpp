// Design 'striped': a dataflow region of 2 leaf tasks.
#include "striped.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace striped_tasks {

// load: 128 iterations, II 1
void load(const hls::vector<float, 16> *x_s0, const hls::vector<float, 16> *x_s1,
          hls::stream<hls::vector<float, 32>> &fifo) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 16> x_s0_word[2];
#pragma HLS array_partition variable=x_s0_word type=complete dim=0
    x_s0_word[0] = x_s0[i0];
    x_s0_word[1] = x_s1[i0];
    hls::vector<float, 32> x_s0_value;
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      x_s0_value[u1] = x_s0_word[u1 / 16][u1 % 16];
    }
    fifo.write(x_s0_value);
  }
}

// store: 128 iterations, II 1
void store(hls::stream<hls::vector<float, 32>> &fifo, hls::vector<float, 16> *y_s0,
           hls::vector<float, 16> *y_s1) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 32> fifo_token = fifo.read();
    hls::vector<float, 16> y_s0_word[2]{};
#pragma HLS array_partition variable=y_s0_word type=complete dim=0
    for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
      y_s0_word[u1 / 16][u1 % 16] = fifo_token[u1];
    }
    y_s0[i0] = y_s0_word[0];
    y_s1[i0] = y_s0_word[1];
  }
}

} // namespace striped_tasks

extern "C" void striped(const hls::vector<float, 16> *x_s0, const hls::vector<float, 16> *x_s1,
                        hls::vector<float, 16> *y_s0, hls::vector<float, 16> *y_s1) {
#pragma HLS interface mode=m_axi port=x_s0 bundle=g offset=slave depth=128 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=x_s1 bundle=h offset=slave depth=128 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y_s0 bundle=k offset=slave depth=128 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=y_s1 bundle=l offset=slave depth=128 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x_s0 bundle=control
#pragma HLS interface mode=s_axilite port=x_s1 bundle=control
#pragma HLS interface mode=s_axilite port=y_s0 bundle=control
#pragma HLS interface mode=s_axilite port=y_s1 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> fifo("fifo");
#pragma HLS stream variable=fifo depth=2
#pragma HLS bind_storage variable=fifo type=fifo impl=srl

  striped_tasks::load(x_s0, x_s1, fifo);
  striped_tasks::store(fifo, y_s0, y_s1);
}

// The call through which a native run enters 'striped'.
#include "striped.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int striped_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    striped(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
            static_cast<const hls::vector<float, 16> *>(st_ports[1]),
            static_cast<hls::vector<float, 16> *>(st_ports[2]),
            static_cast<hls::vector<float, 16> *>(st_ports[3]));
  });
}
