// Design 'accelerator': a dataflow region of 18 leaf tasks.
#include "accelerator.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accelerator_tasks {

// load: 1 iterations, II 1
void arg0_load(const hls::vector<std::int8_t, 4> *arg0,
               hls::stream<hls::vector<bool, 4>> &arg0_fifo) {
#pragma HLS inline off
  const hls::vector<std::int8_t, 4> arg0_word = arg0[0];
  hls::vector<bool, 4> arg0_value;
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    arg0_value[u0] = bool(arg0_word[u0]);
  }
  arg0_fifo.write(arg0_value);
}

// load: 1 iterations, II 1
void arg1_load(const hls::vector<std::int8_t, 4> *arg1,
               hls::stream<hls::vector<bool, 4>> &arg1_fifo) {
#pragma HLS inline off
  const hls::vector<std::int8_t, 4> arg1_word = arg1[0];
  hls::vector<bool, 4> arg1_value;
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    arg1_value[u0] = bool(arg1_word[u0]);
  }
  arg1_fifo.write(arg1_value);
}

// compute: 1 iterations, II 1
void op(hls::stream<hls::vector<bool, 4>> &arg0_fifo, hls::stream<hls::vector<bool, 4>> &arg1_fifo,
        hls::stream<hls::vector<bool, 4>> &op_fifo, hls::stream<hls::vector<bool, 4>> &op_fifo_1,
        hls::stream<hls::vector<bool, 4>> &op_fifo_2, hls::stream<hls::vector<bool, 4>> &op_fifo_3,
        hls::stream<hls::vector<bool, 4>> &op_fifo_4, hls::stream<hls::vector<bool, 4>> &op_fifo_5,
        hls::stream<hls::vector<bool, 4>> &op_fifo_6, hls::stream<hls::vector<bool, 4>> &op_fifo_7,
        hls::stream<hls::vector<bool, 4>> &op_fifo_8, hls::stream<hls::vector<bool, 4>> &op_fifo_9,
        hls::stream<hls::vector<bool, 4>> &op_fifo_10,
        hls::stream<hls::vector<bool, 4>> &op_fifo_11,
        hls::stream<hls::vector<bool, 4>> &op_fifo_12,
        hls::stream<hls::vector<bool, 4>> &op_fifo_13,
        hls::stream<hls::vector<bool, 4>> &op_fifo_14) {
#pragma HLS inline off
  const hls::vector<bool, 4> arg0_fifo_token = arg0_fifo.read();
  const hls::vector<bool, 4> arg1_fifo_token = arg1_fifo.read();
  hls::vector<bool, 4> sum;
  hls::vector<bool, 4> difference;
  hls::vector<bool, 4> product;
  hls::vector<bool, 4> largest;
  hls::vector<bool, 4> smallest;
  hls::vector<bool, 4> largest_1;
  hls::vector<bool, 4> smallest_1;
  hls::vector<bool, 4> holds;
  hls::vector<bool, 4> holds_1;
  hls::vector<bool, 4> holds_2;
  hls::vector<bool, 4> holds_3;
  hls::vector<bool, 4> holds_4;
  hls::vector<bool, 4> holds_5;
  hls::vector<bool, 4> holds_6;
  hls::vector<bool, 4> holds_7;
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    sum[u0] = arg0_fifo_token[u0] != arg1_fifo_token[u0];
    difference[u0] = arg0_fifo_token[u0] != arg1_fifo_token[u0];
    product[u0] = arg0_fifo_token[u0] & arg1_fifo_token[u0];
    largest[u0] = arg0_fifo_token[u0] & arg1_fifo_token[u0];
    smallest[u0] = arg0_fifo_token[u0] | arg1_fifo_token[u0];
    largest_1[u0] = arg0_fifo_token[u0] | arg1_fifo_token[u0];
    smallest_1[u0] = arg0_fifo_token[u0] & arg1_fifo_token[u0];
    holds[u0] = arg1_fifo_token[u0] < arg0_fifo_token[u0];
    holds_1[u0] = arg1_fifo_token[u0] <= arg0_fifo_token[u0];
    holds_2[u0] = arg1_fifo_token[u0] > arg0_fifo_token[u0];
    holds_3[u0] = arg1_fifo_token[u0] >= arg0_fifo_token[u0];
    holds_4[u0] = bool(arg0_fifo_token[u0]) < bool(arg1_fifo_token[u0]);
    holds_5[u0] = bool(arg0_fifo_token[u0]) <= bool(arg1_fifo_token[u0]);
    holds_6[u0] = bool(arg0_fifo_token[u0]) > bool(arg1_fifo_token[u0]);
    holds_7[u0] = bool(arg0_fifo_token[u0]) >= bool(arg1_fifo_token[u0]);
  }
  op_fifo.write(sum);
  op_fifo_1.write(difference);
  op_fifo_2.write(product);
  op_fifo_3.write(largest);
  op_fifo_4.write(smallest);
  op_fifo_5.write(largest_1);
  op_fifo_6.write(smallest_1);
  op_fifo_7.write(holds);
  op_fifo_8.write(holds_1);
  op_fifo_9.write(holds_2);
  op_fifo_10.write(holds_3);
  op_fifo_11.write(holds_4);
  op_fifo_12.write(holds_5);
  op_fifo_13.write(holds_6);
  op_fifo_14.write(holds_7);
}

