// Design 'accelerator': a dataflow region of 6 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

using t_reorder_block_t = float[2][3][7];

// load: 21 iterations, II 1
void arg0_load(const hls::vector<float, 2> *arg0, hls::stream<hls::vector<float, 2>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg0_load_i1:
    for (int i1 = 0; i1 < 7; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 2> arg0_word = arg0[i0 * 7 + i1];
      arg0_fifo.write(arg0_word);
    }
  }
}

// convert_in: 21 iterations, II 1
void t_reorder_in(hls::stream<hls::vector<float, 2>> &arg0_fifo,
                  hls::stream_of_blocks<t_reorder_block_t, 1> &t_reorder) {
#pragma HLS inline off
  hls::write_lock<t_reorder_block_t> t_reorder_block(t_reorder);
t_reorder_in_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
t_reorder_in_i1:
    for (int i1 = 0; i1 < 7; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 2> arg0_fifo_token = arg0_fifo.read();
      for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
        t_reorder_block[u0][i0][i1] = arg0_fifo_token[u0];
      }
    }
  }
}

// convert_out: 6 iterations, II 1
void t_reorder_out(hls::stream_of_blocks<t_reorder_block_t, 1> &t_reorder,
                   hls::stream<hls::vector<float, 7>> &t_reordered_fifo) {
#pragma HLS inline off
  hls::read_lock<t_reorder_block_t> t_reorder_block(t_reorder);
t_reorder_out_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
t_reorder_out_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 7> t_reorder_block_value;
      for (int u2 = 0; u2 < 7; ++u2) {
#pragma HLS unroll
        t_reorder_block_value[u2] = t_reorder_block[i0][i1][u2];
      }
      t_reordered_fifo.write(t_reorder_block_value);
    }
  }
}

// load: 12 iterations, II 1
void arg1_load(const hls::vector<float, 4> *arg1, hls::stream<hls::vector<float, 3>> &arg1_fifo) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
arg1_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
arg1_load_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 4> arg1_word = arg1[i0 * 6 + i1 * 3 + i2];
        hls::vector<float, 3> arg1_value;
        for (int u4 = 0; u4 < 3; ++u4) {
#pragma HLS unroll
          arg1_value[u4] = arg1_word[u4];
        }
        arg1_fifo.write(arg1_value);
      }
    }
  }
}

// compute: 110 iterations, II 1 in fill, then II 1 in fill_1, then II 1 in core, then II 1 in drain
void op(hls::stream<hls::vector<float, 7>> &t_reordered_fifo,
        hls::stream<hls::vector<float, 3>> &arg1_fifo,
        hls::stream<hls::vector<float, 5>> &op_fifo) {
#pragma HLS inline off
  float local_0[2][5];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=10 dependent=true
  float local_1[1][2][3][7];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS array_partition variable=local_1 type=complete dim=4
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=17 dependent=true
  float local_2[1][2][2][3][3];
#pragma HLS array_partition variable=local_2 type=complete dim=3
#pragma HLS array_partition variable=local_2 type=complete dim=5
#pragma HLS bind_storage variable=local_2 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_2 type=inter direction=RAW distance=17 dependent=true
  float local_3[1][2][5];
#pragma HLS array_partition variable=local_3 type=complete dim=3
#pragma HLS bind_storage variable=local_3 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_3 type=inter direction=RAW distance=2 dependent=true
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 2; ++fill_i0) {
op_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 3; ++fill_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 7> t_reordered_fifo_token = t_reordered_fifo.read();
      for (int u3 = 0; u3 < 7; ++u3) {
#pragma HLS unroll
        local_1[0][fill_i0][fill_i1][u3] = t_reordered_fifo_token[u3];
      }
    }
  }
