// Design 'accelerator': a dataflow region of 39 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

using op_6_result_block_t = std::int32_t[3][16];

// load: 32 iterations, II 1
void arg1_load(const double *arg1, hls::stream<double> &arg1_fifo) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
arg1_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double arg1_word = arg1[i0 * 2 + i1];
      arg1_fifo.write(arg1_word);
    }
  }
}

// compute: 33 iterations, II 1 in core, then II 1 in drain
void op(hls::stream<double> &arg1_fifo, hls::stream<double> &op_fifo) {
#pragma HLS inline off
  double local_0[3][2];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=4 dependent=true
  double local_1[1][3][2];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS array_partition variable=local_1 type=complete dim=3
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=7 dependent=true
  {
    int core_i0 = 0;
    int core_i0_mod_3 = 0;
    int core_i1 = 0;
op_iteration:
    for (int iteration = 0; iteration < 32; ++iteration) {
#pragma HLS pipeline II=1 style=flp
      const double arg1_fifo_token = arg1_fifo.read();
      const double smallest = st::minimum((core_i0 <= 2) ? double(INFINITY) : local_0[core_i0_mod_3][core_i1], arg1_fifo_token);
      local_0[core_i0_mod_3][core_i1] = smallest;
      if (core_i0 >= 13) {
        local_1[0][core_i0_mod_3][core_i1] = smallest;
      }
      if (++core_i1 == 2) {
        core_i1 = 0;
        if (++core_i0_mod_3 == 3) {
          core_i0_mod_3 = 0;
        }
        ++core_i0;
      }
    }
  }
  double local_1_value[1][3][2];
#pragma HLS array_partition variable=local_1_value type=complete dim=0
  for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
    for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
      local_1_value[0][u1][u2] = local_1[0][u1][u2];
    }
  }
  hls::vector<double, 2> smallest_1;
  for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
    smallest_1[u0] = st::minimum(st::minimum(local_1_value[0][0][u0], local_1_value[0][1][u0]), local_1_value[0][2][u0]);
  }
  hls::vector<double, 1> smallest_2;
  smallest_2[0] = st::minimum(smallest_1[0], smallest_1[1]);
  op_fifo.write(smallest_2[0]);
}

// fork: 1 iterations, II 1
void op_fork(hls::stream<double> &op_fifo, hls::stream<double> &op_fifo_1,
             hls::stream<double> &op_fifo_2) {
#pragma HLS inline off
  const double op_fifo_token = op_fifo.read();
  op_fifo_1.write(op_fifo_token);
  op_fifo_2.write(op_fifo_token);
}

// compute: 1 iterations, II 1
void op_1(hls::stream<double> &op_fifo_1, hls::stream<double> &op_1_fifo) {
#pragma HLS inline off
  const double op_fifo_1_token = op_fifo_1.read();
  op_1_fifo.write(-op_fifo_1_token);
}

// load: 5 iterations, II 1
void arg2_load(const hls::vector<std::int32_t, 4> *arg2,
               hls::stream<hls::vector<std::int32_t, 4>> &arg2_fifo) {
#pragma HLS inline off
arg2_load_i0:
  for (int i0 = 0; i0 < 5; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 4> arg2_word = arg2[i0];
    arg2_fifo.write(arg2_word);
  }
}

// compute: 14 iterations, II 1 in fill, then II 1 in core, then II 1 in drain
void op_2(hls::stream<hls::vector<std::int32_t, 4>> &arg2_fifo,
          hls::stream<hls::vector<std::int32_t, 16>> &op_2_fifo) {
#pragma HLS inline off
  std::int32_t local_0[4][4];
#pragma HLS array_partition variable=local_0 type=complete dim=2
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=3 dependent=true
  std::int32_t local_1[1][5][4];
#pragma HLS array_partition variable=local_1 type=complete dim=3
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=3 dependent=true
  std::int32_t local_2[1][4][4];
#pragma HLS array_partition variable=local_2 type=complete dim=2
#pragma HLS array_partition variable=local_2 type=complete dim=3
#pragma HLS dependence variable=local_2 type=inter direction=RAW distance=2 dependent=true
op_2_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 5; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 4> arg2_fifo_token = arg2_fifo.read();
    for (int u2 = 0; u2 < 4; ++u2) {
#pragma HLS unroll
      local_1[0][fill_i0][u2] = arg2_fifo_token[u2];
    }
  }
op_2_core_i0:
  for (int core_i0 = 0; core_i0 < 2; ++core_i0) {
op_2_core_i1:
    for (int core_i1 = 0; core_i1 < 4; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<std::int32_t, 4> smallest;
      for (int u0_1 = 0; u0_1 < 4; ++u0_1) {
#pragma HLS unroll
        smallest[u0_1] = ((core_i0 == 0) ? 2147483647 : local_0[core_i1][u0_1]) < local_1[0][core_i0 + core_i1][u0_1] ? ((core_i0 == 0) ? 2147483647 : local_0[core_i1][u0_1]) : local_1[0][core_i0 + core_i1][u0_1];
      }
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        local_0[core_i1][u1_1] = smallest[u1_1];
      }
      if (core_i0 == 1) {
        for (int u2_1 = 0; u2_1 < 4; ++u2_1) {
#pragma HLS unroll
          local_2[0][core_i1][u2_1] = smallest[u2_1];
        }
      }
    }
  }
  std::int32_t local_2_value[1][4][4];