// store: 1 iterations, II 1
void result0_store(hls::stream<hls::vector<bool, 4>> &op_fifo,
                   hls::vector<std::int8_t, 4> *result0) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_token = op_fifo.read();
  hls::vector<std::int8_t, 4> result0_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result0_word[u0] = op_fifo_token[u0];
  }
  result0[0] = result0_word;
}

// store: 1 iterations, II 1
void result1_store(hls::stream<hls::vector<bool, 4>> &op_fifo_1,
                   hls::vector<std::int8_t, 4> *result1) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_1_token = op_fifo_1.read();
  hls::vector<std::int8_t, 4> result1_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result1_word[u0] = op_fifo_1_token[u0];
  }
  result1[0] = result1_word;
}

// store: 1 iterations, II 1
void result2_store(hls::stream<hls::vector<bool, 4>> &op_fifo_2,
                   hls::vector<std::int8_t, 4> *result2) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_2_token = op_fifo_2.read();
  hls::vector<std::int8_t, 4> result2_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result2_word[u0] = op_fifo_2_token[u0];
  }
  result2[0] = result2_word;
}

// store: 1 iterations, II 1
void result3_store(hls::stream<hls::vector<bool, 4>> &op_fifo_3,
                   hls::vector<std::int8_t, 4> *result3) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_3_token = op_fifo_3.read();
  hls::vector<std::int8_t, 4> result3_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result3_word[u0] = op_fifo_3_token[u0];
  }
  result3[0] = result3_word;
}

// store: 1 iterations, II 1
void result4_store(hls::stream<hls::vector<bool, 4>> &op_fifo_4,
                   hls::vector<std::int8_t, 4> *result4) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_4_token = op_fifo_4.read();
  hls::vector<std::int8_t, 4> result4_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result4_word[u0] = op_fifo_4_token[u0];
  }
  result4[0] = result4_word;
}

// store: 1 iterations, II 1
void result5_store(hls::stream<hls::vector<bool, 4>> &op_fifo_5,
                   hls::vector<std::int8_t, 4> *result5) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_5_token = op_fifo_5.read();
  hls::vector<std::int8_t, 4> result5_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result5_word[u0] = op_fifo_5_token[u0];
  }
  result5[0] = result5_word;
}

// store: 1 iterations, II 1
void result6_store(hls::stream<hls::vector<bool, 4>> &op_fifo_6,
                   hls::vector<std::int8_t, 4> *result6) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_6_token = op_fifo_6.read();
  hls::vector<std::int8_t, 4> result6_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result6_word[u0] = op_fifo_6_token[u0];
  }
  result6[0] = result6_word;
}

// store: 1 iterations, II 1
void result7_store(hls::stream<hls::vector<bool, 4>> &op_fifo_7,
                   hls::vector<std::int8_t, 4> *result7) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_7_token = op_fifo_7.read();
  hls::vector<std::int8_t, 4> result7_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result7_word[u0] = op_fifo_7_token[u0];
  }
  result7[0] = result7_word;
}

// store: 1 iterations, II 1
void result8_store(hls::stream<hls::vector<bool, 4>> &op_fifo_8,
                   hls::vector<std::int8_t, 4> *result8) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_8_token = op_fifo_8.read();
  hls::vector<std::int8_t, 4> result8_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result8_word[u0] = op_fifo_8_token[u0];
  }
  result8[0] = result8_word;
}

// store: 1 iterations, II 1
void result9_store(hls::stream<hls::vector<bool, 4>> &op_fifo_9,
                   hls::vector<std::int8_t, 4> *result9) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_9_token = op_fifo_9.read();
  hls::vector<std::int8_t, 4> result9_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result9_word[u0] = op_fifo_9_token[u0];
  }
  result9[0] = result9_word;
}

// store: 1 iterations, II 1
void result10_store(hls::stream<hls::vector<bool, 4>> &op_fifo_10,
                    hls::vector<std::int8_t, 4> *result10) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_10_token = op_fifo_10.read();
  hls::vector<std::int8_t, 4> result10_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result10_word[u0] = op_fifo_10_token[u0];
  }
  result10[0] = result10_word;
}

