// Design 'accelerator': a dataflow region of 3 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 1 iterations, II 1
void arg0_load(const float *arg0, hls::stream<float> &arg0_fifo) {
#pragma HLS inline off
  const float arg0_word = arg0[0];
  arg0_fifo.write(arg0_word);
}

// compute: 1 iterations, II 1
void op(hls::stream<float> &arg0_fifo, hls::stream<float> &op_fifo) {
#pragma HLS inline off
  const float arg0_fifo_token = arg0_fifo.read();
  const float root = st::sqrt(st::abs(arg0_fifo_token));
#pragma HLS bind_op variable=root op=fsqrt impl=fabric latency=11
  const float product = root * root;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
  const float product_1 = product * root;
#pragma HLS bind_op variable=product_1 op=fmul impl=maxdsp latency=3
  const float sum = product_1 + -1.25f;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
  const float product_2 = arg0_fifo_token * arg0_fifo_token;
#pragma HLS bind_op variable=product_2 op=fmul impl=maxdsp latency=3
  const float product_3 = sum * sum;
#pragma HLS bind_op variable=product_3 op=fmul impl=maxdsp latency=3
  const float sum_1 = product_3 + 1.0f;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
  const float reciprocal_root = st::rsqrt(sum_1);
#pragma HLS bind_op variable=reciprocal_root op=frsqrt impl=fulldsp latency=16
  const float sum_2 = st::abs(reciprocal_root) + 1.5f;
#pragma HLS bind_op variable=sum_2 op=fadd impl=fulldsp latency=6
  const float product_4 = product_2 * st::log10(sum_2);
#pragma HLS bind_op variable=product_4 op=fmul impl=maxdsp latency=3
  op_fifo.write(product_4);
}

// store: 1 iterations, II 1
void result0_store(hls::stream<float> &op_fifo, float *result0) {
#pragma HLS inline off
  const float op_fifo_token = op_fifo.read();
  result0[0] = op_fifo_token;
}

} // namespace accelerator_tasks

extern "C" void accelerator(const float *arg0, float *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<float> op_fifo("op_fifo");
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
    accelerator(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
