// Design 'accelerator': a dataflow region of 4 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 2 iterations, II 1
void arg0_load(const hls::vector<double, 8> *arg0, hls::stream<hls::vector<double, 6>> &arg0_fifo) {
#pragma HLS inline off
arg0_load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 8> arg0_word = arg0[i0];
    hls::vector<double, 6> arg0_value;
    for (int u1 = 0; u1 < 6; ++u1) {
#pragma HLS unroll
      arg0_value[u1] = arg0_word[u1];
    }
    arg0_fifo.write(arg0_value);
  }
}

// load: 4 iterations, II 1
void arg1_load(const hls::vector<double, 8> *arg1_s0, const hls::vector<double, 8> *arg1_s1,
               const hls::vector<double, 8> *arg1_s2, const hls::vector<double, 8> *arg1_s3,
               const hls::vector<double, 8> *arg1_s4, const hls::vector<double, 8> *arg1_s5,
               const hls::vector<double, 8> *arg1_s6, const hls::vector<double, 8> *arg1_s7,
               const hls::vector<double, 8> *arg1_s8, const hls::vector<double, 8> *arg1_s9,
               const hls::vector<double, 8> *arg1_s10, const hls::vector<double, 8> *arg1_s11,
               hls::stream<hls::vector<double, 48>> &arg1_fifo,
               hls::stream<hls::vector<double, 48>> &arg1_fifo_1) {
#pragma HLS inline off
arg1_load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    hls::vector<double, 8> arg1_s0_word[12];
#pragma HLS array_partition variable=arg1_s0_word type=complete dim=0
    arg1_s0_word[0] = arg1_s0[i0];
    arg1_s0_word[1] = arg1_s1[i0];
    arg1_s0_word[2] = arg1_s2[i0];
    arg1_s0_word[3] = arg1_s3[i0];
    arg1_s0_word[4] = arg1_s4[i0];
    arg1_s0_word[5] = arg1_s5[i0];
    arg1_s0_word[6] = arg1_s6[i0];
    arg1_s0_word[7] = arg1_s7[i0];
    arg1_s0_word[8] = arg1_s8[i0];
    arg1_s0_word[9] = arg1_s9[i0];
    arg1_s0_word[10] = arg1_s10[i0];
    arg1_s0_word[11] = arg1_s11[i0];
    double arg1_s0_value[8][12];
#pragma HLS array_partition variable=arg1_s0_value type=complete dim=0
    for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 12; ++u1) {
#pragma HLS unroll
        arg1_s0_value[u0][u1] = arg1_s0_word[u1][u0];
      }
    }
    hls::vector<double, 48> arg1_fifo_token;
    for (int u0 = 0; u0 < 48; ++u0) {
#pragma HLS unroll
      arg1_fifo_token[u0] = arg1_s0_value[u0 / 12][u0 % 12];
    }
    arg1_fifo.write(arg1_fifo_token);
    hls::vector<double, 48> arg1_fifo_1_token;
    for (int u0 = 0; u0 < 48; ++u0) {
#pragma HLS unroll
      arg1_fifo_1_token[u0] = arg1_s0_value[u0 / 12 + 4][u0 % 12];
    }
    arg1_fifo_1.write(arg1_fifo_1_token);
  }
}

// compute: 6 iterations, II 1 in fill, then II 1 in core
void op(hls::stream<hls::vector<double, 6>> &arg0_fifo,
        hls::stream<hls::vector<double, 48>> &arg1_fifo,
        hls::stream<hls::vector<double, 48>> &arg1_fifo_1,
        hls::stream<hls::vector<double, 8>> &op_fifo) {
#pragma HLS inline off
  double local[1][12];
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=68 dependent=true
op_fill_i0:
  for (int fill_i0 = 0; fill_i0 < 2; ++fill_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 6> arg0_fifo_token = arg0_fifo.read();
    for (int u1 = 0; u1 < 6; ++u1) {
#pragma HLS unroll
      local[0][fill_i0 * 6 + u1] = arg0_fifo_token[u1];
    }
  }
op_core_i0:
  for (int core_i0 = 0; core_i0 < 4; ++core_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 48> arg1_fifo_token = arg1_fifo.read();
    hls::vector<double, 12> local_value;
    for (int u1_1 = 0; u1_1 < 12; ++u1_1) {
#pragma HLS unroll
      local_value[u1_1] = local[0][u1_1];
    }
    hls::vector<double, 96> insert_strided_slice;
    for (int u0_1 = 0; u0_1 < 96; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice[u0_1] = 0.0;
    }
    for (int u0_1 = 0; u0_1 < 48; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice[u0_1] = arg1_fifo_token[u0_1];
    }
    const hls::vector<double, 48> arg1_fifo_1_token = arg1_fifo_1.read();
    hls::vector<double, 96> insert_strided_slice_1;
    for (int u0_1 = 0; u0_1 < 96; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice_1[u0_1] = insert_strided_slice[u0_1];
    }
    for (int u0_1 = 0; u0_1 < 48; ++u0_1) {
#pragma HLS unroll
      insert_strided_slice_1[u0_1 + 48] = arg1_fifo_1_token[u0_1];
    }
    double product[12][8];
#pragma HLS array_partition variable=product type=complete dim=0
    for (int u0_1 = 0; u0_1 < 12; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 8; ++u1_1) {
#pragma HLS unroll
        const double lane_product = local_value[u0_1] * insert_strided_slice_1[u1_1 * 12 + u0_1];
#pragma HLS bind_op variable=lane_product op=dmul impl=maxdsp latency=6
        product[u0_1][u1_1] = lane_product;
      }
    }
    double sum[6][8];
#pragma HLS array_partition variable=sum type=complete dim=0
    for (int u0_1 = 0; u0_1 < 6; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 8; ++u1_1) {
#pragma HLS unroll
        const double lane_sum = product[u0_1][u1_1] + product[u0_1 + 6][u1_1];
#pragma HLS bind_op variable=lane_sum op=dadd impl=fulldsp latency=12
        sum[u0_1][u1_1] = lane_sum;
      }
    }
    double sum_1[3][8];
