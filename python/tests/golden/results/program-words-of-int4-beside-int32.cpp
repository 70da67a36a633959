// Design 'accelerator': a dataflow region of 6 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 62 iterations, II 1
void arg0_load(const ap_int<4> *arg0, hls::stream<ap_int<4>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 31; ++i0) {
arg0_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const ap_int<4> arg0_value = arg0[i0 * 2 + i1];
      arg0_fifo.write(arg0_value);
    }
  }
}

// load: 2 iterations, II 1
void arg1_load(const hls::vector<std::uint8_t, 32> *arg1,
               hls::stream<hls::vector<ap_int<4>, 48>> &arg1_fifo) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::uint8_t, 32> arg1_word = arg1[i0];
    hls::vector<ap_int<4>, 48> arg1_value;
    for (int u2 = 0; u2 < 48; ++u2) {
#pragma HLS unroll
      arg1_value[u2] = ap_int<4>(arg1_word[u2 / 2] >> ((u2 % 2) * 4));
    }
    arg1_fifo.write(arg1_value);
  }
}

// compute: 2978 iterations, II 1 in fill, then II 1 in core
void op(hls::stream<hls::vector<ap_int<4>, 48>> &arg1_fifo, hls::stream<ap_int<4>> &arg0_fifo,
        hls::stream<std::int32_t> &op_fifo) {
#pragma HLS inline off
  std::int32_t local_0[31][48];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=bram latency=2
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=6 dependent=true
  ap_int<4> local_1[1][2][48];
#pragma HLS array_partition variable=local_1 type=complete dim=3
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=6 dependent=true
  ap_int<4> arg0_fifo_token;
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 2; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<ap_int<4>, 48> arg1_fifo_token = arg1_fifo.read();
    for (int u2 = 0; u2 < 48; ++u2) {
#pragma HLS unroll
      local_1[0][fill_i0][u2] = arg1_fifo_token[u2];
    }
  }
op_core_i0:
  for (int core_i0 = 0; core_i0 < 31; ++core_i0) {
op_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
op_core_i2:
      for (int core_i2 = 0; core_i2 < 48; ++core_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (core_i2 == 0) {
          arg0_fifo_token = arg0_fifo.read();
        }
        const std::int32_t product = std::int32_t(arg0_fifo_token) * std::int32_t(local_1[0][core_i1][core_i2]);
#pragma HLS bind_op variable=product op=mul impl=dsp latency=3
        const std::int32_t sum = ((core_i1 == 0) ? 0 : local_0[core_i0][core_i2]) + product;
        local_0[core_i0][core_i2] = sum;
        if (core_i1 == 1) {
          op_fifo.write(sum);
        }
      }
    }
  }
}

// load: 93 iterations, II 1
void arg2_load(const hls::vector<std::int32_t, 16> *arg2,
               hls::stream<hls::vector<std::int32_t, 16>> &arg2_fifo) {
#pragma HLS inline off
arg2_load_i0:
  for (int i0 = 0; i0 < 31; ++i0) {
arg2_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 16> arg2_word = arg2[i0 * 3 + i1];
      arg2_fifo.write(arg2_word);
    }
  }
}

// compute: 46221 iterations, II 1 in fill, then II 1 in core
void op_1(hls::stream<hls::vector<std::int32_t, 16>> &arg2_fifo, hls::stream<std::int32_t> &op_fifo,
          hls::stream<std::int32_t> &op_1_fifo) {
#pragma HLS inline off
  std::int32_t local_0[31][31];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=bram latency=2
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=8 dependent=true
  std::int32_t local_1[1][31][48];
#pragma HLS array_partition variable=local_1 type=cyclic factor=16 dim=3
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=8 dependent=true
  std::int32_t op_fifo_token;
op_1_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 31; ++fill_i0) {
op_1_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 3; ++fill_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 16> arg2_fifo_token = arg2_fifo.read();
      for (int u2 = 0; u2 < 16; ++u2) {
#pragma HLS unroll
        local_1[0][fill_i0][fill_i1 * 16 + u2] = arg2_fifo_token[u2];
      }
    }
  }
op_1_core_i0:
  for (int core_i0 = 0; core_i0 < 31; ++core_i0) {
op_1_core_i1:
    for (int core_i1 = 0; core_i1 < 48; ++core_i1) {
op_1_core_i2:
      for (int core_i2 = 0; core_i2 < 31; ++core_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (core_i2 == 0) {
          op_fifo_token = op_fifo.read();
        }
        const std::int32_t sum = ((core_i1 == 0) ? 0 : local_0[core_i0][core_i2]) + (op_fifo_token * local_1[0][core_i2][core_i1]);
        local_0[core_i0][core_i2] = sum;
        if (core_i1 == 47) {
          op_1_fifo.write(sum);
        }
      }
    }
  }
}

// store: 961 iterations, II 1
void result0_store(hls::stream<std::int32_t> &op_1_fifo, std::int32_t *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 31; ++i0) {
result0_store_i1:
    for (int i1 = 0; i1 < 31; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t op_1_fifo_token = op_1_fifo.read();
      result0[i0 * 31 + i1] = op_1_fifo_token;
    }
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const ap_int<4> *arg0, const hls::vector<std::int32_t, 16> *arg2,
                            const hls::vector<std::uint8_t, 32> *arg1, std::int32_t *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=62 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=93 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=961 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<ap_int<4>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=60
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<ap_int<4>, 48>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=1395
#pragma HLS bind_storage variable=op_fifo type=fifo impl=uram
  hls::stream<hls::vector<std::int32_t, 16>> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=2
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_1_fifo("op_1_fifo");
#pragma HLS stream variable=op_1_fifo depth=7
#pragma HLS bind_storage variable=op_1_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(arg1_fifo, arg0_fifo, op_fifo);
  accelerator_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_tasks::op_1(arg2_fifo, op_fifo, op_1_fifo);
  accelerator_tasks::result0_store(op_1_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const ap_int<4> *>(st_ports[0]),
                static_cast<const hls::vector<std::int32_t, 16> *>(st_ports[1]),
                static_cast<const hls::vector<std::uint8_t, 32> *>(st_ports[2]),
                static_cast<std::int32_t *>(st_ports[3]));
  });
}
