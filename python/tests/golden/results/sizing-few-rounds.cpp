// Design 'unlike': a dataflow region of 5 leaf tasks.
#include "unlike.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

#ifdef __SYNTHESIS__
// Values return to earlier leaf tasks: in hardware all run at once.
namespace unlike_tasks {

// compute: 8 iterations, II 1
void ones(hls::stream<float> &s) {
#pragma HLS inline off
ones_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    s.write(1.0f);
  }
}

// compute: at most 96 iterations, II 1
void enter(hls::stream<float> &s, hls::stream<float> &h, hls::stream<float> &late,
           hls::stream<float> &slow, hls::stream<float> &f, int layers) {
#pragma HLS inline off
  float s_token;
  float h_token;
enter_i0:
  for (int i0 = 0; i0 < layers; ++i0) {
#pragma HLS loop_tripcount max=12
enter_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i0 == 0) {
        s_token = s.read();
      }
      if (i0 >= 1) {
        h_token = h.read();
      }
      if (layers >= i0 + 5) {
        late.write(1.0f);
      }
      if (layers >= i0 + 5) {
        slow.write(1.0f);
      }
      f.write((i0 == 0) ? s_token : h_token);
    }
  }
}

// compute: at most 384 iterations, II 1
void next(hls::stream<float> &f, hls::stream<float> &late, hls::stream<float> &h,
          hls::stream<float> &o, int layers) {
#pragma HLS inline off
  float f_token;
  float late_token;
next_i0:
  for (int i0 = 0; i0 < layers; ++i0) {
#pragma HLS loop_tripcount max=12
next_i1:
    for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i1 <= 7) {
        f_token = f.read();
      }
      if (layers >= i0 + 5 && i1 >= 24) {
        late_token = late.read();
      }
      if (layers >= i0 + 2 && i1 >= 24) {
        h.write(f_token);
      }
      if (i0 == layers - 1 && i1 >= 24) {
        o.write(f_token);
      }
    }
  }
}

// discard: at most 288 iterations, II 1
void third(hls::stream<float> &slow, int layers) {
#pragma HLS inline off
  float slow_token;
third_i0:
  for (int i0 = 0; i0 < layers; ++i0) {
#pragma HLS loop_tripcount max=12
third_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
third_i2:
      for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
        if (layers >= i0 + 5 && i2 == 0) {
          slow_token = slow.read();
        }
      }
    }
  }
}

// store: 8 iterations, II 1
void store(hls::stream<float> &o, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float o_token = o.read();
    y[i0] = o_token;
  }
}

} // namespace unlike_tasks

extern "C" void unlike(float *y, int layers) {
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=layers bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> s("s");
#pragma HLS stream variable=s depth=2
#pragma HLS bind_storage variable=s type=fifo impl=srl
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=6
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<float> late("late");
#pragma HLS stream variable=late depth=8
#pragma HLS bind_storage variable=late type=fifo impl=srl
  hls::stream<float> slow("slow");
#pragma HLS stream variable=slow depth=6
#pragma HLS bind_storage variable=slow type=fifo impl=srl
  hls::stream<float> h("h");
#pragma HLS stream variable=h depth=2
#pragma HLS bind_storage variable=h type=fifo impl=srl
  hls::stream<float> o("o");
#pragma HLS stream variable=o depth=2
#pragma HLS bind_storage variable=o type=fifo impl=srl

  unlike_tasks::ones(s);
  unlike_tasks::enter(s, h, late, slow, f, layers);
  unlike_tasks::next(f, late, h, o, layers);
  unlike_tasks::third(slow, layers);
  unlike_tasks::store(o, y);
}
#else
// The same, called one after the other.
namespace unlike_tasks {

// compute: 8 iterations, II 1
void ones(hls::stream<float> &s) {
#pragma HLS inline off
ones_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    s.write(1.0f);
  }
}

/// What 'enter' keeps from one trip to the next.
struct enter_state {
  float s_token;
  float h_token;
};

