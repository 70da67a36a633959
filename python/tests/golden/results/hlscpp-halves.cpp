// Design 'transpose': a dataflow region of 3 leaf tasks.
#include "transpose.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace transpose_tasks {

// compute: 64 iterations, II 1 in fill, drain
void together(const float *x, hls::stream<float> &a) {
#pragma HLS inline off
  float local[2][4][4];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=7 dependent=true
#pragma HLS dependence variable=local type=intra dependent=false
  int step = 0, turn = 0;
  int fill_i0 = 0, fill_i1 = 0, fill_i2 = 0;
  int drain_i0 = 0, drain_i1 = 0, drain_i2 = 0;
together_steps:
  for (int iteration = 0; iteration < 64; ++iteration) {
#pragma HLS pipeline II=1 style=flp
    if (step < 3 && turn < 16) {
      const float x_word = x[fill_i0 * 16 + fill_i1 * 4 + fill_i2];
      local[fill_i0 % 2][fill_i1][fill_i2] = x_word;
      if (++fill_i2 == 4) {
        fill_i2 = 0;
        if (++fill_i1 == 4) {
          fill_i1 = 0;
          ++fill_i0;
        }
      }
    }
    if (step >= 1 && turn < 16) {
      a.write(local[drain_i0 % 2][drain_i2][drain_i1]);
      if (++drain_i2 == 4) {
        drain_i2 = 0;
        if (++drain_i1 == 4) {
          drain_i1 = 0;
          ++drain_i0;
        }
      }
    }
    if ((step < 3 && turn + 1 < 16) || (step >= 1 && turn + 1 < 16)) {
      ++turn;
    } else {
      turn = 0;
      ++step;
    }
  }
}

// compute: 64 iterations, II 1 in fill, drain
void sums(hls::stream<float> &a, hls::stream<float> &c) {
#pragma HLS inline off
  float local[2][4][4];
#pragma HLS bind_storage variable=local type=ram_1wnr impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=7 dependent=true
#pragma HLS dependence variable=local type=intra dependent=false
  int step = 0, turn = 0;
  int fill_i0 = 0, fill_i1 = 0, fill_i2 = 0;
  int drain_i0 = 0, drain_i1 = 0, drain_i2 = 0;
sums_steps:
  for (int iteration = 0; iteration < 64; ++iteration) {
#pragma HLS pipeline II=1 style=flp
    if (step < 3 && turn < 16) {
      const float a_token = a.read();
      local[fill_i0 % 2][fill_i1][fill_i2] = a_token;
      if (++fill_i2 == 4) {
        fill_i2 = 0;
        if (++fill_i1 == 4) {
          fill_i1 = 0;
          ++fill_i0;
        }
      }
    }
    if (step >= 1 && turn < 16) {
      const float sum = local[drain_i0 % 2][drain_i1][drain_i2] + local[drain_i0 % 2][drain_i2][drain_i1];
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      c.write(sum);
      if (++drain_i2 == 4) {
        drain_i2 = 0;
        if (++drain_i1 == 4) {
          drain_i1 = 0;
          ++drain_i0;
        }
      }
    }
    if ((step < 3 && turn + 1 < 16) || (step >= 1 && turn + 1 < 16)) {
      ++turn;
    } else {
      turn = 0;
      ++step;
    }
  }
}

// compute: 96 iterations, II 1 in fill, then II 1 in drain
void turns(hls::stream<float> &c, float *y) {
#pragma HLS inline off
  float local[1][4][4];
#pragma HLS bind_storage variable=local type=ram_2p impl=lutram
#pragma HLS dependence variable=local type=inter direction=RAW distance=8 dependent=true
turns_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
turns_fill_i1:
    for (int fill_i1 = 0; fill_i1 < 4; ++fill_i1) {
turns_fill_i2:
      for (int fill_i2 = 0; fill_i2 < 4; ++fill_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        const float c_token = c.read();
        local[0][fill_i1][fill_i2] = c_token;
      }
    }
turns_drain_i1:
    for (int drain_i1 = 0; drain_i1 < 4; ++drain_i1) {
turns_drain_i2:
      for (int drain_i2 = 0; drain_i2 < 4; ++drain_i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        y[i0 * 16 + drain_i1 * 4 + drain_i2] = local[0][drain_i2][drain_i1];
      }
    }
  }
}

} // namespace transpose_tasks

extern "C" void transpose(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=48 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=48 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<float> c("c");
#pragma HLS stream variable=c depth=26
#pragma HLS bind_storage variable=c type=fifo impl=srl

  transpose_tasks::together(x, a);
  transpose_tasks::sums(a, c);
  transpose_tasks::turns(c, y);
}

// The call through which a native run enters 'transpose'.
#include "transpose.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int transpose_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    transpose(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
