// Design 'accelerator': a dataflow region of 23 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

using op_1_in1_block_block_t = std::int32_t[6][4];
using op_1_result_block_t = std::int32_t[2][2][6];

// load: 6 iterations, II 1
void arg0_load(const hls::vector<std::int8_t, 4> *arg0,
               hls::stream<hls::vector<std::int8_t, 4>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg0_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int8_t, 4> arg0_word = arg0[i0 * 2 + i1];
      arg0_fifo.write(arg0_word);
    }
  }
}

// load: 6 iterations, II 1
void arg1_load(const hls::vector<std::int8_t, 8> *arg1,
               hls::stream<hls::vector<std::int8_t, 8>> &arg1_fifo) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg1_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int8_t, 8> arg1_word = arg1[i1];
      arg1_fifo.write(arg1_word);
    }
  }
}

// compute: 24 iterations, II 1 in fill, then II 1 in core, then II 1 in drain
void op(hls::stream<hls::vector<std::int8_t, 4>> &arg0_fifo,
        hls::stream<hls::vector<std::int8_t, 8>> &arg1_fifo,
        hls::stream<hls::vector<std::int32_t, 2>> &op_fifo) {
#pragma HLS inline off
  std::int8_t local_0[1][6][4];
#pragma HLS array_partition variable=local_0 type=cyclic factor=2 dim=2
#pragma HLS array_partition variable=local_0 type=complete dim=3
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=9 dependent=true
  ap_int<18> local_1[1][6][4];
#pragma HLS array_partition variable=local_1 type=cyclic factor=2 dim=2
#pragma HLS array_partition variable=local_1 type=cyclic factor=2 dim=3
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=2 dependent=true
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 3; ++fill_i0) {
op_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 2; ++fill_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int8_t, 4> arg0_fifo_token = arg0_fifo.read();
      for (int u2 = 0; u2 < 4; ++u2) {
#pragma HLS unroll
        local_0[0][fill_i0 * 2 + fill_i1][u2] = arg0_fifo_token[u2];
      }
    }
  }
op_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
op_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int8_t, 8> arg1_fifo_token = arg1_fifo.read();
      std::int8_t local_0_value[1][2][4];
#pragma HLS array_partition variable=local_0_value type=complete dim=0
      for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
        for (int u2_1 = 0; u2_1 < 4; ++u2_1) {
#pragma HLS unroll
          local_0_value[0][u1_1][u2_1] = local_0[0][core_i0 * 2 + u1_1][u2_1];
        }
      }
      std::int32_t product[2][4][2];
#pragma HLS array_partition variable=product type=complete dim=0
      for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
        for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
          st::multiply_pair<8, 8, 3>(std::int32_t(arg1_fifo_token[u1_1 * 2]), std::int32_t(arg1_fifo_token[u1_1 * 2 + 1]), std::int32_t(local_0_value[0][u0_1][u1_1]), product[u0_1][u1_1][0], product[u0_1][u1_1][1]);
        }
      }
      std::int32_t sum[2][2][2];
#pragma HLS array_partition variable=sum type=complete dim=0
      for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
        for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
          for (int u2_1 = 0; u2_1 < 2; ++u2_1) {
#pragma HLS unroll
            sum[u0_1][u1_1][u2_1] = product[u0_1][u1_1][u2_1] + product[u0_1][u1_1 + 2][u2_1];
          }
        }
      }
      for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
        for (int u2_1 = 0; u2_1 < 2; ++u2_1) {
#pragma HLS unroll
          local_1[0][core_i0 * 2 + u1_1][core_i1 * 2 + u2_1] = ap_int<18>(0 + (sum[u1_1][0][u2_1] + sum[u1_1][1][u2_1]));
        }
      }
    }
  }
op_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 3; ++drain_i0) {
op_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 2; ++drain_i1) {
op_drain_i2:
      for (int drain_i2 = 0; drain_i2 < 2; ++drain_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<std::int32_t, 2> converted;
        for (int u2_2 = 0; u2_2 < 2; ++u2_2) {
#pragma HLS unroll
          converted[u2_2] = std::int32_t(local_1[0][drain_i0 * 2 + drain_i2][drain_i1 * 2 + u2_2]);
        }
        hls::vector<std::int32_t, 2> op_fifo_token;
        for (int u0_2 = 0; u0_2 < 2; ++u0_2) {
#pragma HLS unroll
          op_fifo_token[u0_2] = converted[u0_2];
        }
        op_fifo.write(op_fifo_token);
      }
    }
  }
}

