// Design 'copy': a dataflow region of 2 leaf tasks.
#include "copy.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace copy_tasks {

// load: 128 iterations, II 1
void load(const hls::vector<float, 16> *x, hls::stream<hls::vector<float, 16>> &fx) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> x_word = x[i0];
    fx.write(x_word);
  }
}

// store: 128 iterations, II 1
void store(hls::stream<hls::vector<float, 16>> &fx, hls::vector<float, 16> *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 128; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> fx_token = fx.read();
    y[i0] = fx_token;
  }
}

} // namespace copy_tasks

extern "C" void copy(const hls::vector<float, 16> *x, hls::vector<float, 16> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=128 max_read_burst_length=64 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=128 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 16>> fx("fx");
#pragma HLS stream variable=fx depth=2
#pragma HLS bind_storage variable=fx type=fifo impl=srl

  copy_tasks::load(x, fx);
  copy_tasks::store(fx, y);
}

// The call through which a native run enters 'copy'.
#include "copy.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int copy_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    copy(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
         static_cast<hls::vector<float, 16> *>(st_ports[1]));
  });
}

// Design 'sums': a dataflow region of 3 leaf tasks.
#include "sums.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace sums_tasks {

// pad: 16 iterations, II 1
void make(hls::stream<float> &in) {
#pragma HLS inline off
make_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=1 style=flp
    in.write(1.0f);
  }
}

// compute: 16 iterations, II 9
void sum(hls::stream<float> &in, hls::stream<float> &out) {
#pragma HLS inline off
  float local[1];
sum_i0:
  for (int i0 = 0; i0 < 16; ++i0) {
#pragma HLS pipeline II=9 style=flp
    const float in_token = in.read();
    const float sum_1 = ((i0 == 0) ? 0.0f : local[0]) + in_token;
#pragma HLS bind_op variable=sum_1 op=fadd impl=fulldsp latency=6
    local[0] = sum_1;
    if (i0 == 15) {
      out.write(sum_1);
    }
  }
}

// compute: 1 iterations, II 1
void take(hls::stream<float> &out) {
#pragma HLS inline off
  const float out_token = out.read();
}

} // namespace sums_tasks

extern "C" void sums() {
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<float> in("in");
#pragma HLS stream variable=in depth=14
#pragma HLS bind_storage variable=in type=fifo impl=srl
  hls::stream<float> out("out");
#pragma HLS stream variable=out depth=2
#pragma HLS bind_storage variable=out type=fifo impl=srl

  sums_tasks::make(in);
  sums_tasks::sum(in, out);
  sums_tasks::take(out);
}

// The call through which a native run enters 'sums'.
#include "sums.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int sums_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    sums();
  });
}