op_fill_1_i0:
  for (int fill_1_i0 = 0; fill_1_i0 < 2; ++fill_1_i0) {
op_fill_1_i1:
    for (int fill_1_i1 = 0; fill_1_i1 < 2; ++fill_1_i1) {
op_fill_1_i2:
      for (int fill_1_i2 = 0; fill_1_i2 < 3; ++fill_1_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<float, 3> arg1_fifo_token = arg1_fifo.read();
        for (int u4 = 0; u4 < 3; ++u4) {
#pragma HLS unroll
          local_2[0][fill_1_i0][fill_1_i1][fill_1_i2][u4] = arg1_fifo_token[u4];
        }
      }
    }
  }
op_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
op_core_i1:
    for (int core_i1 = 0; core_i1 < 3; ++core_i1) {
op_core_i2:
      for (int core_i2 = 0; core_i2 < 2; ++core_i2) {
op_core_i3:
        for (int core_i3 = 0; core_i3 < 5; ++core_i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          hls::vector<float, 2> product;
          for (int u0_2 = 0; u0_2 < 2; ++u0_2) {
#pragma HLS unroll
            const float lane_product = local_1[0][u0_2][core_i0][core_i1 + core_i3] * local_2[0][core_i2][u0_2][core_i0][core_i1];
#pragma HLS bind_op variable=lane_product op=fmul impl=maxdsp latency=3
            product[u0_2] = lane_product;
          }
          hls::vector<float, 1> sum;
          const float lane_sum = product[0] + product[1];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
          sum[0] = lane_sum;
          const float sum_1 = ((core_i0 == 0 && core_i1 == 0) ? 0.0f : local_0[core_i2][core_i3]) + sum[0];
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
          local_0[core_i2][core_i3] = sum_1;
          if (core_i0 == 2 && core_i1 == 2) {
            local_3[0][core_i2][core_i3] = sum_1;
          }
        }
      }
    }
  }
op_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 2; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<float, 5> local_3_value;
    for (int u2_3 = 0; u2_3 < 5; ++u2_3) {
#pragma HLS unroll
      local_3_value[u2_3] = local_3[0][drain_i0][u2_3];
    }
    hls::vector<float, 5> op_fifo_token;
    for (int u0_3 = 0; u0_3 < 5; ++u0_3) {
#pragma HLS unroll
      op_fifo_token[u0_3] = local_3_value[u0_3];
    }
    op_fifo.write(op_fifo_token);
  }
}

// store: 2 iterations, II 1
void result0_store(hls::stream<hls::vector<float, 5>> &op_fifo, hls::vector<float, 8> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 5> op_fifo_token = op_fifo.read();
    hls::vector<float, 8> result0_word{};
    for (int u2 = 0; u2 < 5; ++u2) {
#pragma HLS unroll
      result0_word[u2] = op_fifo_token[u2];
    }
    result0[i0] = result0_word;
  }
}

} // namespace accelerator_tasks

using namespace accelerator_tasks;

extern "C" void accelerator(const hls::vector<float, 2> *arg0, const hls::vector<float, 4> *arg1,
                            hls::vector<float, 8> *result0) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=21 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=12 max_read_burst_length=16 num_read_outstanding=6
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=2 max_write_burst_length=2 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 2>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream_of_blocks<t_reorder_block_t, 1> t_reorder;
#pragma HLS array_partition variable=t_reorder type=complete dim=1
#pragma HLS array_partition variable=t_reorder type=complete dim=3
#pragma HLS bind_storage variable=t_reorder type=ram_2p impl=lutram
  hls::stream<hls::vector<float, 7>> t_reordered_fifo("t_reordered_fifo");
#pragma HLS stream variable=t_reordered_fifo depth=2
#pragma HLS bind_storage variable=t_reordered_fifo type=fifo impl=srl
  hls::stream<hls::vector<float, 3>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=11
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=lutram
  hls::stream<hls::vector<float, 5>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::t_reorder_in(arg0_fifo, t_reorder);
  accelerator_tasks::t_reorder_out(t_reorder, t_reordered_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(t_reordered_fifo, arg1_fifo, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"t_reorder"});
    accelerator(static_cast<const hls::vector<float, 2> *>(st_ports[0]),
                static_cast<const hls::vector<float, 4> *>(st_ports[1]),
                static_cast<hls::vector<float, 8> *>(st_ports[2]));
  });
}