// store: 1 iterations, II 1
void result11_store(hls::stream<hls::vector<bool, 4>> &op_fifo_11,
                    hls::vector<std::int8_t, 4> *result11) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_11_token = op_fifo_11.read();
  hls::vector<std::int8_t, 4> result11_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result11_word[u0] = op_fifo_11_token[u0];
  }
  result11[0] = result11_word;
}

// store: 1 iterations, II 1
void result12_store(hls::stream<hls::vector<bool, 4>> &op_fifo_12,
                    hls::vector<std::int8_t, 4> *result12) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_12_token = op_fifo_12.read();
  hls::vector<std::int8_t, 4> result12_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result12_word[u0] = op_fifo_12_token[u0];
  }
  result12[0] = result12_word;
}

// store: 1 iterations, II 1
void result13_store(hls::stream<hls::vector<bool, 4>> &op_fifo_13,
                    hls::vector<std::int8_t, 4> *result13) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_13_token = op_fifo_13.read();
  hls::vector<std::int8_t, 4> result13_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result13_word[u0] = op_fifo_13_token[u0];
  }
  result13[0] = result13_word;
}

// store: 1 iterations, II 1
void result14_store(hls::stream<hls::vector<bool, 4>> &op_fifo_14,
                    hls::vector<std::int8_t, 4> *result14) {
#pragma HLS inline off
  const hls::vector<bool, 4> op_fifo_14_token = op_fifo_14.read();
  hls::vector<std::int8_t, 4> result14_word{};
  for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
    result14_word[u0] = op_fifo_14_token[u0];
  }
  result14[0] = result14_word;
}

} // namespace accelerator_tasks