#pragma HLS array_partition variable=local_2_value type=complete dim=0
  for (int u1_2 = 0; u1_2 < 4; ++u1_2) {
#pragma HLS unroll
    for (int u2_2 = 0; u2_2 < 4; ++u2_2) {
#pragma HLS unroll
      local_2_value[0][u1_2][u2_2] = local_2[0][u1_2][u2_2];
    }
  }
  hls::vector<std::int32_t, 16> op_2_fifo_token;
  for (int u0_2 = 0; u0_2 < 16; ++u0_2) {
#pragma HLS unroll
    op_2_fifo_token[u0_2] = local_2_value[0][u0_2 / 4][u0_2 % 4];
  }
  op_2_fifo.write(op_2_fifo_token);
}

// load: 15 iterations, II 1
void arg2_1_load(const hls::vector<std::int32_t, 2> *arg2_1,
                 hls::stream<hls::vector<std::int32_t, 2>> &arg2_1_fifo) {
#pragma HLS inline off
arg2_1_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg2_1_load_i1:
    for (int i1 = 0; i1 < 5; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 2> arg2_1_word = arg2_1[i0 * 5 + i1];
      arg2_1_fifo.write(arg2_1_word);
    }
  }
}

// load: 15 iterations, II 1
void arg3_load(const hls::vector<std::int32_t, 2> *arg3,
               hls::stream<hls::vector<std::int32_t, 2>> &arg3_fifo) {
#pragma HLS inline off
arg3_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg3_load_i1:
    for (int i1 = 0; i1 < 5; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 2> arg3_word = arg3[i0 * 5 + i1];
      arg3_fifo.write(arg3_word);
    }
  }
}

// compute: 45 iterations, II 1 in fill, then II 1 in fill_1, then II 1 in core, then II 1 in drain
void op_3(hls::stream<hls::vector<std::int32_t, 2>> &arg2_1_fifo,
          hls::stream<hls::vector<std::int32_t, 2>> &arg3_fifo,
          hls::stream<std::int32_t> &op_3_fifo) {
#pragma HLS inline off
  std::int32_t local_0[1][5][4];
#pragma HLS array_partition variable=local_0 type=complete dim=2
#pragma HLS array_partition variable=local_0 type=cyclic factor=2 dim=3
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=11 dependent=true
  std::int32_t local_1[1][3][5][2];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS array_partition variable=local_1 type=complete dim=3
#pragma HLS array_partition variable=local_1 type=complete dim=4
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=11 dependent=true
  std::int32_t local_2[1][2][3][3];
#pragma HLS array_partition variable=local_2 type=complete dim=2
#pragma HLS array_partition variable=local_2 type=complete dim=3
#pragma HLS bind_storage variable=local_2 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_2 type=inter direction=RAW distance=3 dependent=true
op_3_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 3; ++fill_i0) {
op_3_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 5; ++fill_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 2> arg2_1_fifo_token = arg2_1_fifo.read();
      for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
        local_0[0][fill_i1][fill_i0 + u2] = arg2_1_fifo_token[u2];
      }
    }
  }
op_3_fill_1_i0:
  for (int fill_1_i0 = 0; fill_1_i0 < 3; ++fill_1_i0) {
op_3_fill_1_i1:
    for (int fill_1_i1 = 0; fill_1_i1 < 5; ++fill_1_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 2> arg3_fifo_token = arg3_fifo.read();
      for (int u3 = 0; u3 < 2; ++u3) {
#pragma HLS unroll
        local_1[0][fill_1_i0][fill_1_i1][u3] = arg3_fifo_token[u3];
      }
    }
  }
op_3_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
op_3_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<std::int32_t, 5> local_0_value;
      for (int u1_2 = 0; u1_2 < 5; ++u1_2) {
#pragma HLS unroll
        local_0_value[u1_2] = local_0[0][u1_2][core_i0 + core_i1];
      }
      std::int32_t product[5][3];
#pragma HLS array_partition variable=product type=complete dim=0
      for (int u0_2 = 0; u0_2 < 5; ++u0_2) {
#pragma HLS unroll
        for (int u1_2 = 0; u1_2 < 3; ++u1_2) {
#pragma HLS unroll
          product[u0_2][u1_2] = local_0_value[u0_2] * local_1[0][u1_2][u0_2][core_i1];
        }
      }
      std::int32_t sum[2][3];
#pragma HLS array_partition variable=sum type=complete dim=0
      for (int u0_2 = 0; u0_2 < 2; ++u0_2) {
#pragma HLS unroll
        for (int u1_2 = 0; u1_2 < 3; ++u1_2) {
#pragma HLS unroll
          sum[u0_2][u1_2] = product[u0_2][u1_2] + product[u0_2 + 2][u1_2];
        }
      }
      for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
        local_2[0][core_i1][u2_2][core_i0] = 0 + ((sum[0][u2_2] + sum[1][u2_2]) + product[4][u2_2]);
      }
    }
  }
op_3_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 3; ++drain_i0) {
op_3_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 3; ++drain_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<std::int32_t, 2> local_2_value;
      for (int u1_3 = 0; u1_3 < 2; ++u1_3) {
#pragma HLS unroll
        local_2_value[u1_3] = local_2[0][u1_3][drain_i1][drain_i0];
      }
      hls::vector<std::int32_t, 1> sum_1;
      sum_1[0] = local_2_value[0] + local_2_value[1];
      op_3_fifo.write(sum_1[0]);
    }
  }
}

