// Design 'head': a dataflow region of 1 leaf tasks.
#include "head.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace head_tasks {

// compute: at most 4 iterations, II 1
void double_1(const std::int32_t *s, std::int32_t *h, std::int32_t *log, int position) {
#pragma HLS inline off
double_1_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int32_t s_word = s[i0];
    h[i0] = s_word + s_word;
    if (i0 == 0) {
      log[position] = s_word;
    }
  }
}

} // namespace head_tasks

extern "C" void head(const std::int32_t *s, std::int32_t *h, std::int32_t *log, int position) {
#pragma HLS inline off
#pragma HLS dataflow

  head_tasks::double_1(s, h, log, position);
}

// Design 'layers': a dataflow region of 2 leaf tasks.
#include "layers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace layers_tasks {

// load: at most 4 iterations, II 1
void add(const std::int32_t *h, hls::stream<std::int32_t> &a, int tokens, int position) {
#pragma HLS inline off
add_i0:
  for (int i0 = 0; i0 < tokens; ++i0) {
#pragma HLS loop_tripcount max=4
#pragma HLS pipeline II=1 style=flp
    const std::int32_t h_word = h[i0];
    a.write(h_word + std::int32_t(position));
  }
}

// store: at most 4 iterations, II 1
void store(hls::stream<std::int32_t> &a, std::int32_t *s, int tokens) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < tokens; ++i0) {
#pragma HLS loop_tripcount max=4
#pragma HLS pipeline II=1 style=flp
    const std::int32_t a_token = a.read();
    s[i0] = a_token;
  }
}

} // namespace layers_tasks

extern "C" void layers(const std::int32_t *h, std::int32_t *s, int tokens, int position) {
#pragma HLS inline off
#pragma HLS dataflow
  hls::stream<std::int32_t> a("a");
#pragma HLS stream variable=a depth=4
#pragma HLS bind_storage variable=a type=fifo impl=srl

  layers_tasks::add(h, a, tokens, position);
  layers_tasks::store(a, s, tokens);
}

// Kernel 'layers_head_loop': one start for 2 designs in turn. There is one call in a
// trip of a loop, so that none begins before another has ended.
#include "layers_head_loop.h"

extern "C" void layers_head_loop(const std::int32_t *layers_h, std::int32_t *layers_s,
                                 const std::int32_t *head_s, std::int32_t *head_h,
                                 std::int32_t *head_log, int tokens, int position, int turns,
                                 int heads) {
#pragma HLS interface mode=m_axi port=layers_h bundle=gmem_h offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=layers_s bundle=gmem_s offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=head_s bundle=gmem_s offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=head_h bundle=gmem_h offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=head_log bundle=gmem_log offset=slave depth=8 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=layers_h bundle=control
#pragma HLS interface mode=s_axilite port=layers_s bundle=control
#pragma HLS interface mode=s_axilite port=head_s bundle=control
#pragma HLS interface mode=s_axilite port=head_h bundle=control
#pragma HLS interface mode=s_axilite port=head_log bundle=control
#pragma HLS interface mode=s_axilite port=tokens bundle=control
#pragma HLS interface mode=s_axilite port=position bundle=control
#pragma HLS interface mode=s_axilite port=turns bundle=control
#pragma HLS interface mode=s_axilite port=heads bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
  for (int turn = 0; turn < turns; ++turn) {
#pragma HLS pipeline off
#pragma HLS loop_tripcount max=4
    for (int turn_step = 0; turn_step < 2; ++turn_step) {
#pragma HLS pipeline off
      if (turn_step == 0) {
        layers(layers_h, layers_s, tokens, position + turn);
      }
      else if (turn_step == 1) {
        for (int turn_1 = 0; turn_1 < heads; ++turn_1) {
#pragma HLS pipeline off
#pragma HLS loop_tripcount max=1
          head(head_s, head_h, head_log, position + turn);
        }
      }
    }
  }
}

// The call through which a native run enters 'layers_head_loop'.
#include "layers_head_loop.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int layers_head_loop_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    layers_head_loop(static_cast<const std::int32_t *>(st_ports[0]),
                     static_cast<std::int32_t *>(st_ports[1]),
                     static_cast<const std::int32_t *>(st_ports[2]),
                     static_cast<std::int32_t *>(st_ports[3]),
                     static_cast<std::int32_t *>(st_ports[4]),
                     st::scalar("tokens", st_ports[5], 1, 4),
                     st::scalar("position", st_ports[6], 0, 4),
                     st::scalar("turns", st_ports[7], 1, 4),
                     st::scalar("heads", st_ports[8], 0, 1));
  });
}
