// Design 'accelerator': a dataflow region of 3 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 1 iterations, II 1
void t_load(const hls::vector<float, 16> *t, hls::stream<hls::vector<float, 9>> &t_fifo) {
#pragma HLS inline off
  const hls::vector<float, 16> t_word = t[0];
  hls::vector<float, 9> t_value;
  for (int u1 = 0; u1 < 9; ++u1) {
#pragma HLS unroll
    t_value[u1] = t_word[u1];
  }
  t_fifo.write(t_value);
}

// compute: 1 iterations, II 1
void op(hls::stream<hls::vector<float, 9>> &t_fifo, hls::stream<float> &op_fifo) {
#pragma HLS inline off
  const hls::vector<float, 9> t_fifo_token = t_fifo.read();
  hls::vector<float, 4> sum;
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    const float lane_sum = t_fifo_token[u0] + t_fifo_token[u0 + 4];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
    sum[u0] = lane_sum;
  }
  hls::vector<float, 2> sum_1;
  for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
    const float lane_sum_1 = sum[u0] + sum[u0 + 2];
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
    sum_1[u0] = lane_sum_1;
  }
  hls::vector<float, 1> sum_2;
  const float lane_sum_2 = sum_1[0] + sum_1[1];
#pragma HLS bind_op variable=lane_sum_2 op=fadd impl=fulldsp latency=6
  sum_2[0] = lane_sum_2;
  const float sum_3 = sum_2[0] + t_fifo_token[8];
#pragma HLS bind_op variable=sum_3 op=fadd impl=fulldsp latency=6
  const float sum_4 = 0.25f + sum_3;
#pragma HLS bind_op variable=sum_4 op=fadd impl=fulldsp latency=6
  op_fifo.write(sum_4);
}

// store: 1 iterations, II 1
void result0_store(hls::stream<float> &op_fifo, float *result0) {
#pragma HLS inline off
  const float op_fifo_token = op_fifo.read();
  result0[0] = op_fifo_token;
}

} // namespace accelerator_tasks

extern "C" void accelerator(const hls::vector<float, 16> *t, float *result0) {
#pragma HLS interface mode=m_axi port=t bundle=gmem_t offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=t bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 9>> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl
  hls::stream<float> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::t_load(t, t_fifo);
  accelerator_tasks::op(t_fifo, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
                static_cast<float *>(st_ports[1]));
  });
}
