// Design 'accelerator': a dataflow region of 2 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// compute: 9 iterations, II 1
void op(hls::stream<double> &op_fifo) {
#pragma HLS inline off
op_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<double, 1> largest;
      largest[0] = st::maximum(0.75, 0.75);
      op_fifo.write(st::maximum(double(-INFINITY), largest[0]));
    }
  }
}

// store: 9 iterations, II 1
void result0_store(hls::stream<double> &op_fifo, double *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
result0_store_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double op_fifo_token = op_fifo.read();
      result0[i0 * 3 + i1] = op_fifo_token;
    }
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(double *result0) {
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=9 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<double> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::op(op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<double *>(st_ports[0]));
  });
}
