// Design 'accelerator': a dataflow region of 7 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

using op_in1_block_block_t = ap_int<4>[2][48];

// load: 64 iterations, II 1
void arg0_load(const ap_int<4> *arg0, hls::stream<ap_int<4>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
arg0_load_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
arg0_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const ap_int<4> arg0_value = arg0[i0 * 16 + i1 * 2 + i2];
        arg0_fifo.write(arg0_value);
      }
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

// fill: 2 iterations, II 1
void op_in1_fill(hls::stream<hls::vector<ap_int<4>, 48>> &arg1_fifo,
                 hls::stream_of_blocks<op_in1_block_block_t, 1> &op_in1_block) {
#pragma HLS inline off
  hls::write_lock<op_in1_block_block_t> op_in1_block_block(op_in1_block);
op_in1_fill_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<ap_int<4>, 48> arg1_fifo_token = arg1_fifo.read();
    for (int u1 = 0; u1 < 48; ++u1) {
#pragma HLS unroll
      op_in1_block_block[i0][u1] = arg1_fifo_token[u1];
    }
  }
}

// compute: 3168 iterations, II 1 in core, then II 1 in drain
void op(hls::stream<ap_int<4>> &arg0_fifo,
        hls::stream_of_blocks<op_in1_block_block_t, 1> &op_in1_block,
        hls::stream<hls::vector<std::int32_t, 16>> &op_fifo) {
#pragma HLS inline off
  std::int32_t local_0[8][48];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=bram latency=2
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=6 dependent=true
  std::int32_t local_1[1][8][48];
#pragma HLS array_partition variable=local_1 type=cyclic factor=16 dim=3
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=2 dependent=true
  ap_int<4> arg0_fifo_token;
  hls::read_lock<op_in1_block_block_t> op_in1_block_block(op_in1_block);
op_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
op_core_i1:
    for (int core_i1 = 0; core_i1 < 8; ++core_i1) {
op_core_i2:
      for (int core_i2 = 0; core_i2 < 2; ++core_i2) {
op_core_i3:
        for (int core_i3 = 0; core_i3 < 48; ++core_i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          if (core_i3 == 0) {
            arg0_fifo_token = arg0_fifo.read();
          }
          const std::int32_t product = std::int32_t(arg0_fifo_token) * std::int32_t(op_in1_block_block[core_i2][core_i3]);
#pragma HLS bind_op variable=product op=mul impl=dsp latency=3
          const std::int32_t sum = ((core_i2 == 0) ? 0 : local_0[core_i1][core_i3]) + product;
          local_0[core_i1][core_i3] = sum;
          if (core_i2 == 1) {
            local_1[0][core_i1][core_i3] = sum;
          }
        }
      }
    }
op_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 8; ++drain_i1) {
op_drain_i2:
      for (int drain_i2 = 0; drain_i2 < 3; ++drain_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<std::int32_t, 16> local_1_value;
        for (int u2 = 0; u2 < 16; ++u2) {
#pragma HLS unroll
          local_1_value[u2] = local_1[0][drain_i1][drain_i2 * 16 + u2];
        }
        hls::vector<std::int32_t, 16> op_fifo_token;
        for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
          op_fifo_token[u0] = local_1_value[u0];
        }
        op_fifo.write(op_fifo_token);
      }
    }
  }
}

// load: 6144 iterations, II 1
void arg2_load(const std::int32_t *arg2, hls::stream<std::int32_t> &arg2_fifo) {
#pragma HLS inline off
arg2_load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
arg2_load_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
arg2_load_i2:
      for (int i2 = 0; i2 < 8; ++i2) {
arg2_load_i3:
        for (int i3 = 0; i3 < 48; ++i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          const std::int32_t arg2_word = arg2[i1 * 384 + i2 * 48 + i3];
          arg2_fifo.write(arg2_word);
        }
      }
    }
  }
}

