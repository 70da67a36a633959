// Design 'memories': a dataflow region of 3 leaf tasks.
#include "memories.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace memories_tasks {

using tile_block_t = float[16][64];
using whole_block_t = float[1024][64];

// fill: 512 iterations, II 4
void fill(const float *x, hls::stream_of_blocks<tile_block_t, 2> &tile) {
#pragma HLS inline off
fill_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
    hls::write_lock<tile_block_t> tile_block(tile);
fill_i1:
    for (int i1 = 0; i1 < 4; ++i1) {
fill_i2:
      for (int i2 = 0; i2 < 64; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=4 style=flp
        hls::vector<float, 4> x_value;
        for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
          x_value[u0] = x[i0 * 1024 + i1 * 256 + u0 * 64 + i2];
          tile_block[i1 * 4 + u0][i2] = x_value[u0];
        }
      }
    }
  }
}

// drain: 256 iterations, II 1
void drain(hls::stream_of_blocks<tile_block_t, 2> &tile,
           hls::stream_of_blocks<whole_block_t, 1> &whole) {
#pragma HLS inline off
  float local[8];
#pragma HLS array_partition variable=local type=complete dim=1
  hls::write_lock<whole_block_t> whole_block(whole);
drain_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
    hls::read_lock<tile_block_t> tile_block(tile);
drain_i1:
    for (int i1 = 0; i1 < 16; ++i1) {
drain_i2:
      for (int i2 = 0; i2 < 8; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        hls::vector<float, 8> tile_block_value;
        for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
          tile_block_value[u1] = tile_block[i1][i2 * 8 + u1];
          whole_block[i0 * 16 + i1][i2 * 8 + u1] = tile_block_value[u1];
        }
        for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
          local[u0] = tile_block_value[u0];
        }
      }
    }
  }
}

// store: 8192 iterations, II 1
void store(hls::stream_of_blocks<whole_block_t, 1> &whole, hls::vector<float, 8> *y) {
#pragma HLS inline off
  hls::read_lock<whole_block_t> whole_block(whole);
store_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> y_word;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        y_word[u1] = whole_block[i0][i1 * 8 + u1];
      }
      y[i0 * 8 + i1] = y_word;
    }
  }
}

} // namespace memories_tasks

using namespace memories_tasks;

extern "C" void memories(const float *x, hls::vector<float, 8> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=2048 max_read_burst_length=256 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8192 max_write_burst_length=128 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream_of_blocks<tile_block_t, 2> tile;
#pragma HLS array_partition variable=tile type=cyclic factor=4 dim=1
#pragma HLS array_partition variable=tile type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=tile type=ram_2p impl=lutram
  hls::stream_of_blocks<whole_block_t, 1> whole;
#pragma HLS array_reshape variable=whole type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=whole type=ram_2p impl=uram latency=3

  memories_tasks::fill(x, tile);
  memories_tasks::drain(tile, whole);
  memories_tasks::store(whole, y);
}

// The call through which a native run enters 'memories'.
#include "memories.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int memories_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"tile", "whole"});
    memories(static_cast<const float *>(st_ports[0]),
             static_cast<hls::vector<float, 8> *>(st_ports[1]));
  });
}