extern "C" void accelerator(const hls::vector<std::int8_t, 4> *arg0,
                            const hls::vector<std::int8_t, 4> *arg1,
                            hls::vector<std::int8_t, 4> *result0,
                            hls::vector<std::int8_t, 4> *result1,
                            hls::vector<std::int8_t, 4> *result2,
                            hls::vector<std::int8_t, 4> *result3,
                            hls::vector<std::int8_t, 4> *result4,
                            hls::vector<std::int8_t, 4> *result5,
                            hls::vector<std::int8_t, 4> *result6,
                            hls::vector<std::int8_t, 4> *result7,
                            hls::vector<std::int8_t, 4> *result8,
                            hls::vector<std::int8_t, 4> *result9,
                            hls::vector<std::int8_t, 4> *result10,
                            hls::vector<std::int8_t, 4> *result11,
                            hls::vector<std::int8_t, 4> *result12,
                            hls::vector<std::int8_t, 4> *result13,
                            hls::vector<std::int8_t, 4> *result14) {
#pragma HLS interface mode=m_axi port=arg0 bundle=gmem_arg0 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=arg1 bundle=gmem_arg1 offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=result0 bundle=gmem_result0 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result1 bundle=gmem_result1 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result2 bundle=gmem_result2 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result3 bundle=gmem_result3 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result4 bundle=gmem_result4 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result5 bundle=gmem_result5 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result6 bundle=gmem_result6 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result7 bundle=gmem_result7 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result8 bundle=gmem_result8 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result9 bundle=gmem_result9 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result10 bundle=gmem_result10 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result11 bundle=gmem_result11 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result12 bundle=gmem_result12 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result13 bundle=gmem_result13 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=result14 bundle=gmem_result14 offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=arg0 bundle=control
#pragma HLS interface mode=s_axilite port=arg1 bundle=control
#pragma HLS interface mode=s_axilite port=result0 bundle=control
#pragma HLS interface mode=s_axilite port=result1 bundle=control
#pragma HLS interface mode=s_axilite port=result2 bundle=control
#pragma HLS interface mode=s_axilite port=result3 bundle=control
#pragma HLS interface mode=s_axilite port=result4 bundle=control
#pragma HLS interface mode=s_axilite port=result5 bundle=control
#pragma HLS interface mode=s_axilite port=result6 bundle=control
#pragma HLS interface mode=s_axilite port=result7 bundle=control
#pragma HLS interface mode=s_axilite port=result8 bundle=control
#pragma HLS interface mode=s_axilite port=result9 bundle=control
#pragma HLS interface mode=s_axilite port=result10 bundle=control
#pragma HLS interface mode=s_axilite port=result11 bundle=control
#pragma HLS interface mode=s_axilite port=result12 bundle=control
#pragma HLS interface mode=s_axilite port=result13 bundle=control
#pragma HLS interface mode=s_axilite port=result14 bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<bool, 4>> arg0_fifo("arg0_fifo");
#pragma HLS stream variable=arg0_fifo depth=2
#pragma HLS bind_storage variable=arg0_fifo type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> arg1_fifo("arg1_fifo");
#pragma HLS stream variable=arg1_fifo depth=2
#pragma HLS bind_storage variable=arg1_fifo type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo("op_fifo");
#pragma HLS stream variable=op_fifo depth=3
#pragma HLS bind_storage variable=op_fifo type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_1("op_fifo_1");
#pragma HLS stream variable=op_fifo_1 depth=3
#pragma HLS bind_storage variable=op_fifo_1 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_2("op_fifo_2");
#pragma HLS stream variable=op_fifo_2 depth=2
#pragma HLS bind_storage variable=op_fifo_2 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_3("op_fifo_3");
#pragma HLS stream variable=op_fifo_3 depth=3
#pragma HLS bind_storage variable=op_fifo_3 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_4("op_fifo_4");
#pragma HLS stream variable=op_fifo_4 depth=3
#pragma HLS bind_storage variable=op_fifo_4 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_5("op_fifo_5");
#pragma HLS stream variable=op_fifo_5 depth=3
#pragma HLS bind_storage variable=op_fifo_5 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_6("op_fifo_6");
#pragma HLS stream variable=op_fifo_6 depth=3
#pragma HLS bind_storage variable=op_fifo_6 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_7("op_fifo_7");
#pragma HLS stream variable=op_fifo_7 depth=3
#pragma HLS bind_storage variable=op_fifo_7 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_8("op_fifo_8");
#pragma HLS stream variable=op_fifo_8 depth=3
#pragma HLS bind_storage variable=op_fifo_8 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_9("op_fifo_9");
#pragma HLS stream variable=op_fifo_9 depth=3
#pragma HLS bind_storage variable=op_fifo_9 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_10("op_fifo_10");
#pragma HLS stream variable=op_fifo_10 depth=3
#pragma HLS bind_storage variable=op_fifo_10 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_11("op_fifo_11");
#pragma HLS stream variable=op_fifo_11 depth=3
#pragma HLS bind_storage variable=op_fifo_11 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_12("op_fifo_12");
#pragma HLS stream variable=op_fifo_12 depth=3
#pragma HLS bind_storage variable=op_fifo_12 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_13("op_fifo_13");
#pragma HLS stream variable=op_fifo_13 depth=3
#pragma HLS bind_storage variable=op_fifo_13 type=fifo impl=srl
  hls::stream<hls::vector<bool, 4>> op_fifo_14("op_fifo_14");
#pragma HLS stream variable=op_fifo_14 depth=3
#pragma HLS bind_storage variable=op_fifo_14 type=fifo impl=srl

  accelerator_tasks::arg0_load(arg0, arg0_fifo);
  accelerator_tasks::arg1_load(arg1, arg1_fifo);
  accelerator_tasks::op(arg0_fifo, arg1_fifo, op_fifo, op_fifo_1, op_fifo_2, op_fifo_3, op_fifo_4,
                        op_fifo_5, op_fifo_6, op_fifo_7, op_fifo_8, op_fifo_9, op_fifo_10,
                        op_fifo_11, op_fifo_12, op_fifo_13, op_fifo_14);
  accelerator_tasks::result0_store(op_fifo, result0);
  accelerator_tasks::result1_store(op_fifo_1, result1);
  accelerator_tasks::result2_store(op_fifo_2, result2);
  accelerator_tasks::result3_store(op_fifo_3, result3);
  accelerator_tasks::result4_store(op_fifo_4, result4);
  accelerator_tasks::result5_store(op_fifo_5, result5);
  accelerator_tasks::result6_store(op_fifo_6, result6);
  accelerator_tasks::result7_store(op_fifo_7, result7);
  accelerator_tasks::result8_store(op_fifo_8, result8);
  accelerator_tasks::result9_store(op_fifo_9, result9);
  accelerator_tasks::result10_store(op_fifo_10, result10);
  accelerator_tasks::result11_store(op_fifo_11, result11);
  accelerator_tasks::result12_store(op_fifo_12, result12);
  accelerator_tasks::result13_store(op_fifo_13, result13);
  accelerator_tasks::result14_store(op_fifo_14, result14);
}

// The call through which a native run enters 'accelerator'.
#include "accelerator.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accelerator_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accelerator(static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[0]),
                static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[1]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[2]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[3]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[4]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[5]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[6]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[7]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[8]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[9]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[10]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[11]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[12]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[13]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[14]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[15]),
                static_cast<hls::vector<std::int8_t, 4> *>(st_ports[16]));
  });
}