// fork: 12 iterations, II 1
void op_fork(hls::stream<hls::vector<std::int32_t, 2>> &op_fifo,
             hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_1,
             hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_2,
             hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_3,
             hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_4) {
#pragma HLS inline off
op_fork_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_fork_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
op_fork_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> op_fifo_token = op_fifo.read();
        op_fifo_1.write(op_fifo_token);
        op_fifo_2.write(op_fifo_token);
        op_fifo_3.write(op_fifo_token);
        op_fifo_4.write(op_fifo_token);
      }
    }
  }
}

// convert_out: 36 iterations, II 1
void t_repeat(hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_1,
              hls::stream<hls::vector<std::int32_t, 2>> &t_repeated_fifo) {
#pragma HLS inline off
  std::int32_t local[2][4];
#pragma HLS array_partition variable=local type=cyclic factor=2 dim=2
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=4 dependent=true
  hls::vector<std::int32_t, 2> op_fifo_1_token;
t_repeat_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
t_repeat_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
t_repeat_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
t_repeat_i3:
        for (int i3 = 0; i3 < 2; ++i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          if (i1 == 0) {
            op_fifo_1_token = op_fifo_1.read();
          }
          if (i1 == 0) {
            for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
              local[i3][i2 * 2 + u1] = op_fifo_1_token[u1];
            }
          }
          hls::vector<std::int32_t, 2> local_value;
          for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
            local_value[u1] = local[i3][i2 * 2 + u1];
          }
          t_repeated_fifo.write(local_value);
        }
      }
    }
  }
}

// convert_out: 36 iterations, II 1
void t_repeat_1(hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_2,
                hls::stream<hls::vector<std::int32_t, 2>> &t_repeated_fifo_1) {
#pragma HLS inline off
  std::int32_t local[6][4];
#pragma HLS array_partition variable=local type=cyclic factor=2 dim=2
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=4 dependent=true
  hls::vector<std::int32_t, 2> op_fifo_2_token;
t_repeat_1_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
t_repeat_1_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
t_repeat_1_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
t_repeat_1_i3:
        for (int i3 = 0; i3 < 2; ++i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          if (i0 == 0) {
            op_fifo_2_token = op_fifo_2.read();
          }
          if (i0 == 0) {
            for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
              local[i1 * 2 + i3][i2 * 2 + u1] = op_fifo_2_token[u1];
            }
          }
          hls::vector<std::int32_t, 2> local_value;
          for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
            local_value[u1] = local[i1 * 2 + i3][i2 * 2 + u1];
          }
          t_repeated_fifo_1.write(local_value);
        }
      }
    }
  }
}

// fill: 36 iterations, II 1
void op_1_in1_fill(hls::stream<hls::vector<std::int32_t, 2>> &t_repeated_fifo_1,
                   hls::stream_of_blocks<op_1_in1_block_block_t, 2> &op_1_in1_block) {
#pragma HLS inline off
op_1_in1_fill_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::write_lock<op_1_in1_block_block_t> op_1_in1_block_block(op_1_in1_block);
op_1_in1_fill_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
op_1_in1_fill_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
op_1_in1_fill_i3:
        for (int i3 = 0; i3 < 2; ++i3) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
          const hls::vector<std::int32_t, 2> t_repeated_fifo_1_token = t_repeated_fifo_1.read();
          for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
            op_1_in1_block_block[i1 * 2 + i3][i2 * 2 + u1] = t_repeated_fifo_1_token[u1];
          }
        }
      }
    }
  }
}

