// Design 'accelerator': a dataflow region of 13 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 3 iterations, II 3
void arg0_load(const hls::vector<double, 8> *arg0,
               hls::stream<hls::vector<double, 18>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=3 style=flp
    hls::vector<double, 8> arg0_word[3];
#pragma HLS array_partition variable=arg0_word type=complete dim=0
    for (int word = 0; word < 3; ++word) {
#pragma HLS unroll
      arg0_word[word] = arg0[i0 * 3 + word];
    }
    double arg0_value[1][3][6];
#pragma HLS array_partition variable=arg0_value type=complete dim=0
    for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 6; ++u2) {
#pragma HLS unroll
        arg0_value[0][u1][u2] = arg0_word[u1][u2];
      }
    }
    hls::vector<double, 18> arg0_fifo_token;
    for (int u0 = 0; u0 < 18; ++u0) {
#pragma HLS unroll
      arg0_fifo_token[u0] = arg0_value[0][u0 / 6][u0 % 6];
    }
    arg0_fifo.write(arg0_fifo_token);
  }
}

// load: 3 iterations, II 1
void t_load(const hls::vector<double, 4> *t, hls::stream<hls::vector<double, 3>> &t_fifo) {
#pragma HLS inline off
t_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 4> t_word = t[i0];
    hls::vector<double, 3> t_value;
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      t_value[u2] = t_word[u2];
    }
    t_fifo.write(t_value);
  }
}

// compute: 25 iterations, II 1 in fill, then II 1 in fill_1, then II 1 in core, then II 1 in drain
void op(hls::stream<hls::vector<double, 18>> &arg0_fifo,
        hls::stream<hls::vector<double, 3>> &t_fifo, hls::stream<hls::vector<double, 3>> &op_fifo) {
#pragma HLS inline off
  double local_0[1][3][18];
#pragma HLS array_partition variable=local_0 type=complete dim=2
#pragma HLS array_partition variable=local_0 type=complete dim=3
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=43 dependent=true
  double local_1[1][3][3];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS array_partition variable=local_1 type=complete dim=3
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=43 dependent=true
  double local_2[1][18][3];
#pragma HLS array_partition variable=local_2 type=complete dim=2
#pragma HLS array_partition variable=local_2 type=complete dim=3
#pragma HLS dependence variable=local_2 type=inter direction=RAW distance=2 dependent=true
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 3; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 18> arg0_fifo_token = arg0_fifo.read();
    for (int u2 = 0; u2 < 18; ++u2) {
#pragma HLS unroll
      local_0[0][fill_i0][u2] = arg0_fifo_token[u2];
    }
  }
op_fill_1_i0:
  for (int fill_1_i0 = 0; fill_1_i0 < 3; ++fill_1_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 3> t_fifo_token = t_fifo.read();
    for (int u2_1 = 0; u2_1 < 3; ++u2_1) {
#pragma HLS unroll
      local_1[0][fill_1_i0][u2_1] = t_fifo_token[u2_1];
    }
  }
  double local_0_value[1][3][18];
#pragma HLS array_partition variable=local_0_value type=complete dim=0
  for (int u1_2 = 0; u1_2 < 3; ++u1_2) {
#pragma HLS unroll
    for (int u2_2 = 0; u2_2 < 18; ++u2_2) {
#pragma HLS unroll
      local_0_value[0][u1_2][u2_2] = local_0[0][u1_2][u2_2];
    }
  }
  double local_1_value[1][3][3];
#pragma HLS array_partition variable=local_1_value type=complete dim=0
  for (int u1_2 = 0; u1_2 < 3; ++u1_2) {
#pragma HLS unroll
    for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
      local_1_value[0][u1_2][u2_2] = local_1[0][u1_2][u2_2];
    }
  }
  double product[3][18][3];
#pragma HLS array_partition variable=product type=complete dim=0
  for (int u0_2 = 0; u0_2 < 3; ++u0_2) {
#pragma HLS unroll
    for (int u1_2 = 0; u1_2 < 18; ++u1_2) {
#pragma HLS unroll
      for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
        const double lane_product = local_0_value[0][u0_2][u1_2] * local_1_value[0][u2_2][u0_2];
#pragma HLS bind_op variable=lane_product op=dmul impl=maxdsp latency=6
        product[u0_2][u1_2][u2_2] = lane_product;
      }
    }
  }
  for (int u1_2 = 0; u1_2 < 18; ++u1_2) {
#pragma HLS unroll
    for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
      const double lane_sum = product[0][u1_2][u2_2] + product[1][u1_2][u2_2];
#pragma HLS bind_op variable=lane_sum op=dadd impl=fulldsp latency=12
      const double lane_sum_1 = lane_sum + product[2][u1_2][u2_2];
#pragma HLS bind_op variable=lane_sum_1 op=dadd impl=fulldsp latency=12
      const double lane_sum_2 = 0.25 + lane_sum_1;
#pragma HLS bind_op variable=lane_sum_2 op=dadd impl=fulldsp latency=12
      local_2[0][u1_2][u2_2] = lane_sum_2;
    }
  }
