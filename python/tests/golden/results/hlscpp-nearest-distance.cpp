// Design 'two_taps': a dataflow region of 2 leaf tasks.
#include "two_taps.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace two_taps_tasks {

// compute: 160 iterations, II 1
void far_first(const float *x, hls::stream<float> &a) {
#pragma HLS inline off
  float local[40];
#pragma HLS bind_storage variable=local type=ram_1wnr impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=20 dependent=true
  int i0_mod_40 = 0;
far_first_i0:
  for (int i0 = 0; i0 < 160; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    const float sum = x_word + local[i0_mod_40];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    const float sum_1 = sum + local[st::wrap(i0_mod_40 + 20, 40)];
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    local[i0_mod_40] = sum_1;
    a.write(sum_1);
    if (++i0_mod_40 == 40) {
      i0_mod_40 = 0;
    }
  }
}

// compute: 160 iterations, II 1
void near_first(hls::stream<float> &a, float *y) {
#pragma HLS inline off
  float local[40];
#pragma HLS bind_storage variable=local type=ram_1wnr impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=20 dependent=true
  int i0_mod_40 = 0;
near_first_i0:
  for (int i0 = 0; i0 < 160; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float a_token = a.read();
    const float sum = a_token + local[i0_mod_40];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    const float sum_1 = sum + local[st::wrap(i0_mod_40 + 20, 40)];
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    local[i0_mod_40] = sum_1;
    y[i0] = sum_1;
    if (++i0_mod_40 == 40) {
      i0_mod_40 = 0;
    }
  }
}

} // namespace two_taps_tasks

extern "C" void two_taps(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=160 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=160 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl

  two_taps_tasks::far_first(x, a);
  two_taps_tasks::near_first(a, y);
}

// The call through which a native run enters 'two_taps'.
#include "two_taps.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int two_taps_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    two_taps(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