// compute: at most 96 iterations, II 1
void enter(hls::stream<float> &s, hls::stream<float> &h, hls::stream<float> &late,
           hls::stream<float> &slow, hls::stream<float> &f, int layers, int i0,
           enter_state &state) {
#pragma HLS inline off
  auto &s_token = state.s_token;
  auto &h_token = state.h_token;
enter_i1:
  for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
    if (i0 == 0) {
      s_token = s.read();
    }
    if (i0 >= 1) {
      h_token = h.read();
    }
    if (layers >= i0 + 5) {
      late.write(1.0f);
    }
    if (layers >= i0 + 5) {
      slow.write(1.0f);
    }
    f.write((i0 == 0) ? s_token : h_token);
  }
}

/// What 'next' keeps from one trip to the next.
struct next_state {
  float f_token;
  float late_token;
};

// compute: at most 384 iterations, II 1
void next(hls::stream<float> &f, hls::stream<float> &late, hls::stream<float> &h,
          hls::stream<float> &o, int layers, int i0, next_state &state) {
#pragma HLS inline off
  auto &f_token = state.f_token;
  auto &late_token = state.late_token;
next_i1:
  for (int i1 = 0; i1 < 32; ++i1) {
#pragma HLS pipeline II=1 style=flp
    if (i1 <= 7) {
      f_token = f.read();
    }
    if (layers >= i0 + 5 && i1 >= 24) {
      late_token = late.read();
    }
    if (layers >= i0 + 2 && i1 >= 24) {
      h.write(f_token);
    }
    if (i0 == layers - 1 && i1 >= 24) {
      o.write(f_token);
    }
  }
}

/// What 'third' keeps from one trip to the next.
struct third_state {
  float slow_token;
};

// discard: at most 288 iterations, II 1
void third(hls::stream<float> &slow, int layers, int i0, third_state &state) {
#pragma HLS inline off
  auto &slow_token = state.slow_token;
third_i1:
  for (int i1 = 0; i1 < 8; ++i1) {
third_i2:
    for (int i2 = 0; i2 < 3; ++i2) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (layers >= i0 + 5 && i2 == 0) {
        slow_token = slow.read();
      }
    }
  }
}

// store: 8 iterations, II 1
void store(hls::stream<float> &o, float *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float o_token = o.read();
    y[i0] = o_token;
  }
}

} // namespace unlike_tasks

extern "C" void unlike(float *y, int layers) {
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=layers bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
  // Leaf tasks of a cycle take turns, a trip of their outermost loops each.
  hls::stream<float> s("s");
#pragma HLS stream variable=s depth=2
#pragma HLS bind_storage variable=s type=fifo impl=srl
  hls::stream<float> f("f");
#pragma HLS stream variable=f depth=6
#pragma HLS bind_storage variable=f type=fifo impl=srl
  hls::stream<float> late("late");
#pragma HLS stream variable=late depth=8
#pragma HLS bind_storage variable=late type=fifo impl=srl
  hls::stream<float> slow("slow");
#pragma HLS stream variable=slow depth=6
#pragma HLS bind_storage variable=slow type=fifo impl=srl
  hls::stream<float> h("h");
#pragma HLS stream variable=h depth=2
#pragma HLS bind_storage variable=h type=fifo impl=srl
  hls::stream<float> o("o");
#pragma HLS stream variable=o depth=2
#pragma HLS bind_storage variable=o type=fifo impl=srl

  unlike_tasks::ones(s);
  unlike_tasks::enter_state enter_kept;
  unlike_tasks::next_state next_kept;
  unlike_tasks::third_state third_kept;
  for (int trip = 0; trip < layers; ++trip) {
#pragma HLS loop_tripcount max=12
    unlike_tasks::enter(s, h, late, slow, f, layers, trip, enter_kept);
    unlike_tasks::next(f, late, h, o, layers, trip, next_kept);
    unlike_tasks::third(slow, layers, trip, third_kept);
  }
  unlike_tasks::store(o, y);
}
#endif

// The call through which a native run enters 'unlike'.
#include "unlike.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int unlike_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    unlike(static_cast<float *>(st_ports[0]), st::scalar("layers", st_ports[1], 4, 12));
  });
}