op_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 18; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<double, 3> local_2_value;
    for (int u2_3 = 0; u2_3 < 3; ++u2_3) {
#pragma HLS unroll
      local_2_value[u2_3] = local_2[0][drain_i0][u2_3];
    }
    hls::vector<double, 3> op_fifo_token;
    for (int u0_3 = 0; u0_3 < 3; ++u0_3) {
#pragma HLS unroll
      op_fifo_token[u0_3] = local_2_value[u0_3];
    }
    op_fifo.write(op_fifo_token);
  }
}

// compute: 18 iterations, II 1
void op_1(hls::stream<hls::vector<double, 3>> &op_fifo,
          hls::stream<hls::vector<double, 3>> &op_1_fifo) {
#pragma HLS inline off
op_1_i0:
  for (int i0 = 0; i0 < 18; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 3> op_fifo_token = op_fifo.read();
    hls::vector<double, 3> chosen;
    for (int u0 = 0; u0 < 3; ++u0) {
#pragma HLS unroll
      chosen[u0] = (i0 < 17) ? op_fifo_token[u0] : 0.0;
    }
    op_1_fifo.write(chosen);
  }
}

// load: 1 iterations, II 9
void arg1_load(const hls::vector<double, 8> *arg1, hls::stream<hls::vector<double, 36>> &arg1_fifo,
               hls::stream<hls::vector<double, 36>> &arg1_fifo_1) {
#pragma HLS inline off
  hls::vector<double, 8> arg1_word[9];
#pragma HLS array_partition variable=arg1_word type=complete dim=0
  for (int word = 0; word < 9; ++word) {
#pragma HLS unroll
    arg1_word[word] = arg1[0 + word];
  }
  double arg1_value[18][4];
#pragma HLS array_partition variable=arg1_value type=complete dim=0
  for (int u0 = 0; u0 < 18; ++u0) {
#pragma HLS unroll
    for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
      arg1_value[u0][u1] = arg1_word[(u0 * 4 + u1) / 8][(u0 * 4 + u1) % 8];
    }
  }
  hls::vector<double, 36> arg1_fifo_token;
  for (int u0 = 0; u0 < 36; ++u0) {
#pragma HLS unroll
    arg1_fifo_token[u0] = arg1_value[u0 / 4][u0 % 4];
  }
  arg1_fifo.write(arg1_fifo_token);
  hls::vector<double, 36> arg1_fifo_1_token;
  for (int u0 = 0; u0 < 36; ++u0) {
#pragma HLS unroll
    arg1_fifo_1_token[u0] = arg1_value[u0 / 4 + 9][u0 % 4];
  }
  arg1_fifo_1.write(arg1_fifo_1_token);
}

// compute: 21 iterations, II 1 in fill, then II 1 in core
void op_2(hls::stream<hls::vector<double, 3>> &op_1_fifo,
          hls::stream<hls::vector<double, 36>> &arg1_fifo,
          hls::stream<hls::vector<double, 36>> &arg1_fifo_1,
          hls::stream<hls::vector<double, 4>> &op_2_fifo) {
#pragma HLS inline off
  double local[1][18][3];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS array_partition variable=local type=complete dim=3
#pragma HLS dependence variable=local type=inter direction=RAW distance=80 dependent=true
  hls::vector<double, 36> arg1_fifo_token;
  hls::vector<double, 36> arg1_fifo_1_token;
op_2_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 18; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 3> op_1_fifo_token = op_1_fifo.read();
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      local[0][fill_i0][u2] = op_1_fifo_token[u2];
    }
  }
