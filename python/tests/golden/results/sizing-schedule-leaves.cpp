// Design 'schedules': a dataflow region of 4 leaf tasks.
#include "schedules.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace schedules_tasks {

// load: 128 iterations, II 2
void load_wide(const hls::vector<float, 16> *wide, hls::stream<hls::vector<float, 32>> &a) {
#pragma HLS inline off
load_wide_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
load_wide_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=2 style=flp
      hls::vector<float, 16> wide_word[2];
#pragma HLS array_partition variable=wide_word type=complete dim=0
      for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
        wide_word[word] = wide[i0 * 4 + i1 * 2 + word];
      }
      hls::vector<float, 32> wide_value;
      for (int u1 = 0; u1 < 32; ++u1) {
#pragma HLS unroll
        wide_value[u1] = wide_word[u1 / 16][u1 % 16];
      }
      a.write(wide_value);
    }
  }
}

// compute: 128 iterations, II 1
void narrow(hls::stream<hls::vector<float, 32>> &a, hls::stream<float> &b) {
#pragma HLS inline off
narrow_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 32> a_token = a.read();
    b.write(a_token[0]);
  }
}

// concat: 128 iterations, II 1
void concat(hls::stream<float> &b, hls::stream<float> &c) {
#pragma HLS inline off
concat_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float b_token = b.read();
    if (i0 >= 8) {
      const float product = b_token * b_token;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
      c.write(product);
    }
    if (i0 <= 7) {
      c.write(b_token);
    }
  }
}

// store: 128 iterations, II 1
void split_sum(hls::stream<float> &c, float *sum) {
#pragma HLS inline off
  float local[16];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=14 dependent=true
split_sum_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
split_sum_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float c_token = c.read();
      const float sum_1 = local[i1] + c_token;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
      local[i1] = sum_1;
      if (i0 == 7) {
        sum[i1] = sum_1;
      }
    }
  }
}

} // namespace schedules_tasks

extern "C" void schedules(const hls::vector<float, 16> *wide, float *sum) {
#pragma HLS interface mode=m_axi port=wide bundle=gmem_wide offset=slave depth=256 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=sum bundle=gmem_sum offset=slave depth=16 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=wide bundle=control
#pragma HLS interface mode=s_axilite port=sum bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 32>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl

  schedules_tasks::load_wide(wide, a);
  schedules_tasks::narrow(a, b);
  schedules_tasks::concat(b, c);
  schedules_tasks::split_sum(c, sum);
}

// The call through which a native run enters 'schedules'.
#include "schedules.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int schedules_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    schedules(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
              static_cast<float *>(st_ports[1]));
  });
}
