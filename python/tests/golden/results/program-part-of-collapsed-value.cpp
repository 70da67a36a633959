// Design 'accelerator': a dataflow region of 4 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 4 iterations, II 1
void arg0_load(const std::int32_t *arg0, hls::stream<std::int32_t> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
arg0_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg0_word = arg0[i0 * 2 + i1];
      arg0_fifo.write(arg0_word);
    }
  }
}

// compute: 4 iterations, II 1
void op(hls::stream<std::int32_t> &arg0_fifo, hls::stream<std::int32_t> &op_fifo) {
#pragma HLS inline off
op_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
op_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg0_fifo_token = arg0_fifo.read();
      op_fifo.write(arg0_fifo_token * arg0_fifo_token);
    }
  }
}

// chunk: 4 iterations, II 1
void t_chunk(hls::stream<std::int32_t> &op_fifo, hls::stream<std::int32_t> &t_fifo) {
#pragma HLS inline off
t_chunk_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t op_fifo_token = op_fifo.read();
    if (i0 >= 3) {
      t_fifo.write(op_fifo_token);
    }
  }
}

// store: 1 iterations, II 1
void result0_store(hls::stream<std::int32_t> &t_fifo, std::int32_t *result0) {
#pragma HLS inline off
  const std::int32_t t_fifo_token = t_fifo.read();
  result0[0] = t_fifo_token;
}

} // namespace accelerator_tasks

extern "C" void accelerator(const std::int32_t *arg0, std::int32_t *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<std::int32_t> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream<std::int32_t> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::op(arg0_fifo, op_fifo);
  accelerator_tasks::t_chunk(op_fifo, t_fifo);
  accelerator_tasks::result0_store(t_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const std::int32_t *>(st_ports[0]),
                static_cast<std::int32_t *>(st_ports[1]));
  });
}
