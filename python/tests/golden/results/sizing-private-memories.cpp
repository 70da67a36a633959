// Design 'accumulators': a dataflow region of 2 leaf tasks.
#include "accumulators.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace accumulators_tasks {

// compute: 40960 iterations, II 1
void near_1(const float *x, float *near) {
#pragma HLS inline off
  float local[10][1024];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=10 dependent=true
near_1_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
near_1_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
near_1_i2:
      for (int i2 = 0; i2 < 10; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float x_word = x[i1 * 2048 + i0];
        const float sum = local[i2][i0] + x_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
        local[i2][i0] = sum;
        near[i2 * 64 + i0 / 16] = sum;
      }
    }
  }
}

// compute: 65536 iterations, II 1
void far_1(const float *x_1, float *far) {
#pragma HLS inline off
  float local[16][1024];
#pragma HLS bind_storage variable=local type=ram_2p impl=uram latency=3
#pragma HLS dependence variable=local type=inter direction=RAW distance=16 dependent=true
far_1_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
far_1_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
far_1_i2:
      for (int i2 = 0; i2 < 16; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float x_1_word = x_1[i1 * 2048 + i0 + 1024];
        const float sum = local[i2][i0] + x_1_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
        local[i2][i0] = sum;
        far[i2 * 64 + i0 / 16] = sum;
      }
    }
  }
}

} // namespace accumulators_tasks

extern "C" void accumulators(const float *x, const float *x_1, float *near, float *far) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8192 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=x_1 bundle=gmem_x_1 offset=slave depth=8192 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=near bundle=gmem_near offset=slave depth=640 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=m_axi port=far bundle=gmem_far offset=slave depth=1024 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=x_1 bundle=control
#pragma HLS interface mode=s_axilite port=near bundle=control
#pragma HLS interface mode=s_axilite port=far bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  accumulators_tasks::near_1(x, near);
  accumulators_tasks::far_1(x_1, far);
}

// The call through which a native run enters 'accumulators'.
#include "accumulators.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int accumulators_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    accumulators(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
                 static_cast<float *>(st_ports[2]), static_cast<float *>(st_ports[3]));
  });
}
