// Design 'turned': a dataflow region of 2 leaf tasks.
#include "turned.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace turned_tasks {

// compute: at most 64 iterations, II 1
void split(const float *x, hls::stream<float> &late, hls::stream<float> &first, int early) {
#pragma HLS inline off
split_i0:
  for (int i0 = 0; i0 < 64; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    if (i0 + early <= 63) {
      late.write(x_word);
    }
    if (i0 + early >= 64) {
      first.write(x_word);
    }
  }
}

// compute: at most 123 iterations, II 1 in early, then II 1 in late
void turn(hls::stream<float> &first, hls::stream<float> &late, float *y, float *z, int early) {
#pragma HLS inline off
turn_early_i1:
  for (int early_i1 = 0; early_i1 < early; ++early_i1) {
#pragma HLS loop_tripcount max=60
#pragma HLS pipeline II=1 style=flp
    const float first_token = first.read();
    y[early_i1] = first_token;
  }
  const int late_i1_count = -early + 64;
turn_late_i1:
  for (int late_i1 = 0; late_i1 < late_i1_count; ++late_i1) {
#pragma HLS loop_tripcount max=63
#pragma HLS pipeline II=1 style=flp
    const float late_token = late.read();
    z[late_i1] = late_token;
  }
}

} // namespace turned_tasks

extern "C" void turned(const float *x, float *y, float *z, int early) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=64 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=64 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=64 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=early bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> late("late");
#pragma HLS stream variable=late depth=63
#pragma HLS bind_storage variable=late type=fifo impl=lutram
  hls::stream<float> first("first");
#pragma HLS stream variable=first depth=32
#pragma HLS bind_storage variable=first type=fifo impl=srl

  turned_tasks::split(x, late, first, early);
  turned_tasks::turn(first, late, y, z, early);
}

// The call through which a native run enters 'turned'.
#include "turned.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int turned_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    turned(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]),
           static_cast<float *>(st_ports[2]), st::scalar("early", st_ports[3], 1, 60));
  });
}