// load: 9 iterations, II 1
void arg4_load(const std::int32_t *arg4, hls::stream<std::int32_t> &arg4_fifo) {
#pragma HLS inline off
arg4_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg4_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg4_word = arg4[i0 * 3 + i1];
      arg4_fifo.write(arg4_word);
    }
  }
}

// compute: 9 iterations, II 1
void op_4(hls::stream<std::int32_t> &arg4_fifo, hls::stream<std::int32_t> &op_3_fifo,
          hls::stream<std::int32_t> &op_4_fifo) {
#pragma HLS inline off
op_4_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_4_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg4_fifo_token = arg4_fifo.read();
      const std::int32_t op_3_fifo_token = op_3_fifo.read();
      op_4_fifo.write(arg4_fifo_token + op_3_fifo_token);
    }
  }
}

// load: 9 iterations, II 1
void arg4_1_load(const std::int32_t *arg4_1, hls::stream<std::int32_t> &arg4_1_fifo) {
#pragma HLS inline off
arg4_1_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg4_1_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg4_1_word = arg4_1[i0 * 3 + i1];
      arg4_1_fifo.write(arg4_1_word);
    }
  }
}

// compute: 9 iterations, II 1
void op_5(hls::stream<std::int32_t> &op_4_fifo, hls::stream<std::int32_t> &arg4_1_fifo,
          hls::stream<std::int32_t> &op_5_fifo) {
#pragma HLS inline off
op_5_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_5_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t op_4_fifo_token = op_4_fifo.read();
      const std::int32_t arg4_1_fifo_token = arg4_1_fifo.read();
      op_5_fifo.write(op_4_fifo_token + arg4_1_fifo_token);
    }
  }
}

// fork: 9 iterations, II 1
void op_5_fork(hls::stream<std::int32_t> &op_5_fifo, hls::stream<std::int32_t> &op_5_fifo_1,
               hls::stream<std::int32_t> &op_5_fifo_2) {
#pragma HLS inline off
op_5_fork_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_5_fork_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t op_5_fifo_token = op_5_fifo.read();
      op_5_fifo_1.write(op_5_fifo_token);
      op_5_fifo_2.write(op_5_fifo_token);
    }
  }
}

// load: 12 iterations, II 1
void arg5_load(const hls::vector<std::int32_t, 4> *arg5,
               hls::stream<hls::vector<std::int32_t, 4>> &arg5_fifo) {
#pragma HLS inline off
arg5_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg5_load_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 4> arg5_word = arg5[i0 * 4 + i1];
      arg5_fifo.write(arg5_word);
    }
  }
}

// compute: 15 iterations, II 1 in fill, core
void op_6(hls::stream<std::int32_t> &op_5_fifo_1,
          hls::stream<hls::vector<std::int32_t, 4>> &arg5_fifo,
          hls::stream_of_blocks<op_6_result_block_t, 1> &op_6_result) {
#pragma HLS inline off
  std::int32_t local_0[3][16];
#pragma HLS array_partition variable=local_0 type=complete dim=1
#pragma HLS array_partition variable=local_0 type=cyclic factor=4 dim=2
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=4 dependent=true
  std::int32_t local_1[2][3][1];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=intra dependent=false
  hls::write_lock<op_6_result_block_t> op_6_result_block(op_6_result);
  int step = 0, turn = 0;
  int fill_i0 = 0, fill_i1 = 0;
  int core_i0 = 0, core_i1 = 0;
op_6_steps:
  for (int iteration = 0; iteration < 15; ++iteration) {
#pragma HLS pipeline II=1 style=flp
    if (step < 3 && turn < 3) {
      const std::int32_t op_5_fifo_1_token = op_5_fifo_1.read();
      local_1[fill_i0 % 2][fill_i1][0] = op_5_fifo_1_token;
      if (++fill_i1 == 3) {
        fill_i1 = 0;
        ++fill_i0;
      }
    }
    if (step >= 1 && turn < 4) {
      const hls::vector<std::int32_t, 4> arg5_fifo_token = arg5_fifo.read();
      hls::vector<std::int32_t, 3> local_1_value;
      for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
        local_1_value[u1] = local_1[core_i0 % 2][u1][0];
      }
      std::int32_t sum[3][4];
#pragma HLS array_partition variable=sum type=complete dim=0
      for (int u0 = 0; u0 < 3; ++u0) {
#pragma HLS unroll
        for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
          sum[u0][u1] = ((core_i0 == 0) ? 0 : local_0[u0][core_i1 * 4 + u1]) + (local_1_value[u0] * arg5_fifo_token[u1]);
          local_0[u0][core_i1 * 4 + u1] = sum[u0][u1];
        }
      }
      if (core_i0 == 2) {
        for (int u0 = 0; u0 < 3; ++u0) {
#pragma HLS unroll
          for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
            op_6_result_block[u0][core_i1 * 4 + u1] = sum[u0][u1];
          }
        }
      }
      if (++core_i1 == 4) {
        core_i1 = 0;
        ++core_i0;
      }
    }
    if ((step < 3 && turn + 1 < 3) || (step >= 1 && turn + 1 < 4)) {
      ++turn;
    } else {
      turn = 0;
      ++step;
    }
  }
}

