// Design 'accelerator': a dataflow region of 4 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 18 iterations, II 1
void arg0_load(const hls::vector<std::int8_t, 4> *arg0,
               hls::stream<hls::vector<std::int8_t, 3>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
arg0_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
arg0_load_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int8_t, 4> arg0_word = arg0[i0 * 9 + i1 * 3 + i2];
        hls::vector<std::int8_t, 3> arg0_value;
        for (int u6 = 0; u6 < 3; ++u6) {
#pragma HLS unroll
          arg0_value[u6] = arg0_word[u6];
        }
        arg0_fifo.write(arg0_value);
      }
    }
  }
}

// load: 3 iterations, II 1
void arg1_load(const hls::vector<std::int8_t, 4> *arg1,
               hls::stream<hls::vector<std::int8_t, 3>> &arg1_fifo) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 4> arg1_word = arg1[i0];
    hls::vector<std::int8_t, 3> arg1_value;
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      arg1_value[u2] = arg1_word[u2];
    }
    arg1_fifo.write(arg1_value);
  }
}

// compute: 51 iterations, II 1 in fill, then II 1 in fill_1, then II 1 in core, then II 1 in drain
void op(hls::stream<hls::vector<std::int8_t, 3>> &arg0_fifo,
        hls::stream<hls::vector<std::int8_t, 3>> &arg1_fifo,
        hls::stream<hls::vector<std::int32_t, 2>> &op_fifo) {
#pragma HLS inline off
  std::int8_t local_0[1][2][3][5][3];
#pragma HLS array_partition variable=local_0 type=complete dim=3
#pragma HLS array_partition variable=local_0 type=complete dim=5
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=8 dependent=true
  std::int8_t local_1[1][3][3];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS array_partition variable=local_1 type=complete dim=3
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=8 dependent=true
  ap_int<18> local_2[1][2][3][3][2];
#pragma HLS array_partition variable=local_2 type=complete dim=3
#pragma HLS array_partition variable=local_2 type=complete dim=5
#pragma HLS bind_storage variable=local_2 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_2 type=inter direction=RAW distance=2 dependent=true
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 2; ++fill_i0) {
op_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 3; ++fill_i1) {
op_fill_i2:
      for (int fill_i2 = 0; fill_i2 < 3; ++fill_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int8_t, 3> arg0_fifo_token = arg0_fifo.read();
        for (int u4 = 0; u4 < 3; ++u4) {
#pragma HLS unroll
          local_0[0][fill_i0][fill_i2][fill_i1 * 2][u4] = arg0_fifo_token[u4];
        }
      }
    }
  }
op_fill_1_i0:
  for (int fill_1_i0 = 0; fill_1_i0 < 3; ++fill_1_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 3> arg1_fifo_token = arg1_fifo.read();
    for (int u2_1 = 0; u2_1 < 3; ++u2_1) {
#pragma HLS unroll
      local_1[0][fill_1_i0][u2_1] = arg1_fifo_token[u2_1];
    }
  }
op_core_i0:
  for (int core_i0 = 0; core_i0 < 2; ++core_i0) {
op_core_i1:
    for (int core_i1 = 0; core_i1 < 3; ++core_i1) {
op_core_i2:
      for (int core_i2 = 0; core_i2 < 2; ++core_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<std::int8_t, 3> local_0_value;
        for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
          local_0_value[u2_2] = local_0[0][core_i0][u2_2][core_i1 * 2][core_i2 * 2];
        }
        std::int32_t product[3][3];
#pragma HLS array_partition variable=product type=complete dim=0
        for (int u0_2 = 0; u0_2 < 3; ++u0_2) {
#pragma HLS unroll
          for (int u1_2 = 0; u1_2 < 3; ++u1_2) {
#pragma HLS unroll
            const std::int32_t lane_product = std::int32_t(local_0_value[u0_2]) * std::int32_t(local_1[0][u1_2][u0_2]);
#pragma HLS bind_op variable=lane_product op=mul impl=dsp latency=3
            product[u0_2][u1_2] = lane_product;
          }
        }
        for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
          local_2[0][core_i0][u2_2][core_i1][core_i2] = ap_int<18>(0 + ((product[0][u2_2] + product[1][u2_2]) + product[2][u2_2]));
        }
      }
    }
  }
op_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 2; ++drain_i0) {
op_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 3; ++drain_i1) {
op_drain_i2:
      for (int drain_i2 = 0; drain_i2 < 3; ++drain_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<std::int32_t, 2> converted;
        for (int u4_2 = 0; u4_2 < 2; ++u4_2) {
#pragma HLS unroll
          converted[u4_2] = std::int32_t(local_2[0][drain_i0][drain_i2][drain_i1][u4_2]);
        }
        hls::vector<std::int32_t, 2> op_fifo_token;
        for (int u0_3 = 0; u0_3 < 2; ++u0_3) {
#pragma HLS unroll
          op_fifo_token[u0_3] = converted[u0_3];
        }
        op_fifo.write(op_fifo_token);
      }
    }
  }
}

// store: 18 iterations, II 1
void result0_store(hls::stream<hls::vector<std::int32_t, 2>> &op_fifo,
                   hls::vector<std::int32_t, 2> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
result0_store_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
result0_store_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> op_fifo_token = op_fifo.read();
        result0[i0 * 9 + i1 * 3 + i2] = op_fifo_token;
      }
    }
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const hls::vector<std::int8_t, 4> *arg0,
                            const hls::vector<std::int8_t, 4> *arg1,
                            hls::vector<std::int32_t, 2> *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=18 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=3 max_read_burst_length=4 num_read_outstanding=11
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=18 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<std::int8_t, 3>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int8_t, 3>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=3
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(arg0_fifo, arg1_fifo, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[0]),
                static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[1]),
                static_cast<hls::vector<std::int32_t, 2> *>(st_ports[2]));
  });
}
