// Design 'reverse': a dataflow region of 3 leaf tasks.
#include "reverse.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace reverse_tasks {

using a_block_t = float[8];
using b_block_t = float[8];

// compute: 32 iterations, II 1
void fill(const float *x, hls::stream_of_blocks<a_block_t, 2> &a) {
#pragma HLS inline off
fill_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::write_lock<a_block_t> a_block(a);
fill_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 8 + i1];
      a_block[i1] = x_word;
    }
  }
}

// compute: 32 iterations, II 1
void both(hls::stream_of_blocks<a_block_t, 2> &a, hls::stream_of_blocks<b_block_t, 2> &b) {
#pragma HLS inline off
both_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::read_lock<a_block_t> a_block(a);
    hls::write_lock<b_block_t> b_block(b);
both_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
      b_block[i1] = a_block[-i1 + 7];
    }
  }
}

// compute: 32 iterations, II 1
void drain(hls::stream_of_blocks<b_block_t, 2> &b, float *y) {
#pragma HLS inline off
drain_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::read_lock<b_block_t> b_block(b);
drain_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
      y[i0 * 8 + i1] = b_block[-i1 + 7];
    }
  }
}

} // namespace reverse_tasks

using namespace reverse_tasks;

extern "C" void reverse(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream_of_blocks<a_block_t, 2> a;
#pragma HLS bind_storage variable=a type=ram_2p impl=lutram
  hls::stream_of_blocks<b_block_t, 2> b;
#pragma HLS bind_storage variable=b type=ram_2p impl=lutram

  reverse_tasks::fill(x, a);
  reverse_tasks::both(a, b);
  reverse_tasks::drain(b, y);
}

// The call through which a native run enters 'reverse'.
#include "reverse.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int reverse_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"a", "b"});
    reverse(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