// drain: 12 iterations, II 1
void op_6_drain(hls::stream_of_blocks<op_6_result_block_t, 1> &op_6_result,
                hls::stream<hls::vector<std::int32_t, 4>> &op_6_fifo) {
#pragma HLS inline off
  hls::read_lock<op_6_result_block_t> op_6_result_block(op_6_result);
op_6_drain_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
op_6_drain_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<std::int32_t, 4> op_6_result_block_value;
      for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
        op_6_result_block_value[u1] = op_6_result_block[i1][i0 * 4 + u1];
      }
      op_6_fifo.write(op_6_result_block_value);
    }
  }
}

// fork: 12 iterations, II 1
void op_6_fork(hls::stream<hls::vector<std::int32_t, 4>> &op_6_fifo,
               hls::stream<hls::vector<std::int32_t, 4>> &op_6_fifo_1,
               hls::stream<hls::vector<std::int32_t, 4>> &op_6_fifo_2) {
#pragma HLS inline off
op_6_fork_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
op_6_fork_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 4> op_6_fifo_token = op_6_fifo.read();
      op_6_fifo_1.write(op_6_fifo_token);
      op_6_fifo_2.write(op_6_fifo_token);
    }
  }
}

// load: 1 iterations, II 1
void arg6_load(const std::int32_t *arg6, hls::stream<std::int32_t> &arg6_fifo) {
#pragma HLS inline off
  const std::int32_t arg6_word = arg6[0];
  arg6_fifo.write(arg6_word);
}

// compute: 12 iterations, II 1
void op_7(hls::stream<hls::vector<std::int32_t, 4>> &op_6_fifo_1,
          hls::stream<std::int32_t> &arg6_fifo,
          hls::stream<hls::vector<std::int32_t, 4>> &op_7_fifo) {
#pragma HLS inline off
  std::int32_t arg6_fifo_token;
op_7_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
op_7_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 4> op_6_fifo_1_token = op_6_fifo_1.read();
      if (i0 == 0 && i1 == 0) {
        arg6_fifo_token = arg6_fifo.read();
      }
      hls::vector<std::int32_t, 4> floordivsi;
      for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
        floordivsi[u0] = st::floor_div<std::int32_t>(op_6_fifo_1_token[u0] * op_6_fifo_1_token[u0], (arg6_fifo_token & 3) + 1);
      }
      op_7_fifo.write(floordivsi);
    }
  }
}

// compute: 12 iterations, II 1
void op_8(hls::stream<hls::vector<std::int32_t, 4>> &op_6_fifo_2,
          hls::stream<hls::vector<std::int32_t, 4>> &op_8_fifo) {
#pragma HLS inline off
op_8_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
op_8_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 4> op_6_fifo_2_token = op_6_fifo_2.read();
      hls::vector<std::int32_t, 4> sum;
      for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
        sum[u0] = ((op_6_fifo_2_token[u0] * op_6_fifo_2_token[u0]) ^ -1) + 3;
      }
      op_8_fifo.write(sum);
    }
  }
}

// compute: 19 iterations, II 1 in fill, core
void op_9(hls::stream<hls::vector<std::int32_t, 4>> &op_8_fifo,
          hls::stream<hls::vector<std::int32_t, 3>> &op_9_fifo) {
#pragma HLS inline off
  std::int32_t local[2][3][4][1];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS array_partition variable=local type=complete dim=3
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=intra dependent=false
  int step = 0, turn = 0;
  int fill_i0 = 0, fill_i1 = 0;
  int core_i0 = 0, core_i1 = 0;
op_9_steps:
  for (int iteration = 0; iteration < 19; ++iteration) {
#pragma HLS pipeline II=1 style=flp
    if (step < 4 && turn < 3) {
      const hls::vector<std::int32_t, 4> op_8_fifo_token = op_8_fifo.read();
      for (int u2 = 0; u2 < 4; ++u2) {
#pragma HLS unroll
        local[fill_i0 % 2][fill_i1][u2][0] = op_8_fifo_token[u2];
      }
      if (++fill_i1 == 3) {
        fill_i1 = 0;
        ++fill_i0;
      }
    }
    if (step >= 1 && turn < 4) {
      hls::vector<std::int32_t, 3> local_value;
      for (int u1_1 = 0; u1_1 < 3; ++u1_1) {
#pragma HLS unroll
        local_value[u1_1] = local[core_i0 % 2][u1_1][core_i1][0];
      }
      hls::vector<std::int32_t, 3> op_9_fifo_token;
      for (int u0_1 = 0; u0_1 < 3; ++u0_1) {
#pragma HLS unroll
        op_9_fifo_token[u0_1] = local_value[u0_1];
      }
      op_9_fifo.write(op_9_fifo_token);
      if (++core_i1 == 4) {
        core_i1 = 0;
        ++core_i0;
      }
    }
    if ((step < 4 && turn + 1 < 3) || (step >= 1 && turn + 1 < 4)) {
      ++turn;
    } else {
      turn = 0;
      ++step;
    }
  }
}

// load: 32 iterations, II 1
void arg1_1_load(const double *arg1_1, hls::stream<double> &arg1_1_fifo) {
#pragma HLS inline off
arg1_1_load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
arg1_1_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double arg1_1_word = arg1_1[i0 * 2 + i1];
      arg1_1_fifo.write(arg1_1_word);
    }
  }
}

