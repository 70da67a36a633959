// Design 'stages': a dataflow region of 4 leaf tasks.
#include "stages.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace stages_tasks {

// compute: 8 iterations, II 1
void give(hls::stream<float> &s) {
#pragma HLS inline off
give_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    s.write(1.5f);
  }
}

// compute: 8 iterations, II 1
void two(hls::stream<float> &s, hls::stream<float> &p, hls::stream<float> &x) {
#pragma HLS inline off
two_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float s_token = s.read();
    const float product = s_token * s_token;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    p.write(product);
    x.write(s_token);
  }
}

// compute: 8 iterations, II 1
void other(hls::stream<float> &x, hls::stream<float> &q) {
#pragma HLS inline off
other_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_token = x.read();
    const float product = x_token * x_token;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    q.write(product);
  }
}

// compute: 8 iterations, II 1
void join(hls::stream<float> &p, hls::stream<float> &q) {
#pragma HLS inline off
join_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float p_token = p.read();
    const float q_token = q.read();
  }
}

} // namespace stages_tasks

extern "C" void stages() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> s("s");
#pragma HLS stream variable=s depth=2
#pragma HLS bind_storage variable=s type=fifo impl=srl
  hls::stream<float> x("x");
#pragma HLS stream variable=x depth=4
#pragma HLS bind_storage variable=x type=fifo impl=srl
  hls::stream<float> p("p");
#pragma HLS stream variable=p depth=4
#pragma HLS bind_storage variable=p type=fifo impl=srl
  hls::stream<float> q("q");
#pragma HLS stream variable=q depth=2
#pragma HLS bind_storage variable=q type=fifo impl=srl

  stages_tasks::give(s);
  stages_tasks::two(s, p, x);
  stages_tasks::other(x, q);
  stages_tasks::join(p, q);
}

// The call through which a native run enters 'stages'.
#include "stages.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int stages_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    stages();
  });
}