// compute: 42 iterations, II 1 in fill, core
void op_1(hls::stream<hls::vector<std::int32_t, 2>> &t_repeated_fifo,
          hls::stream_of_blocks<op_1_in1_block_block_t, 2> &op_1_in1_block,
          hls::stream<hls::vector<std::int32_t, 4>> &op_1_result_fifo) {
#pragma HLS inline off
  std::int32_t local[2][2][4];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS array_partition variable=local type=cyclic factor=2 dim=3
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
#pragma HLS dependence variable=local type=intra dependent=false
op_1_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::read_lock<op_1_in1_block_block_t> op_1_in1_block_block(op_1_in1_block);
    int step = 0, turn = 0;
    int fill_i1 = 0, fill_i2 = 0, fill_i3 = 0;
    int core_i1 = 0, core_i2 = 0;
op_1_steps:
    for (int iteration = 0; iteration < 14; ++iteration) {
#pragma HLS pipeline II=1 style=flp
      if (step < 3 && turn < 4) {
        const hls::vector<std::int32_t, 2> t_repeated_fifo_token = t_repeated_fifo.read();
        for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
          local[fill_i1 % 2][fill_i3][fill_i2 * 2 + u2] = t_repeated_fifo_token[u2];
        }
        if (++fill_i3 == 2) {
          fill_i3 = 0;
          if (++fill_i2 == 2) {
            fill_i2 = 0;
            ++fill_i1;
          }
        }
      }
      if (step >= 1 && turn < 2) {
        std::int32_t local_value[1][2][2];
#pragma HLS array_partition variable=local_value type=complete dim=0
        for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
          for (int u2_1 = 0; u2_1 < 2; ++u2_1) {
#pragma HLS unroll
            local_value[0][u1_1][u2_1] = local[core_i1 % 2][u1_1][core_i2 * 2 + u2_1];
          }
        }
        std::int32_t op_1_in1_block_block_value[2][2];
#pragma HLS array_partition variable=op_1_in1_block_block_value type=complete dim=0
        for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
          for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
            op_1_in1_block_block_value[u0_1][u1_1] = op_1_in1_block_block[core_i1 * 2 + u0_1][core_i2 * 2 + u1_1];
          }
        }
        std::int32_t product[2][2][2];
#pragma HLS array_partition variable=product type=complete dim=0
        for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
          for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
            for (int u2_1 = 0; u2_1 < 2; ++u2_1) {
#pragma HLS unroll
              product[u0_1][u1_1][u2_1] = local_value[0][u0_1][u1_1] * op_1_in1_block_block_value[u2_1][u1_1];
            }
          }
        }
        std::int32_t sum[2][2];
#pragma HLS array_partition variable=sum type=complete dim=0
        for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
          for (int u1_1 = 0; u1_1 < 2; ++u1_1) {
#pragma HLS unroll
            sum[u0_1][u1_1] = 0 + (product[u0_1][0][u1_1] + product[u0_1][1][u1_1]);
          }
        }
        hls::vector<std::int32_t, 4> op_1_result_fifo_token;
        for (int u0_1 = 0; u0_1 < 4; ++u0_1) {
#pragma HLS unroll
          op_1_result_fifo_token[u0_1] = sum[u0_1 / 2][u0_1 % 2];
        }
        op_1_result_fifo.write(op_1_result_fifo_token);
        if (++core_i2 == 2) {
          core_i2 = 0;
          ++core_i1;
        }
      }
      if ((step < 3 && turn + 1 < 4) || (step >= 1 && turn + 1 < 2)) {
        ++turn;
      } else {
        turn = 0;
        ++step;
      }
    }
  }
}

// convert_in: 18 iterations, II 1
void op_1_result_collect(hls::stream<hls::vector<std::int32_t, 4>> &op_1_result_fifo,
                         hls::stream_of_blocks<op_1_result_block_t, 2> &op_1_result) {
#pragma HLS inline off
op_1_result_collect_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::write_lock<op_1_result_block_t> op_1_result_block(op_1_result);
op_1_result_collect_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
op_1_result_collect_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 4> op_1_result_fifo_token = op_1_result_fifo.read();
        for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
          for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
            op_1_result_block[i2][u1][i1 * 2 + u2] = op_1_result_fifo_token[u1 * 2 + u2];
          }
        }
      }
    }
  }
}

// drain: 18 iterations, II 1
void op_1_drain(hls::stream_of_blocks<op_1_result_block_t, 2> &op_1_result,
                hls::stream<hls::vector<std::int32_t, 2>> &op_1_fifo) {
#pragma HLS inline off
op_1_drain_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
    hls::read_lock<op_1_result_block_t> op_1_result_block(op_1_result);
op_1_drain_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
op_1_drain_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        std::int32_t op_1_result_block_value[2][1][2];
#pragma HLS array_partition variable=op_1_result_block_value type=complete dim=0
        for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
          for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
            op_1_result_block_value[u0][0][u2] = op_1_result_block[u0][i2][i1 * 2 + u2];
          }
        }
        hls::vector<std::int32_t, 2> sum;
        for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
          sum[u2] = op_1_result_block_value[0][0][u2] + op_1_result_block_value[1][0][u2];
        }
        hls::vector<std::int32_t, 2> op_1_fifo_token;
        for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
          op_1_fifo_token[u0] = sum[u0];
        }
        op_1_fifo.write(op_1_fifo_token);
      }
    }
  }
}

