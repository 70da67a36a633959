// Design 'double_buffer': a dataflow region of 4 leaf tasks.
#include "double_buffer.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace double_buffer_tasks {

using block_block_t = float[32];

// load: 128 iterations, II 1
void load(const float *x, hls::stream<float> &loaded) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 32 + i1];
      loaded.write(x_word);
    }
  }
}

// fill: 128 iterations, II 1
void fill(hls::stream<float> &loaded, hls::stream_of_blocks<block_block_t, 2> &block) {
#pragma HLS inline off
fill_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::write_lock<block_block_t> block_block(block);
fill_i1:
    for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS pipeline II=1 style=flp
      const float loaded_token = loaded.read();
      block_block[i1] = loaded_token;
    }
  }
}

// compute: 384 iterations, II 1
void use(hls::stream_of_blocks<block_block_t, 2> &block, hls::stream<float> &used) {
#pragma HLS inline off
use_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
    hls::read_lock<block_block_t> block_block(block);
use_i1:
    for (int i1 = 0; i1 < 3; ++i1) {
use_i2:
      for (int i2 = 0; i2 < 32; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        used.write(block_block[i2]);
      }
    }
  }
}

// store: 384 iterations, II 1
void store(hls::stream<float> &used, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 96; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float used_token = used.read();
      y[i0 * 96 + i1] = used_token;
    }
  }
}

} // namespace double_buffer_tasks

using namespace double_buffer_tasks;

extern "C" void double_buffer(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=128 max_read_burst_length=128 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=384 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> loaded("loaded");
#pragma HLS stream variable=loaded depth=9
#pragma HLS bind_storage variable=loaded type=fifo impl=srl
  hls::stream<float> used("used");
#pragma HLS stream variable=used depth=2
#pragma HLS bind_storage variable=used type=fifo impl=srl
  hls::stream_of_blocks<block_block_t, 2> block;
#pragma HLS bind_storage variable=block type=ram_2p impl=lutram

  double_buffer_tasks::load(x, loaded);
  double_buffer_tasks::fill(loaded, block);
  double_buffer_tasks::use(block, used);
  double_buffer_tasks::store(used, y);
}

// The call through which a native run enters 'double_buffer'.
#include "double_buffer.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int double_buffer_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"block"});
    double_buffer(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