op_2_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    if (core_i0 == 0) {
      arg1_fifo_token = arg1_fifo.read();
    }
    hls::vector<double, 18> local_value;
    for (int u1_1 = 0; u1_1 < 18; ++u1_1) {
#pragma HLS unroll
      local_value[u1_1] = local[0][u1_1][core_i0];
    }
    hls::vector<double, 72> insert_strided_slice;
    for (int u0_1 = 0; u0_1 < 72; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice[u0_1] = 0.0;
    }
    for (int u0_1 = 0; u0_1 < 36; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice[u0_1] = arg1_fifo_token[u0_1];
    }
    if (core_i0 == 0) {
      arg1_fifo_1_token = arg1_fifo_1.read();
    }
    hls::vector<double, 72> insert_strided_slice_1;
    for (int u0_1 = 0; u0_1 < 72; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice_1[u0_1] = insert_strided_slice[u0_1];
    }
    for (int u0_1 = 0; u0_1 < 36; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice_1[u0_1 + 36] = arg1_fifo_1_token[u0_1];
    }
    double product[18][4];
#pragma HLS array_partition variable=product type=complete dim=0
    for (int u0_1 = 0; u0_1 < 18; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        const double lane_product = local_value[u0_1] * insert_strided_slice_1[u0_1 * 4 + u1_1];
#pragma HLS bind_op variable=lane_product op=dmul impl=maxdsp latency=6
        product[u0_1][u1_1] = lane_product;
      }
    }
    double sum[9][4];
#pragma HLS array_partition variable=sum type=complete dim=0
    for (int u0_1 = 0; u0_1 < 9; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        const double lane_sum = product[u0_1][u1_1] + product[u0_1 + 9][u1_1];
#pragma HLS bind_op variable=lane_sum op=dadd impl=fulldsp latency=12
        sum[u0_1][u1_1] = lane_sum;
      }
    }
    double sum_1[4][4];
#pragma HLS array_partition variable=sum_1 type=complete dim=0
    for (int u0_1 = 0; u0_1 < 4; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        const double lane_sum_1 = sum[u0_1][u1_1] + sum[u0_1 + 4][u1_1];
#pragma HLS bind_op variable=lane_sum_1 op=dadd impl=fulldsp latency=12
        sum_1[u0_1][u1_1] = lane_sum_1;
      }
    }
    double sum_2[2][4];
#pragma HLS array_partition variable=sum_2 type=complete dim=0
    for (int u0_1 = 0; u0_1 < 2; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 4; ++u1_1) {
#pragma HLS unroll
        const double lane_sum_2 = sum_1[u0_1][u1_1] + sum_1[u0_1 + 2][u1_1];
#pragma HLS bind_op variable=lane_sum_2 op=dadd impl=fulldsp latency=12
        sum_2[u0_1][u1_1] = lane_sum_2;
      }
    }
    hls::vector<double, 4> sum_3;
    for (int u0_1 = 0; u0_1 < 4; ++u0_1) {
#pragma HLS unroll
      const double lane_sum_3 = sum_2[0][u0_1] + sum_2[1][u0_1];
#pragma HLS bind_op variable=lane_sum_3 op=dadd impl=fulldsp latency=12
      const double lane_sum_4 = lane_sum_3 + sum[8][u0_1];
#pragma HLS bind_op variable=lane_sum_4 op=dadd impl=fulldsp latency=12
      const double lane_sum_5 = 0.0 + lane_sum_4;
#pragma HLS bind_op variable=lane_sum_5 op=dadd impl=fulldsp latency=12
      sum_3[u0_1] = lane_sum_5;
    }
    hls::vector<double, 4> op_2_fifo_token;
    for (int u0_1 = 0; u0_1 < 4; ++u0_1) {
#pragma HLS unroll
      op_2_fifo_token[u0_1] = sum_3[u0_1];
    }
    op_2_fifo.write(op_2_fifo_token);
  }
}

// load: 3 iterations, II 1
void t_1_load(const hls::vector<double, 4> *t_1, hls::stream<hls::vector<double, 3>> &t_1_fifo) {
#pragma HLS inline off
t_1_load_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 4> t_1_word = t_1[i0];
    hls::vector<double, 3> t_1_value;
    for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
      t_1_value[u2] = t_1_word[u2];
    }
    t_1_fifo.write(t_1_value);
  }
}

// compute: 4 iterations, II 1 in core, then II 1 in drain
void op_3(hls::stream<hls::vector<double, 3>> &t_1_fifo, hls::stream<double> &op_3_fifo) {
#pragma HLS inline off
  double local[1][3];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=5 dependent=true
op_3_core_i0:
  for (int core_i0 = 0; core_i0 < 3; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 3> t_1_fifo_token = t_1_fifo.read();
    hls::vector<double, 1> smallest;
    smallest[0] = st::minimum(t_1_fifo_token[0], t_1_fifo_token[1]);
    local[0][core_i0] = st::minimum(double(INFINITY), st::minimum(smallest[0], t_1_fifo_token[2]));
  }
  hls::vector<double, 3> local_value;
  for (int u1 = 0; u1 < 3; ++u1) {
#pragma HLS unroll
    local_value[u1] = local[0][u1];
  }
  hls::vector<double, 1> smallest_1;
  smallest_1[0] = st::minimum(local_value[0], local_value[1]);
  op_3_fifo.write(st::minimum(smallest_1[0], local_value[2]));
}