#pragma HLS array_partition variable=sum_1 type=complete dim=0
    for (int u0_1 = 0; u0_1 < 3; ++u0_1) {
#pragma HLS unroll
      for (int u1_1 = 0; u1_1 < 8; ++u1_1) {
#pragma HLS unroll
        const double lane_sum_1 = sum[u0_1][u1_1] + sum[u0_1 + 3][u1_1];
#pragma HLS bind_op variable=lane_sum_1 op=dadd impl=fulldsp latency=12
        sum_1[u0_1][u1_1] = lane_sum_1;
      }
    }
    hls::vector<double, 8> sum_2;
    for (int u0_1 = 0; u0_1 < 8; ++u0_1) {
#pragma HLS unroll
      const double lane_sum_2 = sum_1[0][u0_1] + sum_1[1][u0_1];
#pragma HLS bind_op variable=lane_sum_2 op=dadd impl=fulldsp latency=12
      const double lane_sum_3 = lane_sum_2 + sum_1[2][u0_1];
#pragma HLS bind_op variable=lane_sum_3 op=dadd impl=fulldsp latency=12
      const double lane_sum_4 = 0.0 + lane_sum_3;
#pragma HLS bind_op variable=lane_sum_4 op=dadd impl=fulldsp latency=12
      sum_2[u0_1] = lane_sum_4;
    }
    op_fifo.write(sum_2);
  }
}

// store: 4 iterations, II 1
void result0_store(hls::stream<hls::vector<double, 8>> &op_fifo, hls::vector<double, 8> *result0) {
#pragma HLS inline off
result0_store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<double, 8> op_fifo_token = op_fifo.read();
    result0[i0] = op_fifo_token;
  }
}

} // namespace accelerator_tasks

extern "C" void accelerator(const hls::vector<double, 8> *arg1_s0,
                            const hls::vector<double, 8> *arg1_s1,
                            const hls::vector<double, 8> *arg1_s2,
                            const hls::vector<double, 8> *arg1_s3,
                            const hls::vector<double, 8> *arg1_s4,
                            const hls::vector<double, 8> *arg1_s5,
                            const hls::vector<double, 8> *arg1_s6,
                            const hls::vector<double, 8> *arg1_s7,
                            const hls::vector<double, 8> *arg1_s8,
                            const hls::vector<double, 8> *arg1_s9,
                            const hls::vector<double, 8> *arg1_s10,
                            const hls::vector<double, 8> *arg1_s11,
                            const hls::vector<double, 8> *arg0, hls::vector<double, 8> *result0) {
#pragma HLS interface mode=m_axi port=arg1_s0 bundle=gmem_arg1_s0 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s1 bundle=gmem_arg1_s1 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s2 bundle=gmem_arg1_s2 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s3 bundle=gmem_arg1_s3 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s4 bundle=gmem_arg1_s4 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s5 bundle=gmem_arg1_s5 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s6 bundle=gmem_arg1_s6 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s7 bundle=gmem_arg1_s7 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s8 bundle=gmem_arg1_s8 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s9 bundle=gmem_arg1_s9 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s10 bundle=gmem_arg1_s10 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg1_s11 bundle=gmem_arg1_s11 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=2 max_read_burst_length=2 num_read_outstanding=12
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=arg1_s0 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s1 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s2 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s3 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s4 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s5 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s6 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s7 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s8 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s9 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s10 bundle=control
#pragma HLS interface mode=s_axilite port=arg1_s11 bundle=control
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<double, 6>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 48>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<double, 48>> arg1_fifo_1("arg1_fifo_1");
#pragma HLS stream variable=arg1_fifo_1 depth=2
#pragma HLS bind_storage variable=arg1_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<double, 8>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=2
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1_s0, arg1_s1, arg1_s2, arg1_s3, arg1_s4, arg1_s5, arg1_s6,
                               arg1_s7, arg1_s8, arg1_s9, arg1_s10, arg1_s11, arg1_fifo,
                               arg1_fifo_1);
  accelerator_tasks::op(arg0_fifo, arg1_fifo, arg1_fifo_1, op_fifo);
  accelerator_tasks::result0_store(op_fifo, result0);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const hls::vector<double, 8> *>(st_ports[0]),
                static_cast<const hls::vector<double, 8> *>(st_ports[1]),
                static_cast<const hls::vector<double, 8> *>(st_ports[2]),
                static_cast<const hls::vector<double, 8> *>(st_ports[3]),
                static_cast<const hls::vector<double, 8> *>(st_ports[4]),
                static_cast<const hls::vector<double, 8> *>(st_ports[5]),
                static_cast<const hls::vector<double, 8> *>(st_ports[6]),
                static_cast<const hls::vector<double, 8> *>(st_ports[7]),
                static_cast<const hls::vector<double, 8> *>(st_ports[8]),
                static_cast<const hls::vector<double, 8> *>(st_ports[9]),
                static_cast<const hls::vector<double, 8> *>(st_ports[10]),
                static_cast<const hls::vector<double, 8> *>(st_ports[11]),
                static_cast<const hls::vector<double, 8> *>(st_ports[12]),
                static_cast<hls::vector<double, 8> *>(st_ports[13]));
  });
}
