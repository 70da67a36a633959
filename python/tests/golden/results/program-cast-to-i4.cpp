// Design 'accelerator': a dataflow region of 3 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 2 iterations, II 1
void arg0_load(const hls::vector<float, 2> *arg0, hls::stream<hls::vector<float, 2>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 2> arg0_word = arg0[i0];
    arg0_fifo.write(arg0_word);
  }
}

// compute: 2 iterations, II 1
void op(hls::stream<hls::vector<float, 2>> &arg0_fifo,
        hls::stream<hls::vector<ap_int<4>, 2>> &op_fifo) {
#pragma HLS inline off
op_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 2> arg0_fifo_token = arg0_fifo.read();
    hls::vector<ap_int<4>, 2> fptosi;
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      fptosi[u0] = ap_int<4>(std::int32_t(arg0_fifo_token[u0]));
    }
    op_fifo.write(fptosi);
  }
}

// store: 2 iterations, II 1
void result0_store(hls::stream<hls::vector<ap_int<4>, 2>> &op_fifo,
                   hls::vector<std::uint8_t, 1> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<ap_int<4>, 2> op_fifo_token = op_fifo.read();
    hls::vector<std::uint8_t, 1> result0_word{};
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      result0_word[0] |= std::uint8_t(ap_uint<4>(op_fifo_token[u0])) << (u0 * 4);
    }
    result0[i0] = result0_word;
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const hls::vector<float, 2> *arg0,
                            hls::vector<std::uint8_t, 1> *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=2 max_write_burst_length=2 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 2>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<ap_int<4>, 2>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::op(arg0_fifo, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const hls::vector<float, 2> *>(st_ports[0]),
                static_cast<hls::vector<std::uint8_t, 1> *>(st_ports[1]));
  });
}