// load: 6 iterations, II 1
void arg2_load(const hls::vector<double, 4> *arg2, hls::stream<hls::vector<double, 3>> &arg2_fifo) {
#pragma HLS inline off
arg2_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
arg2_load_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<double, 4> arg2_word = arg2[i0 * 3 + i1];
      hls::vector<double, 3> arg2_value;
      for (int u4 = 0; u4 < 3; ++u4) {
#pragma HLS unroll
        arg2_value[u4] = arg2_word[u4];
      }
      arg2_fifo.write(arg2_value);
    }
  }
}

// compute: 12 iterations, II 1 in fill, then II 1 in core, then II 1 in drain
void op_4(hls::stream<hls::vector<double, 3>> &arg2_fifo,
          hls::stream<hls::vector<double, 3>> &op_4_fifo) {
#pragma HLS inline off
  double local_0[1][2][3][3];
#pragma HLS array_partition variable=local_0 type=complete dim=4
#pragma HLS bind_storage variable=local_0 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_0 type=inter direction=RAW distance=4 dependent=true
  double local_1[1][2][2][3];
#pragma HLS array_partition variable=local_1 type=complete dim=2
#pragma HLS array_partition variable=local_1 type=complete dim=4
#pragma HLS bind_storage variable=local_1 type=ram_2p impl=lutram
#pragma HLS dependence variable=local_1 type=inter direction=RAW distance=4 dependent=true
op_4_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 2; ++fill_i0) {
op_4_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 3; ++fill_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<double, 3> arg2_fifo_token = arg2_fifo.read();
      for (int u3 = 0; u3 < 3; ++u3) {
#pragma HLS unroll
        local_0[0][fill_i0][fill_i1][u3] = arg2_fifo_token[u3];
      }
    }
  }
op_4_core_i0:
  for (int core_i0 = 0; core_i0 < 2; ++core_i0) {
op_4_core_i1:
    for (int core_i1 = 0; core_i1 < 2; ++core_i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      for (int u3_1 = 0; u3_1 < 3; ++u3_1) {
#pragma HLS unroll
        local_1[0][core_i1][core_i0][u3_1] = st::minimum(double(INFINITY), local_0[0][core_i0][core_i1 * 2][u3_1]);
      }
    }
  }
op_4_drain_i0:
  for (int drain_i0 = 0; drain_i0 < 2; ++drain_i0) {
#pragma HLS pipeline II=1 style=flp
    double local_1_value[1][2][1][3];
#pragma HLS array_partition variable=local_1_value type=complete dim=0
    for (int u1_2 = 0; u1_2 < 2; ++u1_2) {
#pragma HLS unroll
      for (int u3_2 = 0; u3_2 < 3; ++u3_2) {
#pragma HLS unroll
        local_1_value[0][u1_2][0][u3_2] = local_1[0][u1_2][drain_i0][u3_2];
      }
    }
    hls::vector<double, 3> smallest;
    for (int u2_2 = 0; u2_2 < 3; ++u2_2) {
#pragma HLS unroll
      smallest[u2_2] = st::minimum(local_1_value[0][0][0][u2_2], local_1_value[0][1][0][u2_2]);
    }
    hls::vector<double, 3> op_4_fifo_token;
    for (int u0_2 = 0; u0_2 < 3; ++u0_2) {
#pragma HLS unroll
      op_4_fifo_token[u0_2] = smallest[u0_2];
    }
    op_4_fifo.write(op_4_fifo_token);
  }
}

// store: 1 iterations, II 1
void result0_store(hls::stream<double> &op_3_fifo, double *result0) {
#pragma HLS inline off
  const double op_3_fifo_token = op_3_fifo.read();
  result0[0] = op_3_fifo_token;
}

// store: 3 iterations, II 1
void result1_store(hls::stream<hls::vector<double, 4>> &op_2_fifo,
                   hls::vector<double, 4> *result1) {
#pragma HLS inline off
result1_store_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 4> op_2_fifo_token = op_2_fifo.read();
    result1[i0] = op_2_fifo_token;
  }
}

