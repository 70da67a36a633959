// Design 'accelerator': a dataflow region of 7 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 1 iterations, II 1
void arg0_load(const std::int64_t *arg0, hls::stream<std::int64_t> &arg0_fifo) {
#pragma HLS inline off
  const std::int64_t arg0_word = arg0[0];
  arg0_fifo.write(arg0_word);
}

// load: 1 iterations, II 1
void arg1_load(const std::int64_t *arg1, hls::stream<std::int64_t> &arg1_fifo) {
#pragma HLS inline off
  const std::int64_t arg1_word = arg1[0];
  arg1_fifo.write(arg1_word);
}

// compute: 1 iterations, II 1
void op(hls::stream<std::int64_t> &arg0_fifo, hls::stream<std::int64_t> &arg1_fifo,
        hls::stream<std::int64_t> &op_fifo) {
#pragma HLS inline off
  const std::int64_t arg0_fifo_token = arg0_fifo.read();
  const std::int64_t arg1_fifo_token = arg1_fifo.read();
  op_fifo.write(st::floor_div<std::int64_t>(arg0_fifo_token, (arg1_fifo_token & 3LL) + 1LL));
}

// load: 1 iterations, II 1
void arg3_load(const std::int64_t *arg3, hls::stream<std::int64_t> &arg3_fifo) {
#pragma HLS inline off
  const std::int64_t arg3_word = arg3[0];
  arg3_fifo.write(arg3_word);
}

// load: 1 iterations, II 1
void arg2_load(const std::int64_t *arg2, hls::stream<std::int64_t> &arg2_fifo) {
#pragma HLS inline off
  const std::int64_t arg2_word = arg2[0];
  arg2_fifo.write(arg2_word);
}

// concat: 3 iterations, II 1
void t_concat(hls::stream<std::int64_t> &arg3_fifo, hls::stream<std::int64_t> &op_fifo,
              hls::stream<std::int64_t> &arg2_fifo, hls::stream<std::int64_t> &t_fifo) {
#pragma HLS inline off
  std::int64_t arg3_fifo_token;
  std::int64_t op_fifo_token;
  std::int64_t arg2_fifo_token;
t_concat_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    if (i0 <= 0) {
      arg3_fifo_token = arg3_fifo.read();
    }
    if (i0 <= 0) {
      t_fifo.write(arg3_fifo_token);
    }
    if (i0 >= 1 && i0 <= 1) {
      op_fifo_token = op_fifo.read();
    }
    if (i0 >= 1 && i0 <= 1) {
      t_fifo.write(op_fifo_token);
    }
    if (i0 >= 2) {
      arg2_fifo_token = arg2_fifo.read();
    }
    if (i0 >= 2) {
      t_fifo.write(arg2_fifo_token);
    }
  }
}

// store: 3 iterations, II 1
void result0_store(hls::stream<std::int64_t> &t_fifo, std::int64_t *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int64_t t_fifo_token = t_fifo.read();
    result0[i0] = t_fifo_token;
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const std::int64_t *arg0, const std::int64_t *arg1,
                            const std::int64_t *arg3, const std::int64_t *arg2,
                            std::int64_t *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=arg3 bundle=gmem_arg3 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=3 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=arg3 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<std::int64_t> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<std::int64_t> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<std::int64_t> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream<std::int64_t> arg3_fifo("arg3_fifo");
#pragma HLS stream variable=arg3_fifo depth=2
#pragma HLS bind_storage variable=arg3_fifo type=fifo impl=srl
  hls::stream<std::int64_t> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=2
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=srl
  hls::stream<std::int64_t> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(arg0_fifo, arg1_fifo, op_fifo);
  accelerator_tasks::arg3_load(arg3, arg3_fifo);
  accelerator_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_tasks::t_concat(arg3_fifo, op_fifo, arg2_fifo, t_fifo);
  accelerator_tasks::result0_store(t_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const std::int64_t *>(st_ports[0]),
                static_cast<const std::int64_t *>(st_ports[1]),
                static_cast<const std::int64_t *>(st_ports[2]),
                static_cast<const std::int64_t *>(st_ports[3]),
                static_cast<std::int64_t *>(st_ports[4]));
  });
}