// load: 18 iterations, II 1
void arg2_load(const hls::vector<std::int32_t, 2> *arg2,
               hls::stream<hls::vector<std::int32_t, 2>> &arg2_fifo) {
#pragma HLS inline off
arg2_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
arg2_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
arg2_load_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> arg2_word = arg2[i0 * 6 + i1 * 2 + i2];
        arg2_fifo.write(arg2_word);
      }
    }
  }
}

// compute: 18 iterations, II 1
void op_2(hls::stream<hls::vector<std::int32_t, 2>> &arg2_fifo,
          hls::stream<hls::vector<std::int32_t, 2>> &op_1_fifo,
          hls::stream<hls::vector<std::int32_t, 2>> &op_2_fifo) {
#pragma HLS inline off
op_2_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_2_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
op_2_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> arg2_fifo_token = arg2_fifo.read();
        const hls::vector<std::int32_t, 2> op_1_fifo_token = op_1_fifo.read();
        hls::vector<std::int32_t, 2> sum;
        for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
          sum[u0] = arg2_fifo_token[u0] + op_1_fifo_token[u0];
        }
        op_2_fifo.write(sum);
      }
    }
  }
}

// fork: 18 iterations, II 1
void op_2_fork(hls::stream<hls::vector<std::int32_t, 2>> &op_2_fifo,
               hls::stream<hls::vector<std::int32_t, 2>> &op_2_fifo_1,
               hls::stream<hls::vector<std::int32_t, 2>> &op_2_fifo_2) {
#pragma HLS inline off
op_2_fork_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
op_2_fork_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
op_2_fork_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> op_2_fifo_token = op_2_fifo.read();
        op_2_fifo_1.write(op_2_fifo_token);
        op_2_fifo_2.write(op_2_fifo_token);
      }
    }
  }
}

// load: 12 iterations, II 1
void arg3_load(const hls::vector<float, 8> *arg3, hls::stream<hls::vector<float, 7>> &arg3_fifo) {
#pragma HLS inline off
arg3_load_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
arg3_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> arg3_word = arg3[i0 * 2 + i1];
      hls::vector<float, 7> arg3_value;
      for (int u2 = 0; u2 < 7; ++u2) {
#pragma HLS unroll
        arg3_value[u2] = arg3_word[u2];
      }
      arg3_fifo.write(arg3_value);
    }
  }
}

// load: 12 iterations, II 1
void arg4_load(const hls::vector<float, 8> *arg4, hls::stream<hls::vector<float, 7>> &arg4_fifo) {
#pragma HLS inline off
arg4_load_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
arg4_load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 8> arg4_word = arg4[i0 * 2 + i1];
      hls::vector<float, 7> arg4_value;
      for (int u2 = 0; u2 < 7; ++u2) {
#pragma HLS unroll
        arg4_value[u2] = arg4_word[u2];
      }
      arg4_fifo.write(arg4_value);
    }
  }
}

// compute: 12 iterations, II 1
void op_3(hls::stream<hls::vector<float, 7>> &arg3_fifo,
          hls::stream<hls::vector<float, 7>> &arg4_fifo,
          hls::stream<hls::vector<float, 7>> &op_3_fifo) {
#pragma HLS inline off
op_3_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
op_3_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 7> arg3_fifo_token = arg3_fifo.read();
      const hls::vector<float, 7> arg4_fifo_token = arg4_fifo.read();
      hls::vector<float, 7> smallest;
      for (int u0 = 0; u0 < 7; ++u0) {
#pragma HLS unroll
        smallest[u0] = st::minnum(arg3_fifo_token[u0], arg4_fifo_token[u0]);
      }
      op_3_fifo.write(smallest);
    }
  }
}