// store: 2 iterations, II 1
void result2_store(hls::stream<hls::vector<double, 3>> &op_4_fifo,
                   hls::vector<double, 4> *result2) {
#pragma HLS inline off
result2_store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 3> op_4_fifo_token = op_4_fifo.read();
    hls::vector<double, 4> result2_word{};
    for (int u3 = 0; u3 < 3; ++u3) {
#pragma HLS unroll
      result2_word[u3] = op_4_fifo_token[u3];
    }
    result2[i0] = result2_word;
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const hls::vector<double, 8> *arg1, const hls::vector<double, 8> *arg0,
                            const hls::vector<double, 4> *t, const hls::vector<double, 4> *t_1,
                            const hls::vector<double, 4> *arg2, double *result0,
                            hls::vector<double, 4> *result1, hls::vector<double, 4> *result2) {
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=9 max_read_burst_length=64 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=9 max_read_burst_length=64 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=t bundle=gmem_t offset=slave depth=3 max_read_burst_length=4 num_read_outstanding=11
#pragma HLS interface mode=m_axi port=t_1 bundle=gmem_t_1 offset=slave depth=3 max_read_burst_length=4 num_read_outstanding=11
#pragma HLS interface mode=m_axi port=arg2 bundle=gmem_arg2 offset=slave depth=6 max_read_burst_length=8 num_read_outstanding=8
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result1 bundle=gmem_result1 offset=slave depth=3 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=result2 bundle=gmem_result2 offset=slave depth=2 max_write_burst_length=2 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=t bundle=control
#pragma HLS interface mode=s_axilite port=t_1 bundle=control
#pragma HLS interface mode=s_axilite port=arg2 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=result1 bundle=control
#pragma HLS interface mode=s_axilite port=result2 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<double, 18>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 3>> t_fifo("t_fifo");
#pragma HLS stream variable=t_fifo depth=3
#pragma HLS bind_storage variable=t_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 3>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 3>> op_1_fifo("op_1_fifo");
#pragma HLS stream variable=op_1_fifo depth=2
#pragma HLS bind_storage variable=op_1_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 36>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 36>> arg1_fifo_1("arg1_fifo_1");
#pragma HLS stream variable=arg1_fifo_1 depth=2
#pragma HLS bind_storage variable=arg1_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<double, 4>> op_2_fifo("op_2_fifo");
#pragma HLS stream variable=op_2_fifo depth=2
#pragma HLS bind_storage variable=op_2_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 3>> t_1_fifo("t_1_fifo");
#pragma HLS stream variable=t_1_fifo depth=2
#pragma HLS bind_storage variable=t_1_fifo type=fifo impl=srl
  hls::stream<double> op_3_fifo("op_3_fifo");
#pragma HLS stream variable=op_3_fifo depth=2
#pragma HLS bind_storage variable=op_3_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 3>> arg2_fifo("arg2_fifo");
#pragma HLS stream variable=arg2_fifo depth=2
#pragma HLS bind_storage variable=arg2_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 3>> op_4_fifo("op_4_fifo");
#pragma HLS stream variable=op_4_fifo depth=2
#pragma HLS bind_storage variable=op_4_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::t_load(t, t_fifo);
  accelerator_tasks::op(arg0_fifo, t_fifo, op_fifo);
  accelerator_tasks::op_1(op_fifo, op_1_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo, arg1_fifo_1);
  accelerator_tasks::op_2(op_1_fifo, arg1_fifo, arg1_fifo_1, op_2_fifo);
  accelerator_tasks::t_1_load(t_1, t_1_fifo);
  accelerator_tasks::op_3(t_1_fifo, op_3_fifo);
  accelerator_tasks::arg2_load(arg2, arg2_fifo);
  accelerator_tasks::op_4(arg2_fifo, op_4_fifo);
  accelerator_tasks::result0_store(op_3_fifo, result0);
  accelerator_tasks::result1_store(op_2_fifo, result1);
  accelerator_tasks::result2_store(op_4_fifo, result2);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const hls::vector<double, 8> *>(st_ports[0]),
                static_cast<const hls::vector<double, 8> *>(st_ports[1]),
                static_cast<const hls::vector<double, 4> *>(st_ports[2]),
                static_cast<const hls::vector<double, 4> *>(st_ports[3]),
                static_cast<const hls::vector<double, 4> *>(st_ports[4]),
                static_cast<double *>(st_ports[5]),
                static_cast<hls::vector<double, 4> *>(st_ports[6]),
                static_cast<hls::vector<double, 4> *>(st_ports[7]));
  });
}