// compute: 48 iterations, II 1 in core, then II 1 in drain
void op_10(hls::stream<double> &arg1_1_fifo, hls::stream<double> &op_10_fifo) {
#pragma HLS inline off
  double local[1][2][16];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=4 dependent=true
op_10_core_i0:
  for (int core_i0 = 0; core_i0 < 16; ++core_i0) {
op_10_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double arg1_1_fifo_token = arg1_1_fifo.read();
      local[0][core_i1][core_i0] = st::maxnum(double(NAN), arg1_1_fifo_token);
    }
  }
op_10_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 16; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<double, 2> local_value;
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      local_value[u1] = local[0][u1][drain_i0];
    }
    hls::vector<double, 1> largest;
    largest[0] = st::maxnum(local_value[0], local_value[1]);
    op_10_fifo.write(largest[0]);
  }
}

// load: 32 iterations, II 1
void arg1_2_load(const double *arg1_2, hls::stream<double> &arg1_2_fifo) {
#pragma HLS inline off
arg1_2_load_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
arg1_2_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double arg1_2_word = arg1_2[i0 * 2 + i1];
      arg1_2_fifo.write(arg1_2_word);
    }
  }
}

// compute: 32 iterations, II 1
void op_11(hls::stream<double> &arg1_2_fifo, hls::stream<double> &op_10_fifo,
           hls::stream<double> &op_11_fifo) {
#pragma HLS inline off
  double op_10_fifo_token;
op_11_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
op_11_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double arg1_2_fifo_token = arg1_2_fifo.read();
      if (i1 == 0) {
        op_10_fifo_token = op_10_fifo.read();
      }
      const double difference = arg1_2_fifo_token - op_10_fifo_token;
#pragma HLS bind_op variable=difference op=dsub impl=fulldsp latency=12
      const double exponential = st::exp(difference);
#pragma HLS bind_op variable=exponential op=dexp impl=fulldsp latency=29
      op_11_fifo.write(exponential);
    }
  }
}

// fork: 32 iterations, II 1
void op_11_fork(hls::stream<double> &op_11_fifo, hls::stream<double> &op_11_fifo_1,
                hls::stream<double> &op_11_fifo_2) {
#pragma HLS inline off
op_11_fork_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
op_11_fork_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double op_11_fifo_token = op_11_fifo.read();
      op_11_fifo_1.write(op_11_fifo_token);
      op_11_fifo_2.write(op_11_fifo_token);
    }
  }
}

// compute: 48 iterations, II 1 in core, then II 1 in drain
void op_12(hls::stream<double> &op_11_fifo_1, hls::stream<double> &op_12_fifo) {
#pragma HLS inline off
  double local[1][2][16];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=14 dependent=true
op_12_core_i0:
  for (int core_i0 = 0; core_i0 < 16; ++core_i0) {
op_12_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double op_11_fifo_1_token = op_11_fifo_1.read();
      const double sum = 0.0 + op_11_fifo_1_token;
#pragma HLS bind_op variable=sum op=dadd impl=fulldsp latency=12
      local[0][core_i1][core_i0] = sum;
    }
  }
op_12_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 16; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<double, 2> local_value;
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      local_value[u1] = local[0][u1][drain_i0];
    }
    hls::vector<double, 1> sum_1;
    const double lane_sum = local_value[0] + local_value[1];
#pragma HLS bind_op variable=lane_sum op=dadd impl=fulldsp latency=12
    sum_1[0] = lane_sum;
    op_12_fifo.write(sum_1[0]);
  }
}

// compute: 32 iterations, II 1
void op_13(hls::stream<double> &op_11_fifo_2, hls::stream<double> &op_12_fifo,
           hls::stream<double> &op_13_fifo) {
#pragma HLS inline off
  double op_12_fifo_token;
op_13_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
op_13_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double op_11_fifo_2_token = op_11_fifo_2.read();
      if (i1 == 0) {
        op_12_fifo_token = op_12_fifo.read();
      }
      const double quotient = op_11_fifo_2_token / op_12_fifo_token;
#pragma HLS bind_op variable=quotient op=ddiv impl=fabric latency=30
      op_13_fifo.write(quotient);
    }
  }
}

// store: 1 iterations, II 1
void result0_store(hls::stream<double> &op_fifo_2, double *result0) {
#pragma HLS inline off
  const double op_fifo_2_token = op_fifo_2.read();
  result0[0] = op_fifo_2_token;
}

// store: 1 iterations, II 1
void result1_store(hls::stream<double> &op_1_fifo, double *result1) {
#pragma HLS inline off
  const double op_1_fifo_token = op_1_fifo.read();
  result1[0] = op_1_fifo_token;
}

// store: 1 iterations, II 1
void result2_store(hls::stream<hls::vector<std::int32_t, 16>> &op_2_fifo,
                   hls::vector<std::int32_t, 16> *result2) {
#pragma HLS inline off
  const hls::vector<std::int32_t, 16> op_2_fifo_token = op_2_fifo.read();
  result2[0] = op_2_fifo_token;
}

// store: 12 iterations, II 1
void result3_store(hls::stream<hls::vector<std::int32_t, 4>> &op_7_fifo,
                   hls::vector<std::int32_t, 4> *result3) {
#pragma HLS inline off
result3_store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
result3_store_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 4> op_7_fifo_token = op_7_fifo.read();
      result3[i0 * 3 + i1] = op_7_fifo_token;
    }
  }
}

