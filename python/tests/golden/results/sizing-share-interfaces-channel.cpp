// Design 'steps': a dataflow region of 4 leaf tasks.
#include "steps.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace steps_tasks {

// load: 64 iterations, II 1
void first_load(const hls::vector<float, 16> *w, hls::stream<hls::vector<float, 16>> &first) {
#pragma HLS inline off
first_load_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> w_word = w[i0];
    first.write(w_word);
  }
}

// load: 1 iterations, II 1
void second_load(const hls::vector<float, 16> *w_1, hls::stream<hls::vector<float, 16>> &second) {
#pragma HLS inline off
  const hls::vector<float, 16> w_1_word = w_1[0];
  second.write(w_1_word);
}

// load: 1 iterations, II 1
void third_load(const hls::vector<float, 16> *w_2, hls::stream<hls::vector<float, 16>> &third) {
#pragma HLS inline off
  const hls::vector<float, 16> w_2_word = w_2[0];
  third.write(w_2_word);
}

// compute: 64 iterations, II 1
void sum(hls::stream<hls::vector<float, 16>> &first, hls::stream<hls::vector<float, 16>> &second,
         hls::stream<hls::vector<float, 16>> &third, hls::vector<float, 16> *y) {
#pragma HLS inline off
  hls::vector<float, 16> second_token;
  hls::vector<float, 16> third_token;
sum_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> first_token = first.read();
    if (i0 == 0) {
      second_token = second.read();
    }
    if (i0 == 0) {
      third_token = third.read();
    }
    hls::vector<float, 16> sum_1;
    for (int u0 = 0; u0 < 16; ++u0) {
#pragma HLS unroll
      const float lane_sum = second_token[u0] + third_token[u0];
#pragma HLS bind_op variable=lane_sum op=fadd impl=fulldsp latency=6
      const float lane_sum_1 = first_token[u0] + lane_sum;
#pragma HLS bind_op variable=lane_sum_1 op=fadd impl=fulldsp latency=6
      sum_1[u0] = lane_sum_1;
    }
    y[i0] = sum_1;
  }
}

} // namespace steps_tasks

extern "C" void steps(const hls::vector<float, 16> *w, const hls::vector<float, 16> *w_1,
                      const hls::vector<float, 16> *w_2, hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=w_1 bundle=gmem_w_1 offset=slave depth=64 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=w_2 bundle=gmem_w_2 offset=slave depth=64 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=w_1 bundle=control
#pragma HLS interface mode=s_axilite port=w_2 bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> first("first");
#pragma HLS stream variable=first depth=2
#pragma HLS bind_storage variable=first type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> second("second");
#pragma HLS stream variable=second depth=2
#pragma HLS bind_storage variable=second type=fifo impl=srl
  hls::stream<hls::vector<float, 16>> third("third");
#pragma HLS stream variable=third depth=2
#pragma HLS bind_storage variable=third type=fifo impl=srl

  steps_tasks::first_load(w, first);
  steps_tasks::second_load(w_1, second);
  steps_tasks::third_load(w_2, third);
  steps_tasks::sum(first, second, third, y);
}

// The call through which a native run enters 'steps'.
#include "steps.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int steps_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    steps(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
          static_cast<const hls::vector<float, 16> *>(st_ports[1]),
          static_cast<const hls::vector<float, 16> *>(st_ports[2]),
          static_cast<hls::vector<float, 16> *>(st_ports[3]));
  });
}