// compute: 49376 iterations, II 1 in fill, then II 1 in core, then II 1 in drain
void op_1(hls::stream<hls::vector<std::int32_t, 16>> &op_fifo, hls::stream<std::int32_t> &arg2_fifo,
          hls::stream<hls::vector<std::int32_t, 8>> &op_1_fifo) {
#pragma HLS inline off
  std::int32_t local_0[8][8];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=8 dependent=true
  std::int32_t local_1[1][8][48];
#pragma HLS array_partition variable=local_1 type=cyclic factor=16 dim=3
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=8 dependent=true
  std::int32_t local_2[1][8][32];
#pragma HLS array_partition variable=local_2 type=cyclic factor=8 dim=3
#pragma HLS bind_storage variable=local_2 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_2 type=inter direction=RAW distance=2 dependent=true
  std::int32_t arg2_fifo_token;
op_1_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
op_1_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 8; ++fill_i1) {
op_1_fill_i2:
      for (int fill_i2 = 0; fill_i2 < 3; ++fill_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 16> op_fifo_token = op_fifo.read();
        for (int u2 = 0; u2 < 16; ++u2) {
#pragma HLS unroll
          local_1[0][fill_i1][fill_i2 * 16 + u2] = op_fifo_token[u2];
        }
      }
    }
op_1_core_i1:
    for (int core_i1 = 0; core_i1 < 4; ++core_i1) {
op_1_core_i2:
      for (int core_i2 = 0; core_i2 < 8; ++core_i2) {
op_1_core_i3:
        for (int core_i3 = 0; core_i3 < 48; ++core_i3) {
op_1_core_i4:
          for (int core_i4 = 0; core_i4 < 8; ++core_i4) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
            if (core_i4 == 0) {
              arg2_fifo_token = arg2_fifo.read();
            }
            const std::int32_t sum = ((core_i3 == 0) ? 0 : local_0[core_i4][core_i2]) + (local_1[0][core_i4][core_i3] * arg2_fifo_token);
            local_0[core_i4][core_i2] = sum;
            if (core_i3 == 47) {
              local_2[0][core_i4][core_i2 + core_i1 * 8] = sum;
            }
          }
        }
      }
    }
op_1_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 4; ++drain_i1) {
op_1_drain_i2:
      for (int drain_i2 = 0; drain_i2 < 8; ++drain_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<std::int32_t, 8> local_2_value;
        for (int u2_1 = 0; u2_1 < 8; ++u2_1) {
#pragma HLS unroll
          local_2_value[u2_1] = local_2[0][drain_i2][drain_i1 * 8 + u2_1];
        }
        hls::vector<std::int32_t, 8> op_1_fifo_token;
        for (int u0_1 = 0; u0_1 < 8; ++u0_1) {
#pragma HLS unroll
          op_1_fifo_token[u0_1] = local_2_value[u0_1];
        }
        op_1_fifo.write(op_1_fifo_token);
      }
    }
  }
}

// store: 128 iterations, II 1
void result0_store(hls::stream<hls::vector<std::int32_t, 8>> &op_1_fifo,
                   hls::vector<std::int32_t, 8> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
result0_store_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
result0_store_i2:
      for (int i2 = 0; i2 < 8; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 8> op_1_fifo_token = op_1_fifo.read();
        result0[i0 * 32 + i1 * 8 + i2] = op_1_fifo_token;
      }
    }
  }
}

} // namespace accelerator_tasks

using namespace accelerator_tasks;

extern "C" void accelerator(const ap_int<4> *arg0, const std::int32_t *arg2,
                            const hls::vector<std::uint8_t, 32> *arg1,
                            hls::vector<std::int32_t, 8> *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=1536 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=128 max_write_burst_length=128 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<ap_int<4>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=62
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<ap_int<4>, 48>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 16>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=72
#pragma HLS bind_storage variable=op_fifo type=fifo impl=lutram
  hls::stream_of_blocks<op_in1_block_block_t, 1> op_in1_block;
#pragma HLS array_partition variable=op_in1_block type=complete dim=2
#pragma HLS bind_storage variable=op_in1_block type=ram_2p impl=lutram
  hls::stream<std::int32_t> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=5462
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=uram
  hls::stream<hls::vector<std::int32_t, 8>> op_1_fifo("op_1_fifo");
#pragma HLS stream variable=op_1_fifo depth=2
#pragma HLS bind_storage variable=op_1_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op_in1_fill(arg1_fifo, op_in1_block);
  accelerator_tasks::op(arg0_fifo, op_in1_block, op_fifo);
  accelerator_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_tasks::op_1(op_fifo, arg2_fifo, op_1_fifo);
  accelerator_tasks::result0_store(op_1_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"op_in1_block"});
    accelerator(static_cast<const ap_int<4> *>(st_ports[0]),
                static_cast<const std::int32_t *>(st_ports[1]),
                static_cast<const hls::vector<std::uint8_t, 32> *>(st_ports[2]),
                static_cast<hls::vector<std::int32_t, 8> *>(st_ports[3]));
  });
}