// pad: 72 iterations, II 1
void t_pad(hls::stream<std::int32_t> &op_5_fifo_2, hls::stream<std::int32_t> &t_fifo) {
#pragma HLS inline off
  std::int32_t op_5_fifo_2_token;
t_pad_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
t_pad_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
t_pad_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (i0 >= 4 && i0 <= 4 && i1 >= 1) {
          op_5_fifo_2_token = op_5_fifo_2.read();
        }
        t_fifo.write((i0 >= 4 && i0 <= 4 && i1 >= 1) ? op_5_fifo_2_token : 1);
      }
    }
  }
}

// store: 72 iterations, II 1
void result4_store(hls::stream<std::int32_t> &t_fifo, std::int32_t *result4) {
#pragma HLS inline off
result4_store_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
result4_store_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
result4_store_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const std::int32_t t_fifo_token = t_fifo.read();
        result4[i0 * 12 + i1 * 3 + i2] = t_fifo_token;
      }
    }
  }
}

// store: 16 iterations, II 1
void result5_store(hls::stream<hls::vector<std::int32_t, 3>> &op_9_fifo,
                   hls::vector<std::int32_t, 4> *result5) {
#pragma HLS inline off
result5_store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
result5_store_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int32_t, 3> op_9_fifo_token = op_9_fifo.read();
      hls::vector<std::int32_t, 4> result5_word{};
      for (int u4 = 0; u4 < 3; ++u4) {
#pragma HLS unroll
        result5_word[u4] = op_9_fifo_token[u4];
      }
      result5[i0 * 4 + i1] = result5_word;
    }
  }
}

// chunk: 32 iterations, II 1
void op_13_chunk(hls::stream<double> &op_13_fifo, hls::stream<double> &op_13_fifo_1) {
#pragma HLS inline off
op_13_chunk_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
op_13_chunk_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double op_13_fifo_token = op_13_fifo.read();
      if (i0 >= 6 && i0 <= 10) {
        op_13_fifo_1.write(op_13_fifo_token);
      }
    }
  }
}

// chunk: 10 iterations, II 1
void t_chunk(hls::stream<double> &op_13_fifo_1, hls::stream<double> &t_fifo_1) {
#pragma HLS inline off
t_chunk_i0:
  for (int i0 = 0; i0 < 5; ++i0) {
t_chunk_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const double op_13_fifo_1_token = op_13_fifo_1.read();
      if (i1 >= 1) {
        t_fifo_1.write(op_13_fifo_1_token);
      }
    }
  }
}

// store: 5 iterations, II 1
void result6_store(hls::stream<double> &t_fifo_1, double *result6) {
#pragma HLS inline off
result6_store_i0:
  for (int i0 = 0; i0 < 5; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const double t_fifo_1_token = t_fifo_1.read();
    result6[i0] = t_fifo_1_token;
  }
}

} // namespace accelerator_tasks

using namespace accelerator_tasks;

