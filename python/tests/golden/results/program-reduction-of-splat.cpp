// Design 'accelerator': a dataflow region of 3 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 3 iterations, II 1
void t_load(const hls::vector<float, 4> *t, hls::stream<hls::vector<float, 3>> &t_fifo) {
#pragma HLS inline off
t_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 4> t_word = t[i0];
    hls::vector<float, 3> t_value;
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      t_value[u2] = t_word[u2];
    }
    t_fifo.write(t_value);
  }
}

// compute: 4 iterations, II 1 in core, then II 1 in drain
void op(hls::stream<hls::vector<float, 3>> &t_fifo, hls::stream<float> &op_fifo) {
#pragma HLS inline off
  float local[1][3];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=13 dependent=true
op_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 3> t_fifo_token = t_fifo.read();
    hls::vector<float, 1> sum;
    const float lane_sum = t_fifo_token[0] + t_fifo_token[1];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
    sum[0] = lane_sum;
    const float sum_1 = sum[0] + t_fifo_token[2];
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    const float sum_2 = ((core_i0 == 0) ? 0.25f : 0.0f) + sum_1;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
    local[0][core_i0] = sum_2;
  }
  hls::vector<float, 3> local_value;
  for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
    local_value[u1] = local[0][u1];
  }
  hls::vector<float, 1> sum_3;
  const float lane_sum_1 = local_value[0] + local_value[1];
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
  sum_3[0] = lane_sum_1;
  const float sum_4 = sum_3[0] + local_value[2];
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

extern "C" void accelerator(const hls::vector<float, 4> *t, float *result0) {
#pragma HLS interface mode=m_axi port=t bundle=gmem_t offset=slave depth=3 max_read_burst_length=4 num_read_outstanding=11
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=t bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 3>> t_fifo("t_fifo");
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
    accelerator(static_cast<const hls::vector<float, 4> *>(st_ports[0]),
                static_cast<float *>(st_ports[1]));
  });
}
