// Design 'memories': a dataflow region of 2 leaf tasks.
#include "memories.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace memories_tasks {

// compute: 64 iterations, II 1 in fill, then II 1 in drain
void twice(const float *x, float *y) {
#pragma HLS inline off
  float local[32];
#pragma HLS bind_storage variable=local type=ram_1wnr impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=14 dependent=true
twice_fill_i1:
  for (int fill_i1 = 0; fill_i1 < 32; ++fill_i1) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[fill_i1];
    local[fill_i1] = x_word;
  }
twice_drain_i1:
  for (int drain_i1 = 0; drain_i1 < 32; ++drain_i1) {
#pragma HLS pipeline II=1 style=flp
    const float sum = local[drain_i1] + local[-drain_i1 + 31];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    y[drain_i1] = sum;
  }
}

// compute: 6144 iterations, II 1 in fill, then II 1 in drain
void both(const float *v, float *w) {
#pragma HLS inline off
  float local[4096];
#pragma HLS bind_storage variable=local type=ram_t2p impl=uram latency=3
#pragma HLS dependence variable=local type=inter direction=RAW distance=10 dependent=true
both_fill_i1:
  for (int fill_i1 = 0; fill_i1 < 2048; ++fill_i1) {
#pragma HLS pipeline II=1 style=flp
    const float v_word = v[fill_i1];
    const float sum = v_word + v_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    local[fill_i1] = sum;
    local[fill_i1 + 2048] = sum;
  }
both_drain_i1:
  for (int drain_i1 = 0; drain_i1 < 4096; ++drain_i1) {
#pragma HLS pipeline II=1 style=flp
    w[drain_i1] = local[drain_i1];
  }
}

} // namespace memories_tasks

extern "C" void memories(const float *x, const float *v, float *y, float *w) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=v bundle=gmem_v offset=slave depth=2048 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=4096 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=v bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  memories_tasks::twice(x, y);
  memories_tasks::both(v, w);
}

// The call through which a native run enters 'memories'.
#include "memories.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int memories_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    memories(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
             static_cast<float *>(st_ports[2]), static_cast<float *>(st_ports[3]));
  });
}
