// Design 'ring': a dataflow region of 2 leaf tasks.
#include "ring.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

#ifdef __SYNTHESIS__
// Values return to earlier leaf tasks: in hardware all run at once.
namespace ring_tasks {

// compute: 24 iterations, II 1
void enter(const hls::vector<float, 8> *x, hls::stream<float> &h, hls::stream<float> &f) {
#pragma HLS inline off
  float local[4][2];
#pragma HLS array_partition variable=local type=complete dim=1
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=86 dependent=true
  hls::vector<float, 8> x_word;
  float local_value[4][2];
#pragma HLS array_partition variable=local_value type=complete dim=0
  float h_token;
enter_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
enter_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i0 == 0 && i1 == 0) {
        x_word = x[0];
      }
      if (i0 == 0 && i1 == 0) {
        for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
          for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
            local[u0][u1] = x_word[u1 * 4 + u0];
          }
        }
      }
      if (i0 == 0 && i1 == 0) {
        for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
          for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
            local_value[u0][u1] = local[u0][u1];
          }
        }
      }
      if (i0 >= 1) {
        h_token = h.read();
      }
      const float sum = local_value[i1 / 2][i1 % 2] + ((i0 == 0) ? 0.0f : h_token);
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      f.write(sum);
    }
  }
}

// compute: 24 iterations, II 1
void twice(hls::stream<float> &f, hls::stream<float> &h, float *y) {
#pragma HLS inline off
twice_i0:
  for (int i0 = 0; i0 < 3; ++i0) {
twice_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float f_token = f.read();
      const float sum = f_token + f_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      if (i0 <= 1) {
        h.write(sum);
      }
      if (i0 == 2) {
        y[i1] = sum;
      }
    }
  }
}

} // namespace ring_tasks

extern "C" void ring(const hls::vector<float, 8> *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<float> h("h");
#pragma HLS stream variable=h depth=7
#pragma HLS bind_storage variable=h type=fifo impl=srl

  ring_tasks::enter(x, h, f);
  ring_tasks::twice(f, h, y);
}
#else
// The same, called one after the other.
namespace ring_tasks {

/// What 'enter' keeps from one trip to the next.
struct enter_state {
  float local[4][2];
  hls::vector<float, 8> x_word;
  float local_value[4][2];
  float h_token;
};

// compute: 24 iterations, II 1
void enter(const hls::vector<float, 8> *x, hls::stream<float> &h, hls::stream<float> &f, int i0,
           enter_state &state) {
#pragma HLS inline off
  auto &local = state.local;
#pragma HLS array_partition variable=local type=complete dim=1
#pragma HLS array_partition variable=local type=complete dim=2
#pragma HLS dependence variable=local type=inter direction=RAW distance=86 dependent=true
  auto &x_word = state.x_word;
  auto &local_value = state.local_value;
#pragma HLS array_partition variable=local_value type=complete dim=0
  auto &h_token = state.h_token;
enter_i1:
  for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
    if (i0 == 0 && i1 == 0) {
      x_word = x[0];
    }
    if (i0 == 0 && i1 == 0) {
      for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
        for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
          local[u0][u1] = x_word[u1 * 4 + u0];
        }
      }
    }
    if (i0 == 0 && i1 == 0) {
      for (int u0 = 0; u0 < 4; ++u0) {
#pragma HLS unroll
        for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
          local_value[u0][u1] = local[u0][u1];
        }
      }
    }
    if (i0 >= 1) {
      h_token = h.read();
    }
    const float sum = local_value[i1 / 2][i1 % 2] + ((i0 == 0) ? 0.0f : h_token);
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    f.write(sum);
  }
}

/// What 'twice' keeps from one trip to the next.
struct twice_state {
};

// compute: 24 iterations, II 1
void twice(hls::stream<float> &f, hls::stream<float> &h, float *y, int i0, twice_state &state) {
#pragma HLS inline off
twice_i1:
  for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
    const float f_token = f.read();
    const float sum = f_token + f_token;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    if (i0 <= 1) {
      h.write(sum);
    }
    if (i0 == 2) {
      y[i1] = sum;
    }
  }
}

} // namespace ring_tasks

extern "C" void ring(const hls::vector<float, 8> *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
  // Leaf tasks of a cycle take turns, a trip of their outermost loops each.
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<float> h("h");
#pragma HLS stream variable=h depth=7
#pragma HLS bind_storage variable=h type=fifo impl=srl

  ring_tasks::enter_state enter_kept;
  ring_tasks::twice_state twice_kept;
  for (int trip = 0; trip < 3; ++trip) {
#pragma HLS loop_tripcount max=3
    ring_tasks::enter(x, h, f, trip, enter_kept);
    ring_tasks::twice(f, h, y, trip, twice_kept);
  }
}
#endif

// The call through which a native run enters 'ring'.
#include "ring.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int ring_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    ring(static_cast<const hls::vector<float, 8> *>(st_ports[0]),
         static_cast<float *>(st_ports[1]));
  });
}
