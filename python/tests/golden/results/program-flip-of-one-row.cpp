// Design 'accelerator': a dataflow region of 2 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// compute: 1 iterations, II 1
void op(const bool *arg0, hls::stream<bool> &op_fifo) {
#pragma HLS inline off
  const bool arg0_value = arg0[0];
  op_fifo.write(arg0_value);
}

// store: 1 iterations, II 1
void result0_store(hls::stream<bool> &op_fifo, bool *result0) {
#pragma HLS inline off
  const bool op_fifo_token = op_fifo.read();
  result0[0] = op_fifo_token;
}

} // namespace accelerator_tasks

extern "C" void accelerator(const bool *arg0, bool *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<bool> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::op(arg0, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const bool *>(st_ports[0]), static_cast<bool *>(st_ports[1]));
  });
}