// load: 18 iterations, II 1
void arg5_load(const std::int32_t *arg5, hls::stream<std::int32_t> &arg5_fifo) {
#pragma HLS inline off
arg5_load_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
arg5_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg5_word = arg5[i0 * 3 + i1];
      arg5_fifo.write(arg5_word);
    }
  }
}

// compute: 19 iterations, II 1 in core, then II 1 in drain
void op_4(hls::stream<std::int32_t> &arg5_fifo, hls::stream<std::int32_t> &op_4_fifo) {
#pragma HLS inline off
  std::int32_t local_0[3];
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=3 dependent=true
  std::int32_t local_1[1][3];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=3 dependent=true
op_4_core_i0:
  for (int core_i0 = 0; core_i0 < 6; ++core_i0) {
op_4_core_i1:
    for (int core_i1 = 0; core_i1 < 3; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const std::int32_t arg5_fifo_token = arg5_fifo.read();
      const std::int32_t sum = ((core_i0 == 0) ? 0 : local_0[core_i1]) + arg5_fifo_token;
      local_0[core_i1] = sum;
      if (core_i0 == 5) {
        local_1[0][core_i1] = sum;
      }
    }
  }
  hls::vector<std::int32_t, 3> local_1_value;
  for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
    local_1_value[u1] = local_1[0][u1];
  }
  hls::vector<std::int32_t, 1> sum_1;
  sum_1[0] = local_1_value[0] + local_1_value[1];
  op_4_fifo.write(sum_1[0] + local_1_value[2]);
}

// concat: 42 iterations, II 1
void t_concat(hls::stream<hls::vector<std::int32_t, 2>> &op_2_fifo_1,
              hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_3,
              hls::stream<hls::vector<std::int32_t, 2>> &op_fifo_4,
              hls::stream<hls::vector<std::int32_t, 2>> &t_fifo) {
#pragma HLS inline off
  hls::vector<std::int32_t, 2> op_2_fifo_1_token;
  hls::vector<std::int32_t, 2> op_fifo_3_token;
  hls::vector<std::int32_t, 2> op_fifo_4_token;
t_concat_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
t_concat_i1:
    for (int i1 = 0; i1 < 7; ++i1) {
t_concat_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (i1 <= 2) {
          op_2_fifo_1_token = op_2_fifo_1.read();
        }
        if (i1 <= 2) {
          t_fifo.write(op_2_fifo_1_token);
        }
        if (i1 >= 3 && i1 <= 4) {
          op_fifo_3_token = op_fifo_3.read();
        }
        if (i1 >= 3 && i1 <= 4) {
          t_fifo.write(op_fifo_3_token);
        }
        if (i1 >= 5) {
          op_fifo_4_token = op_fifo_4.read();
        }
        if (i1 >= 5) {
          t_fifo.write(op_fifo_4_token);
        }
      }
    }
  }
}

// store: 42 iterations, II 1
void result0_store(hls::stream<hls::vector<std::int32_t, 2>> &t_fifo,
                   hls::vector<std::int32_t, 2> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
result0_store_i1:
    for (int i1 = 0; i1 < 7; ++i1) {
result0_store_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> t_fifo_token = t_fifo.read();
        result0[i0 * 14 + i1 * 2 + i2] = t_fifo_token;
      }
    }
  }
}

// store: 12 iterations, II 1
void result1_store(hls::stream<hls::vector<float, 7>> &op_3_fifo, hls::vector<float, 8> *result1) {
#pragma HLS inline off
result1_store_i0:
  for (int i0 = 0; i0 < 6; ++i0) {
result1_store_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<float, 7> op_3_fifo_token = op_3_fifo.read();
      hls::vector<float, 8> result1_word{};
      for (int u2 = 0; u2 < 7; ++u2) {
#pragma HLS unroll
        result1_word[u2] = op_3_fifo_token[u2];
      }
      result1[i0 * 2 + i1] = result1_word;
    }
  }
}

// store: 1 iterations, II 1
void result2_store(hls::stream<std::int32_t> &op_4_fifo, std::int32_t *result2) {
#pragma HLS inline off
  const std::int32_t op_4_fifo_token = op_4_fifo.read();
  result2[0] = op_4_fifo_token;
}

