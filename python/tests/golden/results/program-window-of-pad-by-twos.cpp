// Design 'accelerator': a dataflow region of 5 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 7 iterations, II 1
void arg0_load(const double *arg0, hls::stream<double> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 7; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const double arg0_word = arg0[i0];
    arg0_fifo.write(arg0_word);
  }
}

// pad: 9 iterations, II 1
void t_pad(hls::stream<double> &arg0_fifo, hls::stream<double> &t_fifo) {
#pragma HLS inline off
  double arg0_fifo_token;
t_pad_i0:
  for (int i0 = 0; i0 < 9; ++i0) {
#pragma HLS pipeline II=1 style=flp
    if (i0 >= 1 && i0 <= 7) {
      arg0_fifo_token = arg0_fifo.read();
    }
    t_fifo.write((i0 >= 1 && i0 <= 7) ? arg0_fifo_token : 0.0);
  }
}

// load: 1 iterations, II 1
void arg1_load(const double *arg1, hls::stream<double> &arg1_fifo) {
#pragma HLS inline off
  const double arg1_word = arg1[0];
  arg1_fifo.write(arg1_word);
}

// compute: 14 iterations, II 1 in fill, then II 1 in core
void op(hls::stream<double> &t_fifo, hls::stream<double> &arg1_fifo, hls::stream<double> &op_fifo) {
#pragma HLS inline off
  double local[1][9];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=20 dependent=true
  double arg1_fifo_token;
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 9; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const double t_fifo_token = t_fifo.read();
    local[0][fill_i0] = t_fifo_token;
  }
op_core_i0:
  for (int core_i0 = 0; core_i0 < 5; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    if (core_i0 == 0) {
      arg1_fifo_token = arg1_fifo.read();
    }
    const double product = local[0][core_i0 * 2] * arg1_fifo_token;
#pragma HLS bind_op variable=product op=dmul impl=maxdsp latency=6
    const double sum = product + 0.0;
#pragma HLS bind_op variable=sum op=dadd impl=fulldsp latency=12
    op_fifo.write(sum);
  }
}

// store: 5 iterations, II 1
void result0_store(hls::stream<double> &op_fifo, double *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 5; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const double op_fifo_token = op_fifo.read();
    result0[i0] = op_fifo_token;
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const double *arg0, const double *arg1, double *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=7 max_read_burst_length=8 num_read_outstanding=8
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=5 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<double> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<double> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl
  hls::stream<double> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<double> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::t_pad(arg0_fifo, t_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(t_fifo, arg1_fifo, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const double *>(st_ports[0]), static_cast<const double *>(st_ports[1]),
                static_cast<double *>(st_ports[2]));
  });
}
