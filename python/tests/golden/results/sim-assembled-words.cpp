// Design 'rows': a dataflow region of 3 leaf tasks.
#include "rows.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace rows_tasks {

using rows_1_block_t = float[1024][64];

// load: 65536 iterations, II 1
void x_load(const float *x, hls::stream<float> &f) {
#pragma HLS inline off
x_load_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
x_load_i1:
    for (int i1 = 0; i1 < 64; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 64 + i1];
      f.write(x_word);
    }
  }
}

// convert_in: 65536 iterations, II 1
void in(hls::stream<float> &f, hls::stream_of_blocks<rows_1_block_t, 1> &rows_1) {
#pragma HLS inline off
  float local[1][8];
#pragma HLS array_partition variable=local type=complete dim=2
  hls::vector<float, 8> local_value;
  hls::write_lock<rows_1_block_t> rows_1_block(rows_1);
in_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
in_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
in_i2:
      for (int i2 = 0; i2 < 8; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float f_token = f.read();
        local[0][i2] = f_token;
        if (i2 == 7) {
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            local_value[u1] = local[0][u1];
          }
        }
        if (i2 == 7) {
          for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
            rows_1_block[i0][i1 * 8 + u1] = local_value[u1];
          }
        }
      }
    }
  }
}

// store: 8192 iterations, II 1
void y_store(hls::stream_of_blocks<rows_1_block_t, 1> &rows_1, hls::vector<float, 8> *y) {
#pragma HLS inline off
  hls::read_lock<rows_1_block_t> rows_1_block(rows_1);
y_store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
y_store_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      hls::vector<float, 8> y_word;
      for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
        y_word[u1] = rows_1_block[i1][i0 * 8 + u1];
      }
      y[i1 * 8 + i0] = y_word;
    }
  }
}

} // namespace rows_tasks

using namespace rows_tasks;

extern "C" void rows(const float *x, hls::vector<float, 8> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=65536 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8192 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream_of_blocks<rows_1_block_t, 1> rows_1;
#pragma HLS array_reshape variable=rows_1 type=cyclic factor=8 dim=2
#pragma HLS bind_storage variable=rows_1 type=ram_2p impl=uram latency=3

  rows_tasks::x_load(x, f);
  rows_tasks::in(f, rows_1);
  rows_tasks::y_store(rows_1, y);
}

// The call through which a native run enters 'rows'.
#include "rows.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int rows_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    const st::BlockNames block_names({"rows_1"});
    rows(static_cast<const float *>(st_ports[0]),
         static_cast<hls::vector<float, 8> *>(st_ports[1]));
  });
}