// store: 18 iterations, II 1
void result3_store(hls::stream<hls::vector<std::int32_t, 2>> &op_2_fifo_2,
                   hls::vector<std::int32_t, 2> *result3) {
#pragma HLS inline off
result3_store_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
result3_store_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
result3_store_i2:
      for (int i2 = 0; i2 < 2; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const hls::vector<std::int32_t, 2> op_2_fifo_2_token = op_2_fifo_2.read();
        result3[i0 * 6 + i1 * 2 + i2] = op_2_fifo_2_token;
      }
    }
  }
}

} // namespace accelerator_tasks

using namespace accelerator_tasks;

extern "C" void accelerator(const hls::vector<std::int8_t, 4> *arg0, const std::int32_t *arg5,
                            const hls::vector<std::int8_t, 8> *arg1,
                            const hls::vector<std::int32_t, 2> *arg2,
                            const hls::vector<float, 8> *arg3, const hls::vector<float, 8> *arg4,
                            hls::vector<std::int32_t, 2> *result0, hls::vector<float, 8> *result1,
                            std::int32_t *result2, hls::vector<std::int32_t, 2> *result3) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=6 max_read_burst_length=8 num_read_outstanding=8
#pragma HLS interface mode=m_axi port=arg5 bundle=gmem_arg5 offset=slave depth=18 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=18 max_read_burst_length=32 num_read_outstanding=5
#pragma HLS interface mode=m_axi port=arg3 bundle=gmem_arg3 offset=slave depth=12 max_read_burst_length=16 num_read_outstanding=6
#pragma HLS interface mode=m_axi port=arg4 bundle=gmem_arg4 offset=slave depth=12 max_read_burst_length=16 num_read_outstanding=6
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=42 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result1 bundle=gmem_result1 offset=slave depth=12 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result2 bundle=gmem_result2 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result3 bundle=gmem_result3 offset=slave depth=18 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg5 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=arg3 bundle=control
#pragma HLS interface mode=s_axilite port=arg4 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=result1 bundle=control
#pragma HLS interface mode=s_axilite port=result2 bundle=control
#pragma HLS interface mode=s_axilite port=result3 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<std::int8_t, 4>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int8_t, 8>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=4
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_fifo_1("op_fifo_1");
#pragma HLS stream variable=op_fifo_1 depth=8
#pragma HLS bind_storage variable=op_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_fifo_2("op_fifo_2");
#pragma HLS stream variable=op_fifo_2 depth=2
#pragma HLS bind_storage variable=op_fifo_2 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_fifo_3("op_fifo_3");
#pragma HLS stream variable=op_fifo_3 depth=12
#pragma HLS bind_storage variable=op_fifo_3 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_fifo_4("op_fifo_4");
#pragma HLS stream variable=op_fifo_4 depth=12
#pragma HLS bind_storage variable=op_fifo_4 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> t_repeated_fifo("t_repeated_fifo");
#pragma HLS stream variable=t_repeated_fifo depth=24
#pragma HLS bind_storage variable=t_repeated_fifo type=fifo impl=lutram
  hls::stream<hls::vector<std::int32_t, 2>> t_repeated_fifo_1("t_repeated_fifo_1");
#pragma HLS stream variable=t_repeated_fifo_1 depth=6
#pragma HLS bind_storage variable=t_repeated_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_1_fifo("op_1_fifo");
#pragma HLS stream variable=op_1_fifo depth=2
#pragma HLS bind_storage variable=op_1_fifo type=fifo impl=srl
  hls::stream_of_blocks<op_1_in1_block_block_t, 2> op_1_in1_block;
#pragma HLS array_partition variable=op_1_in1_block type=cyclic factor=2 dim=1
#pragma HLS array_partition variable=op_1_in1_block type=cyclic factor=2 dim=2
#pragma HLS bind_storage variable=op_1_in1_block type=ram_2p impl=lutram
  hls::stream_of_blocks<op_1_result_block_t, 2> op_1_result;
#pragma HLS array_partition variable=op_1_result type=complete dim=1
#pragma HLS array_partition variable=op_1_result type=complete dim=2
#pragma HLS array_partition variable=op_1_result type=cyclic factor=2 dim=3
#pragma HLS bind_storage variable=op_1_result type=ram_2p impl=lutram
  hls::stream<hls::vector<std::int32_t, 4>> op_1_result_fifo("op_1_result_fifo");