extern "C" void accelerator(const double *arg1, const hls::vector<std::int32_t, 4> *arg2,
                            const hls::vector<std::int32_t, 2> *arg3,
                            const hls::vector<std::int32_t, 4> *arg5, const std::int32_t *arg6,
                            const double *arg1_1, const double *arg1_2,
                            const hls::vector<std::int32_t, 2> *arg2_1, const std::int32_t *arg4,
                            const std::int32_t *arg4_1, double *result0, double *result1,
                            hls::vector<std::int32_t, 16> *result2,
                            hls::vector<std::int32_t, 4> *result3, std::int32_t *result4,
                            hls::vector<std::int32_t, 4> *result5, double *result6) {
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=5 max_read_burst_length=8 num_read_outstanding=9
#pragma HLS interface mode=m_axi port=arg3 bundle=gmem_arg3 offset=slave depth=15 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=arg5 bundle=gmem_arg5 offset=slave depth=12 max_read_burst_length=16 num_read_outstanding=6
#pragma HLS interface mode=m_axi port=arg6 bundle=gmem_arg6 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=arg1_1 bundle=gmem_arg1_1 offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=arg1_2 bundle=gmem_arg1_2 offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=arg2_1 bundle=gmem_arg2_1 offset=slave depth=15 max_read_burst_length=16 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=arg4 bundle=gmem_arg4 offset=slave depth=9 max_read_burst_length=16 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=arg4_1 bundle=gmem_arg4_1 offset=slave depth=9 max_read_burst_length=16 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result1 bundle=gmem_result1 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result2 bundle=gmem_result2 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result3 bundle=gmem_result3 offset=slave depth=12 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result4 bundle=gmem_result4 offset=slave depth=72 max_write_burst_length=128 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result5 bundle=gmem_result5 offset=slave depth=16 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result6 bundle=gmem_result6 offset=slave depth=5 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=arg3 bundle=control
#pragma HLS interface mode=s_axilite port=arg5 bundle=control
#pragma HLS interface mode=s_axilite port=arg6 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_1 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_2 bundle=control
#pragma HLS interface mode=s_axilite port=arg2_1 bundle=control
#pragma HLS interface mode=s_axilite port=arg4 bundle=control
#pragma HLS interface mode=s_axilite port=arg4_1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=result1 bundle=control
#pragma HLS interface mode=s_axilite port=result2 bundle=control
#pragma HLS interface mode=s_axilite port=result3 bundle=control
#pragma HLS interface mode=s_axilite port=result4 bundle=control
#pragma HLS interface mode=s_axilite port=result5 bundle=control
#pragma HLS interface mode=s_axilite port=result6 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<double> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<double> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream<double> op_fifo_1("op_fifo_1");
#pragma HLS stream variable=op_fifo_1 depth=2
#pragma HLS bind_storage variable=op_fifo_1 type=fifo impl=srl
  hls::stream<double> op_fifo_2("op_fifo_2");
#pragma HLS stream variable=op_fifo_2 depth=2
#pragma HLS bind_storage variable=op_fifo_2 type=fifo impl=srl
  hls::stream<double> op_1_fifo("op_1_fifo");
#pragma HLS stream variable=op_1_fifo depth=2
#pragma HLS bind_storage variable=op_1_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=2
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 16>> op_2_fifo("op_2_fifo");
#pragma HLS stream variable=op_2_fifo depth=2
#pragma HLS bind_storage variable=op_2_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> arg2_1_fifo("arg2_1_fifo");
#pragma HLS stream variable=arg2_1_fifo depth=2
#pragma HLS bind_storage variable=arg2_1_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> arg3_fifo("arg3_fifo");
#pragma HLS stream variable=arg3_fifo depth=12
#pragma HLS bind_storage variable=arg3_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_3_fifo("op_3_fifo");
#pragma HLS stream variable=op_3_fifo depth=2
#pragma HLS bind_storage variable=op_3_fifo type=fifo impl=srl
  hls::stream<std::int32_t> arg4_fifo("arg4_fifo");
#pragma HLS stream variable=arg4_fifo depth=2
#pragma HLS bind_storage variable=arg4_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_4_fifo("op_4_fifo");
#pragma HLS stream variable=op_4_fifo depth=2
#pragma HLS bind_storage variable=op_4_fifo type=fifo impl=srl
  hls::stream<std::int32_t> arg4_1_fifo("arg4_1_fifo");
#pragma HLS stream variable=arg4_1_fifo depth=2
#pragma HLS bind_storage variable=arg4_1_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_5_fifo("op_5_fifo");
#pragma HLS stream variable=op_5_fifo depth=2
#pragma HLS bind_storage variable=op_5_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_5_fifo_1("op_5_fifo_1");
#pragma HLS stream variable=op_5_fifo_1 depth=3
#pragma HLS bind_storage variable=op_5_fifo_1 type=fifo impl=srl
  hls::stream<std::int32_t> op_5_fifo_2("op_5_fifo_2");
#pragma HLS stream variable=op_5_fifo_2 depth=2
#pragma HLS bind_storage variable=op_5_fifo_2 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> arg5_fifo("arg5_fifo");
#pragma HLS stream variable=arg5_fifo depth=3
#pragma HLS bind_storage variable=arg5_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> op_6_fifo("op_6_fifo");
#pragma HLS stream variable=op_6_fifo depth=2
#pragma HLS bind_storage variable=op_6_fifo type=fifo impl=srl
  hls::stream_of_blocks<op_6_result_block_t, 1> op_6_result;
#pragma HLS array_partition variable=op_6_result type=complete dim=1
#pragma HLS array_partition variable=op_6_result type=cyclic factor=4 dim=2
#pragma HLS bind_storage variable=op_6_result type=ram_2p impl=lutram
  hls::stream<hls::vector<std::int32_t, 4>> op_6_fifo_1("op_6_fifo_1");
#pragma HLS stream variable=op_6_fifo_1 depth=2
#pragma HLS bind_storage variable=op_6_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> op_6_fifo_2("op_6_fifo_2");
#pragma HLS stream variable=op_6_fifo_2 depth=2
#pragma HLS bind_storage variable=op_6_fifo_2 type=fifo impl=srl
  hls::stream<std::int32_t> arg6_fifo("arg6_fifo");
#pragma HLS stream variable=arg6_fifo depth=2
#pragma HLS bind_storage variable=arg6_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> op_7_fifo("op_7_fifo");
#pragma HLS stream variable=op_7_fifo depth=2
#pragma HLS bind_storage variable=op_7_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 4>> op_8_fifo("op_8_fifo");
#pragma HLS stream variable=op_8_fifo depth=3
#pragma HLS bind_storage variable=op_8_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 3>> op_9_fifo("op_9_fifo");
#pragma HLS stream variable=op_9_fifo depth=2
#pragma HLS bind_storage variable=op_9_fifo type=fifo impl=srl
  hls::stream<double> arg1_1_fifo("arg1_1_fifo");
#pragma HLS stream variable=arg1_1_fifo depth=2
#pragma HLS bind_storage variable=arg1_1_fifo type=fifo impl=srl
  hls::stream<double> op_10_fifo("op_10_fifo");
#pragma HLS stream variable=op_10_fifo depth=9
#pragma HLS bind_storage variable=op_10_fifo type=fifo impl=srl
  hls::stream<double> arg1_2_fifo("arg1_2_fifo");
#pragma HLS stream variable=arg1_2_fifo depth=2
#pragma HLS bind_storage variable=arg1_2_fifo type=fifo impl=srl
  hls::stream<double> op_11_fifo("op_11_fifo");
#pragma HLS stream variable=op_11_fifo depth=2
#pragma HLS bind_storage variable=op_11_fifo type=fifo impl=srl
  hls::stream<double> op_11_fifo_1("op_11_fifo_1");
#pragma HLS stream variable=op_11_fifo_1 depth=2
#pragma HLS bind_storage variable=op_11_fifo_1 type=fifo impl=srl
  hls::stream<double> op_11_fifo_2("op_11_fifo_2");
#pragma HLS stream variable=op_11_fifo_2 depth=32
#pragma HLS bind_storage variable=op_11_fifo_2 type=fifo impl=lutram
  hls::stream<double> op_12_fifo("op_12_fifo");
#pragma HLS stream variable=op_12_fifo depth=9
#pragma HLS bind_storage variable=op_12_fifo type=fifo impl=srl
  hls::stream<double> op_13_fifo("op_13_fifo");
#pragma HLS stream variable=op_13_fifo depth=2
#pragma HLS bind_storage variable=op_13_fifo type=fifo impl=srl
  hls::stream<std::int32_t> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl
  hls::stream<double> op_13_fifo_1("op_13_fifo_1");
#pragma HLS stream variable=op_13_fifo_1 depth=2
#pragma HLS bind_storage variable=op_13_fifo_1 type=fifo impl=srl
  hls::stream<double> t_fifo_1("t_fifo_1");
#pragma HLS stream variable=t_fifo_1 depth=2
#pragma HLS bind_storage variable=t_fifo_1 type=fifo impl=srl

  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(arg1_fifo, op_fifo);
  accelerator_tasks::op_fork(op_fifo, op_fifo_1, op_fifo_2);
  accelerator_tasks::op_1(op_fifo_1, op_1_fifo);
  accelerator_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_tasks::op_2(arg2_fifo, op_2_fifo);
  accelerator_tasks::arg2_1_load(arg2_1, arg2_1_fifo);
  accelerator_tasks::arg3_load(arg3, arg3_fifo);
  accelerator_tasks::op_3(arg2_1_fifo, arg3_fifo, op_3_fifo);
  accelerator_tasks::arg4_load(arg4, arg4_fifo);
  accelerator_tasks::op_4(arg4_fifo, op_3_fifo, op_4_fifo);
  accelerator_tasks::arg4_1_load(arg4_1, arg4_1_fifo);
  accelerator_tasks::op_5(op_4_fifo, arg4_1_fifo, op_5_fifo);
  accelerator_tasks::op_5_fork(op_5_fifo, op_5_fifo_1, op_5_fifo_2);
  accelerator_tasks::arg5_load(arg5, arg5_fifo);
  accelerator_tasks::op_6(op_5_fifo_1, arg5_fifo, op_6_result);
  accelerator_tasks::op_6_drain(op_6_result, op_6_fifo);
  accelerator_tasks::op_6_fork(op_6_fifo, op_6_fifo_1, op_6_fifo_2);
  accelerator_tasks::arg6_load(arg6, arg6_fifo);
  accelerator_tasks::op_7(op_6_fifo_1, arg6_fifo, op_7_fifo);
  accelerator_tasks::op_8(op_6_fifo_2, op_8_fifo);
  accelerator_tasks::op_9(op_8_fifo, op_9_fifo);
  accelerator_tasks::arg1_1_load(arg1_1, arg1_1_fifo);
  accelerator_tasks::op_10(arg1_1_fifo, op_10_fifo);
  accelerator_tasks::arg1_2_load(arg1_2, arg1_2_fifo);
  accelerator_tasks::op_11(arg1_2_fifo, op_10_fifo, op_11_fifo);
  accelerator_tasks::op_11_fork(op_11_fifo, op_11_fifo_1, op_11_fifo_2);
  accelerator_tasks::op_12(op_11_fifo_1, op_12_fifo);
  accelerator_tasks::op_13(op_11_fifo_2, op_12_fifo, op_13_fifo);
  accelerator_tasks::result0_store(op_fifo_2, result0);
  accelerator_tasks::result1_store(op_1_fifo, result1);
  accelerator_tasks::result2_store(op_2_fifo, result2);
  accelerator_tasks::result3_store(op_7_fifo, result3);
  accelerator_tasks::t_pad(op_5_fifo_2, t_fifo);
  accelerator_tasks::result4_store(t_fifo, result4);
  accelerator_tasks::result5_store(op_9_fifo, result5);
  accelerator_tasks::op_13_chunk(op_13_fifo, op_13_fifo_1);
  accelerator_tasks::t_chunk(op_13_fifo_1, t_fifo_1);
  accelerator_tasks::result6_store(t_fifo_1, result6);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"op_6_result"});
    accelerator(static_cast<const double *>(st_ports[0]),
                static_cast<const hls::vector<std::int32_t, 4> *>(st_ports[1]),
                static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[2]),
                static_cast<const hls::vector<std::int32_t, 4> *>(st_ports[3]),
                static_cast<const std::int32_t *>(st_ports[4]),
                static_cast<const double *>(st_ports[5]), static_cast<const double *>(st_ports[6]),
                static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[7]),
                static_cast<const std::int32_t *>(st_ports[8]),
                static_cast<const std::int32_t *>(st_ports[9]), static_cast<double *>(st_ports[10]),
                static_cast<double *>(st_ports[11]),
                static_cast<hls::vector<std::int32_t, 16> *>(st_ports[12]),
                static_cast<hls::vector<std::int32_t, 4> *>(st_ports[13]),
                static_cast<std::int32_t *>(st_ports[14]),
                static_cast<hls::vector<std::int32_t, 4> *>(st_ports[15]),
                static_cast<double *>(st_ports[16]));
  });
}
