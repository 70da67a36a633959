// Design 'accelerator_0': a dataflow region of 5 leaf tasks.
#include "accelerator_0.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_0_tasks {

using op_in0_block_block_t = std::int32_t[2][2];

// load: 2 iterations, II 1
void arg1_load(const hls::vector<std::int32_t, 2> *arg1,
               hls::stream<hls::vector<std::int32_t, 2>> &arg1_fifo) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 2> arg1_word = arg1[i0];
    arg1_fifo.write(arg1_word);
  }
}

// load: 8 iterations, II 1
void arg2_load(const hls::vector<std::int32_t, 16> *arg2,
               hls::stream<hls::vector<std::int32_t, 12>> &arg2_fifo) {
#pragma HLS inline off
arg2_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
arg2_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
arg2_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 16> arg2_word = arg2[i1 * 2 + i2];
        hls::vector<std::int32_t, 12> arg2_value;
        for (int u3 = 0; u3 < 12; ++u3) {
#pragma HLS unroll
          arg2_value[u3] = arg2_word[u3];
        }
        arg2_fifo.write(arg2_value);
      }
    }
  }
}

// fill: 2 iterations, II 1
void op_in0_fill(hls::stream<hls::vector<std::int32_t, 2>> &arg1_fifo,
                 hls::stream_of_blocks<op_in0_block_block_t, 1> &op_in0_block) {
#pragma HLS inline off
  hls::write_lock<op_in0_block_block_t> op_in0_block_block(op_in0_block);
op_in0_fill_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 2> arg1_fifo_token = arg1_fifo.read();
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      op_in0_block_block[i0][u1] = arg1_fifo_token[u1];
    }
  }
}

// compute: 10 iterations, II 1 in fill, core
void op(hls::stream<hls::vector<std::int32_t, 12>> &arg2_fifo,
        hls::stream_of_blocks<op_in0_block_block_t, 1> &op_in0_block,
        hls::stream<hls::vector<std::int32_t, 12>> &op_fifo) {
#pragma HLS inline off
  std::int32_t local[2][2][24];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS array_partition variable=local type=cyclic factor=12 dim=3
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
#pragma HLS dependence variable=local type=intra dependent=false
  hls::read_lock<op_in0_block_block_t> op_in0_block_block(op_in0_block);
  int step = 0, turn = 0;
  int fill_i0 = 0, fill_i1 = 0, fill_i2 = 0;
  int core_i0 = 0, core_i1 = 0;
op_steps:
  for (int iteration = 0; iteration < 10; ++iteration) {
#pragma HLS pipeline II=1 style=flp
    if (step < 2 && turn < 4) {
      const hls::vector<std::int32_t, 12> arg2_fifo_token = arg2_fifo.read();
      for (int u2 = 0; u2 < 12; ++u2) {
#pragma HLS unroll
        local[fill_i0][fill_i2][fill_i1 * 12 + u2] = arg2_fifo_token[u2];
      }
      if (++fill_i2 == 2) {
        fill_i2 = 0;
        if (++fill_i1 == 2) {
          fill_i1 = 0;
          ++fill_i0;
        }
      }
    }
    if (step >= 1 && turn < 2) {
      hls::vector<std::int32_t, 2> op_in0_block_block_value;
      for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
        op_in0_block_block_value[u1_1] = op_in0_block_block[core_i0][u1_1];
      }
      std::int32_t product[2][12];
#pragma HLS array_partition variable=product type=complete dim=0
      for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
        for (int u1_1 = 0; u1_1 < 12; ++u1_1) {
#pragma HLS unroll
          product[u0_1][u1_1] = op_in0_block_block_value[u0_1] * local[core_i0][u0_1][core_i1 * 12 + u1_1];
        }
      }
      hls::vector<std::int32_t, 12> sum;
      for (int u0_1 = 0; u0_1 < 12; ++u0_1) {
#pragma HLS unroll
        sum[u0_1] = 0 + (product[0][u0_1] + product[1][u0_1]);
      }
      hls::vector<std::int32_t, 12> op_fifo_token;
      for (int u0_1 = 0; u0_1 < 12; ++u0_1) {
#pragma HLS unroll
        op_fifo_token[u0_1] = sum[u0_1];
      }
      op_fifo.write(op_fifo_token);
      if (++core_i1 == 2) {
        core_i1 = 0;
        ++core_i0;
      }
    }
    if ((step < 2 && turn + 1 < 4) || (step >= 1 && turn + 1 < 2)) {
      ++turn;
    } else {
      turn = 0;
      ++step;
    }
  }
}

// store: 4 iterations, II 1
void result1_store(hls::stream<hls::vector<std::int32_t, 12>> &op_fifo,
                   hls::vector<std::int32_t, 16> *result1) {
#pragma HLS inline off
result1_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
result1_store_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 12> op_fifo_token = op_fifo.read();
      hls::vector<std::int32_t, 16> result1_word{};
      for (int u4 = 0; u4 < 12; ++u4) {
#pragma HLS unroll
        result1_word[u4] = op_fifo_token[u4];
      }
      result1[i0 * 2 + i1] = result1_word;
    }
  }
}

} // namespace accelerator_0_tasks

