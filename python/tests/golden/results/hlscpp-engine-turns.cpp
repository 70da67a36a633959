// Design 'engine': a dataflow region of 3 leaf tasks.
#include "engine.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

#ifdef __SYNTHESIS__
// Values return to earlier leaf tasks: in hardware all run at once.
namespace engine_tasks {

// compute: at most 64 iterations, II 1 in first, then II 1 in second
void core(const float *x, hls::stream<float> &next, hls::stream<float> &again,
          hls::stream<float> &there, hls::stream<float> &twice, int rounds) {
#pragma HLS inline off
  float next_token;
core_i0:
  for (int i0 = 0; i0 < rounds; ++i0) {
#pragma HLS loop_tripcount max=4
core_first_i1:
    for (int first_i1 = 0; first_i1 < 8; ++first_i1) {
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 8 + first_i1];
      if (i0 >= 1) {
        next_token = next.read();
      }
      const float sum = x_word + ((i0 >= 1) ? next_token : 0.0f);
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      there.write(sum);
    }
core_second_i1:
    for (int second_i1 = 0; second_i1 < 8; ++second_i1) {
#pragma HLS pipeline II=1 style=flp
      const float again_token = again.read();
      const float sum_1 = again_token + again_token;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
      twice.write(sum_1);
    }
  }
}

// compute: at most 32 iterations, II 1
void between(hls::stream<float> &there, hls::stream<float> &again, int rounds) {
#pragma HLS inline off
between_i0:
  for (int i0 = 0; i0 < rounds; ++i0) {
#pragma HLS loop_tripcount max=4
between_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float there_token = there.read();
      const float product = there_token * there_token;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
      again.write(product);
    }
  }
}

// compute: at most 32 iterations, II 1
void last(hls::stream<float> &twice, float *y, hls::stream<float> &next, int rounds) {
#pragma HLS inline off
last_i0:
  for (int i0 = 0; i0 < rounds; ++i0) {
#pragma HLS loop_tripcount max=4
last_i1:
    for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const float twice_token = twice.read();
      y[i0 * 8 + i1] = twice_token;
      if (rounds >= i0 + 2) {
        next.write(twice_token);
      }
    }
  }
}

} // namespace engine_tasks

extern "C" void engine(const float *x, float *y, int rounds) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=rounds bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> there("there");
#pragma HLS stream variable=there depth=3
#pragma HLS bind_storage variable=there type=fifo impl=srl
  hls::stream<float> again("again");
#pragma HLS stream variable=again depth=4
#pragma HLS bind_storage variable=again type=fifo impl=srl
  hls::stream<float> twice("twice");
#pragma HLS stream variable=twice depth=77
#pragma HLS bind_storage variable=twice type=fifo impl=lutram
  hls::stream<float> next("next");
#pragma HLS stream variable=next depth=7
#pragma HLS bind_storage variable=next type=fifo impl=srl

  engine_tasks::core(x, next, again, there, twice, rounds);
  engine_tasks::between(there, again, rounds);
  engine_tasks::last(twice, y, next, rounds);
}
#else
// The same, called one after the other.
namespace engine_tasks {

/// What 'core' keeps from one trip to the next.
struct core_state {
  float next_token;
};

// compute: at most 64 iterations, II 1 in first, then II 1 in second
void core(const float *x, hls::stream<float> &next, hls::stream<float> &again,
          hls::stream<float> &there, hls::stream<float> &twice, int rounds, int i0, int turn,
          core_state &state) {
#pragma HLS inline off
  auto &next_token = state.next_token;
  if (turn == 0) {
core_first_i1:
    for (int first_i1 = 0; first_i1 < 8; ++first_i1) {
#pragma HLS pipeline II=1 style=flp
      const float x_word = x[i0 * 8 + first_i1];
      if (i0 >= 1) {
        next_token = next.read();
      }
      const float sum = x_word + ((i0 >= 1) ? next_token : 0.0f);
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
      there.write(sum);
    }
  }
  if (turn == 1) {
core_second_i1:
    for (int second_i1 = 0; second_i1 < 8; ++second_i1) {
#pragma HLS pipeline II=1 style=flp
      const float again_token = again.read();
      const float sum_1 = again_token + again_token;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
      twice.write(sum_1);
    }
  }
}

/// What 'between' keeps from one trip to the next.
struct between_state {
};

// compute: at most 32 iterations, II 1
void between(hls::stream<float> &there, hls::stream<float> &again, int rounds, int i0,
             between_state &state) {
#pragma HLS inline off
between_i1:
  for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
    const float there_token = there.read();
    const float product = there_token * there_token;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    again.write(product);
  }
}

/// What 'last' keeps from one trip to the next.
struct last_state {
};

// compute: at most 32 iterations, II 1
void last(hls::stream<float> &twice, float *y, hls::stream<float> &next, int rounds, int i0,
          last_state &state) {
#pragma HLS inline off
last_i1:
  for (int i1 = 0; i1 < 8; ++i1) {
#pragma HLS pipeline II=1 style=flp
    const float twice_token = twice.read();
    y[i0 * 8 + i1] = twice_token;
    if (rounds >= i0 + 2) {
      next.write(twice_token);
    }
  }
}

} // namespace engine_tasks

extern "C" void engine(const float *x, float *y, int rounds) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=32 max_read_burst_length=32 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=32 max_write_burst_length=32 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=rounds bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
  // Leaf tasks of a cycle take turns, a trip of their outermost loops each.
  hls::stream<float> there("there");
#pragma HLS stream variable=there depth=3
#pragma HLS bind_storage variable=there type=fifo impl=srl
  hls::stream<float> again("again");
#pragma HLS stream variable=again depth=4
#pragma HLS bind_storage variable=again type=fifo impl=srl
  hls::stream<float> twice("twice");
#pragma HLS stream variable=twice depth=77
#pragma HLS bind_storage variable=twice type=fifo impl=lutram
  hls::stream<float> next("next");
#pragma HLS stream variable=next depth=7
#pragma HLS bind_storage variable=next type=fifo impl=srl

  engine_tasks::core_state core_kept;
  engine_tasks::between_state between_kept;
  engine_tasks::last_state last_kept;
  for (int trip = 0; trip < rounds; ++trip) {
#pragma HLS loop_tripcount max=4
    engine_tasks::core(x, next, again, there, twice, rounds, trip, 0, core_kept);
    engine_tasks::between(there, again, rounds, trip, between_kept);
    engine_tasks::core(x, next, again, there, twice, rounds, trip, 1, core_kept);
    engine_tasks::last(twice, y, next, rounds, trip, last_kept);
  }
}
#endif

// The call through which a native run enters 'engine'.
#include "engine.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int engine_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    engine(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]),
           st::scalar("rounds", st_ports[2], 1, 4));
  });
}
