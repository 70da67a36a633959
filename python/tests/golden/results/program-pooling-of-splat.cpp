// Design 'accelerator': a dataflow region of 2 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// compute: 12 iterations, II 1 in core, then II 1 in drain
void op(hls::stream<hls::vector<double, 3>> &op_fifo) {
#pragma HLS inline off
  double local[1][3][3];
#pragma HLS array_partition variable=local type=complete dim=3
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
op_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
op_core_i1:
    for (int core_i1 = 0; core_i1 < 3; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<double, 1> largest;
      largest[0] = st::maximum(0.75, 0.75);
      local[0][core_i0][core_i1] = st::maximum(double(-INFINITY), largest[0]);
    }
  }
op_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 3; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<double, 3> local_value;
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      local_value[u2] = local[0][drain_i0][u2];
    }
    hls::vector<double, 3> op_fifo_token;
    for (int u0_1 = 0; u0_1 < 3; ++u0_1) {
#pragma HLS unroll
      op_fifo_token[u0_1] = local_value[u0_1];
    }
    op_fifo.write(op_fifo_token);
  }
}

// store: 3 iterations, II 1
void result0_store(hls::stream<hls::vector<double, 3>> &op_fifo, hls::vector<double, 4> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 3> op_fifo_token = op_fifo.read();
    hls::vector<double, 4> result0_word{};
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      result0_word[u2] = op_fifo_token[u2];
    }
    result0[i0] = result0_word;
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(hls::vector<double, 4> *result0) {
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=3 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<double, 3>> op_fifo("op_fifo");
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
    accelerator(static_cast<hls::vector<double, 4> *>(st_ports[0]));
  });
}