using namespace accelerator_0_tasks;

extern "C" void accelerator_0(const hls::vector<std::int32_t, 2> *arg1,
                              const hls::vector<std::int32_t, 16> *arg2,
                              hls::vector<std::int32_t, 16> *result1) {
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=result1 bundle=gmem_result1 offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=result1 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<std::int32_t, 2>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 12>> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=4
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=lutram
  hls::stream<hls::vector<std::int32_t, 12>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream_of_blocks<op_in0_block_block_t, 1> op_in0_block;
#pragma HLS array_partition variable=op_in0_block type=complete dim=2
#pragma HLS bind_storage variable=op_in0_block type=ram_2p impl=lutram

  accelerator_0_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_0_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_0_tasks::op_in0_fill(arg1_fifo, op_in0_block);
  accelerator_0_tasks::op(arg2_fifo, op_in0_block, op_fifo);
  accelerator_0_tasks::result1_store(op_fifo, result1);
}

// The call through which a native run enters 'accelerator_0'.
#include "accelerator_0.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_0_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"op_in0_block"});
    accelerator_0(static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[0]),
                  static_cast<const hls::vector<std::int32_t, 16> *>(st_ports[1]),
                  static_cast<hls::vector<std::int32_t, 16> *>(st_ports[2]));
  });
}

// Design 'accelerator_1': a dataflow region of 9 leaf tasks.
#include "accelerator_1.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_1_tasks {

// load: 8 iterations, II 1
void t_load(const hls::vector<std::int32_t, 16> *t,
            hls::stream<hls::vector<std::int32_t, 12>> &t_fifo) {
#pragma HLS inline off
t_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
t_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
t_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 16> t_word = t[i0 * 2 + i2];
        hls::vector<std::int32_t, 12> t_value;
        for (int u4 = 0; u4 < 12; ++u4) {
#pragma HLS unroll
          t_value[u4] = t_word[u4];
        }
        t_fifo.write(t_value);
      }
    }
  }
}

// load: 8 iterations, II 1
void t_1_load(const hls::vector<std::int32_t, 16> *t_1,
              hls::stream<hls::vector<std::int32_t, 12>> &t_1_fifo) {
#pragma HLS inline off
t_1_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
t_1_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
t_1_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 16> t_1_word = t_1[i1 * 2 + i2];
        hls::vector<std::int32_t, 12> t_1_value;
        for (int u4 = 0; u4 < 12; ++u4) {
#pragma HLS unroll
          t_1_value[u4] = t_1_word[u4];
        }
        t_1_fifo.write(t_1_value);
      }
    }
  }
}

// compute: 12 iterations, II 1 in core, then II 1 in drain
void op_1(hls::stream<hls::vector<std::int32_t, 12>> &t_fifo,
          hls::stream<hls::vector<std::int32_t, 12>> &t_1_fifo,
          hls::stream<std::int32_t> &op_1_fifo) {
#pragma HLS inline off
  std::int32_t local[1][2][2][2];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=3 dependent=true
op_1_core_i0:
  for (int core_i0 = 0; core_i0 < 2; ++core_i0) {
op_1_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
op_1_core_i2:
      for (int core_i2 = 0; core_i2 < 2; ++core_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 12> t_fifo_token = t_fifo.read();
        const hls::vector<std::int32_t, 12> t_1_fifo_token = t_1_fifo.read();
        hls::vector<std::int32_t, 12> product;
        for (int u0 = 0; u0 < 12; ++u0) {
#pragma HLS unroll
          product[u0] = t_fifo_token[u0] * t_1_fifo_token[u0];
        }
        hls::vector<std::int32_t, 6> sum;
        for (int u0 = 0; u0 < 6; ++u0) {
#pragma HLS unroll
          sum[u0] = product[u0] + product[u0 + 6];
        }
        hls::vector<std::int32_t, 3> sum_1;
        for (int u0 = 0; u0 < 3; ++u0) {
#pragma HLS unroll
          sum_1[u0] = sum[u0] + sum[u0 + 3];
        }
        hls::vector<std::int32_t, 1> sum_2;
        sum_2[0] = sum_1[0] + sum_1[1];
        local[0][core_i2][core_i0][core_i1] = 0 + (sum_2[0] + sum_1[2]);
      }
    }
  }
op_1_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 2; ++drain_i0) {
op_1_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 2; ++drain_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<std::int32_t, 2> local_value;
      for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
        local_value[u1] = local[0][u1][drain_i0][drain_i1];
      }
      hls::vector<std::int32_t, 1> sum_3;
      sum_3[0] = local_value[0] + local_value[1];
      op_1_fifo.write(sum_3[0]);
    }
  }
}

// load: 2 iterations, II 1
void arg4_load(const std::int32_t *arg4, hls::stream<std::int32_t> &arg4_fifo) {
#pragma HLS inline off
arg4_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t arg4_word = arg4[i0];
    arg4_fifo.write(arg4_word);
  }
}