#pragma HLS stream variable=op_1_result_fifo depth=2
#pragma HLS bind_storage variable=op_1_result_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=2
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_2_fifo("op_2_fifo");
#pragma HLS stream variable=op_2_fifo depth=2
#pragma HLS bind_storage variable=op_2_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_2_fifo_1("op_2_fifo_1");
#pragma HLS stream variable=op_2_fifo_1 depth=2
#pragma HLS bind_storage variable=op_2_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> op_2_fifo_2("op_2_fifo_2");
#pragma HLS stream variable=op_2_fifo_2 depth=2
#pragma HLS bind_storage variable=op_2_fifo_2 type=fifo impl=srl
  hls::stream<hls::vector<float, 7>> arg3_fifo("arg3_fifo");
#pragma HLS stream variable=arg3_fifo depth=2
#pragma HLS bind_storage variable=arg3_fifo type=fifo impl=srl
  hls::stream<hls::vector<float, 7>> arg4_fifo("arg4_fifo");
#pragma HLS stream variable=arg4_fifo depth=2
#pragma HLS bind_storage variable=arg4_fifo type=fifo impl=srl
  hls::stream<hls::vector<float, 7>> op_3_fifo("op_3_fifo");
#pragma HLS stream variable=op_3_fifo depth=2
#pragma HLS bind_storage variable=op_3_fifo type=fifo impl=srl
  hls::stream<std::int32_t> arg5_fifo("arg5_fifo");
#pragma HLS stream variable=arg5_fifo depth=2
#pragma HLS bind_storage variable=arg5_fifo type=fifo impl=srl
  hls::stream<std::int32_t> op_4_fifo("op_4_fifo");
#pragma HLS stream variable=op_4_fifo depth=2
#pragma HLS bind_storage variable=op_4_fifo type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=2
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(arg0_fifo, arg1_fifo, op_fifo);
  accelerator_tasks::op_fork(op_fifo, op_fifo_1, op_fifo_2, op_fifo_3, op_fifo_4);
  accelerator_tasks::t_repeat(op_fifo_1, t_repeated_fifo);
  accelerator_tasks::t_repeat_1(op_fifo_2, t_repeated_fifo_1);
  accelerator_tasks::op_1_in1_fill(t_repeated_fifo_1, op_1_in1_block);
  accelerator_tasks::op_1(t_repeated_fifo, op_1_in1_block, op_1_result_fifo);
  accelerator_tasks::op_1_result_collect(op_1_result_fifo, op_1_result);
  accelerator_tasks::op_1_drain(op_1_result, op_1_fifo);
  accelerator_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_tasks::op_2(arg2_fifo, op_1_fifo, op_2_fifo);
  accelerator_tasks::op_2_fork(op_2_fifo, op_2_fifo_1, op_2_fifo_2);
  accelerator_tasks::arg3_load(arg3, arg3_fifo);
  accelerator_tasks::arg4_load(arg4, arg4_fifo);
  accelerator_tasks::op_3(arg3_fifo, arg4_fifo, op_3_fifo);
  accelerator_tasks::arg5_load(arg5, arg5_fifo);
  accelerator_tasks::op_4(arg5_fifo, op_4_fifo);
  accelerator_tasks::t_concat(op_2_fifo_1, op_fifo_3, op_fifo_4, t_fifo);
  accelerator_tasks::result0_store(t_fifo, result0);
  accelerator_tasks::result1_store(op_3_fifo, result1);
  accelerator_tasks::result2_store(op_4_fifo, result2);
  accelerator_tasks::result3_store(op_2_fifo_2, result3);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"op_1_in1_block", "op_1_result"});
    accelerator(static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[0]),
                static_cast<const std::int32_t *>(st_ports[1]),
                static_cast<const hls::vector<std::int8_t, 8> *>(st_ports[2]),
                static_cast<const hls::vector<std::int32_t, 2> *>(st_ports[3]),
                static_cast<const hls::vector<float, 8> *>(st_ports[4]),
                static_cast<const hls::vector<float, 8> *>(st_ports[5]),
                static_cast<hls::vector<std::int32_t, 2> *>(st_ports[6]),
                static_cast<hls::vector<float, 8> *>(st_ports[7]),
                static_cast<std::int32_t *>(st_ports[8]),
                static_cast<hls::vector<std::int32_t, 2> *>(st_ports[9]));
  });
}
