// Design 'transpose': a dataflow region of 3 leaf tasks.
#include "transpose.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace transpose_tasks {

// load: at most 96 iterations, II 1
void load(const float *x, hls::stream<float> &a, int n) {
#pragma HLS inline off
  int i0 = 0;
  int i1 = 0;
  int i2 = 0;
load_iteration:
  for (int iteration = 0; iteration < 12 * n * 2; ++iteration) {
#pragma HLS loop_tripcount max=96
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0 * 8 + i1 * 2 + i2];
    a.write(x_word);
    if (++i2 == 2) {
      i2 = 0;
      if (++i1 == n) {
        i1 = 0;
        ++i0;
      }
    }
  }
}

// compute: at most 104 iterations, II 1 in fill, drain
void swap(hls::stream<float> &a, hls::stream<float> &c, int n) {
#pragma HLS inline off
  float local[2][4][2];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=2 dependent=true
#pragma HLS dependence variable=local type=intra dependent=false
  int step = 0, turn = 0;
  int fill_i0 = 0, fill_i1 = 0, fill_i2 = 0;
  int drain_i0 = 0, drain_i1 = 0, drain_i2 = 0;
  const int fill_turns = n * 2;
  const int drain_turns = 2 * n;
  const int iterations = 1 * fill_turns + 1 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 1 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 1 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 5 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 1 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 1 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 1 * (fill_turns > drain_turns ? fill_turns : drain_turns) + 1 * drain_turns;
swap_steps:
  for (int iteration = 0; iteration < iterations; ++iteration) {
#pragma HLS loop_tripcount max=104
#pragma HLS pipeline II=1 style=flp
    if (step < 12 && turn < fill_turns) {
      const float a_token = a.read();
      local[fill_i0 % 2][fill_i1][fill_i2] = a_token;
      if (++fill_i2 == 2) {
        fill_i2 = 0;
        if (++fill_i1 == n) {
          fill_i1 = 0;
          ++fill_i0;
        }
      }
    }
    if (step >= 1 && turn < drain_turns) {
      c.write(local[drain_i0 % 2][drain_i2][drain_i1]);
      if (++drain_i2 == n) {
        drain_i2 = 0;
        if (++drain_i1 == 2) {
          drain_i1 = 0;
          ++drain_i0;
        }
      }
    }
    if ((step < 12 && turn + 1 < fill_turns) || (step >= 1 && turn + 1 < drain_turns)) {
      ++turn;
    } else {
      turn = 0;
      ++step;
    }
  }
}

// store: at most 96 iterations, II 1
void store(hls::stream<float> &c, float *y, int n) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
store_i2:
      for (int i2 = 0; i2 < n; ++i2) {
#pragma HLS loop_tripcount max=4
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1 style=flp
        const float c_token = c.read();
        y[i0 * 8 + i1 * 4 + i2] = c_token;
      }
    }
  }
}

} // namespace transpose_tasks

extern "C" void transpose(const float *x, float *y, int n) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=96 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=96 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=n bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=32
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=32
#pragma HLS bind_storage variable=c type=fifo impl=srl

  transpose_tasks::load(x, a, n);
  transpose_tasks::swap(a, c, n);
  transpose_tasks::store(c, y, n);
}

// The call through which a native run enters 'transpose'.
#include "transpose.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int transpose_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    transpose(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]),
              st::scalar("n", st_ports[2], 1, 4));
  });
}