// compute: 2 iterations, II 1
void op_2(hls::stream<std::int32_t> &arg4_fifo, const float *arg3, hls::stream<float> &op_2_fifo) {
#pragma HLS inline off
op_2_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t arg4_fifo_token = arg4_fifo.read();
    const int converted = int(arg4_fifo_token);
    const float arg3_word = arg3[st::clamp_row(converted, 24) + 0];
    op_2_fifo.write(arg3_word);
  }
}

// store: 4 iterations, II 1
void result1_store(hls::stream<std::int32_t> &op_1_fifo, std::int32_t *result1) {
#pragma HLS inline off
result1_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
result1_store_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t op_1_fifo_token = op_1_fifo.read();
      result1[i0 * 2 + i1] = op_1_fifo_token;
    }
  }
}

// load: 1 iterations, II 1
void arg1_load(const hls::vector<std::int32_t, 2> *arg1,
               hls::stream<hls::vector<std::int32_t, 2>> &arg1_fifo) {
#pragma HLS inline off
  const hls::vector<std::int32_t, 2> arg1_word = arg1[1];
  arg1_fifo.write(arg1_word);
}

// store: 1 iterations, II 1
void result2_store(hls::stream<hls::vector<std::int32_t, 2>> &arg1_fifo,
                   hls::vector<std::int32_t, 2> *result2) {
#pragma HLS inline off
  const hls::vector<std::int32_t, 2> arg1_fifo_token = arg1_fifo.read();
  result2[0] = arg1_fifo_token;
}

// store: 2 iterations, II 1
void result3_store(hls::stream<float> &op_2_fifo, float *result3) {
#pragma HLS inline off
result3_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float op_2_fifo_token = op_2_fifo.read();
    result3[i0] = op_2_fifo_token;
  }
}

} // namespace accelerator_1_tasks

extern "C" void accelerator_1(const float *arg3, const std::int32_t *arg4,
                              const hls::vector<std::int32_t, 2> *arg1,
                              const hls::vector<std::int32_t, 16> *t,
                              const hls::vector<std::int32_t, 16> *t_1, std::int32_t *result1,
                              hls::vector<std::int32_t, 2> *result2, float *result3) {
#pragma HLS interface mode=m_axi port=arg3 bundle=gmem_arg3 offset=slave depth=24 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=arg4 bundle=gmem_arg4 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=t bundle=gmem_t offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=t_1 bundle=gmem_t_1 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=result1 bundle=gmem_result1 offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result2 bundle=gmem_result2 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result3 bundle=gmem_result3 offset=slave depth=2 max_write_burst_length=2 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg3 bundle=control
#pragma HLS interface mode=s_axilite port=arg4 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=t bundle=control
#pragma HLS interface mode=s_axilite port=t_1 bundle=control
#pragma HLS interface mode=s_axilite port=result1 bundle=control
#pragma HLS interface mode=s_axilite port=result2 bundle=control
#pragma HLS interface mode=s_axilite port=result3 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<std::int32_t, 12>> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 12>> t_1_fifo("t_1_fifo");
#pragma HLS stream variable=t_1_fifo depth=2
#pragma HLS bind_storage variable=t_1_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_1_fifo("op_1_fifo");
#pragma HLS stream variable=op_1_fifo depth=2
#pragma HLS bind_storage variable=op_1_fifo type=fifo impl=srl
  hls::stream<std::int32_t> arg4_fifo("arg4_fifo");
#pragma HLS stream variable=arg4_fifo depth=2
#pragma HLS bind_storage variable=arg4_fifo type=fifo impl=srl
  hls::stream<float> op_2_fifo("op_2_fifo");
#pragma HLS stream variable=op_2_fifo depth=2
#pragma HLS bind_storage variable=op_2_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl

  accelerator_1_tasks::t_load(t, t_fifo);
  accelerator_1_tasks::t_1_load(t_1, t_1_fifo);
  accelerator_1_tasks::op_1(t_fifo, t_1_fifo, op_1_fifo);
  accelerator_1_tasks::arg4_load(arg4, arg4_fifo);
  accelerator_1_tasks::op_2(arg4_fifo, arg3, op_2_fifo);
  accelerator_1_tasks::result1_store(op_1_fifo, result1);
  accelerator_1_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_1_tasks::result2_store(arg1_fifo, result2);
  accelerator_1_tasks::result3_store(op_2_fifo, result3);
}

// The call through which a native run enters 'accelerator_1'.
#include "accelerator_1.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_1_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator_1(static_cast<const float *>(st_ports[0]),
                  static_cast<const std::int32_t *>(st_ports[1]),
                  static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[2]),
                  static_cast<const hls::vector<std::int32_t, 16> *>(st_ports[3]),
                  static_cast<const hls::vector<std::int32_t, 16> *>(st_ports[4]),
                  static_cast<std::int32_t *>(st_ports[5]),
                  static_cast<hls::vector<std::int32_t, 2> *>(st_ports[6]),
                  static_cast<float *>(st_ports[7]));
  });
}
