// Design 'copy': a dataflow region of 1 leaf tasks.
#include "copy.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace copy_tasks {

// compute: 8 iterations, II 1
void copy_1(const float *x, float *y) {
#pragma HLS inline off
copy_1_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const float x_word = x[i0];
    y[i0] = x_word;
  }
}

} // namespace copy_tasks

extern "C" void copy(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  copy_tasks::copy_1(x, y);
}

// The call through which a native run enters 'copy'.
#include "copy.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int copy_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    copy(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}

// Design 'integers': a dataflow region of 1 leaf tasks.
#include "integers.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace integers_tasks {

// compute: 1 iterations, II 1
void sums(const hls::vector<std::int16_t, 2> *x, std::int16_t *y) {
#pragma HLS inline off
  const hls::vector<std::int16_t, 2> x_word = x[0];
  hls::vector<std::int16_t, 2> product;
  for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
    const std::int16_t lane_product = std::int16_t(x_word[u0] * x_word[u0]);
#pragma HLS bind_op variable=lane_product op=mul impl=dsp latency=3
    product[u0] = lane_product;
  }
  y[0] = std::int16_t(product[0] + product[1]);
}

} // namespace integers_tasks

extern "C" void integers(const hls::vector<std::int16_t, 2> *x, std::int16_t *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  integers_tasks::sums(x, y);
}

// The call through which a native run enters 'integers'.
#include "integers.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int integers_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    integers(static_cast<const hls::vector<std::int16_t, 2> *>(st_ports[0]),
             static_cast<std::int16_t *>(st_ports[1]));
  });
}

// Design 'once': a dataflow region of 1 leaf tasks.
#include "once.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace once_tasks {

// compute: 1 iterations, II 1
void square(const float *x, float *y) {
#pragma HLS inline off
  float local[1];
#pragma HLS dependence variable=local type=inter direction=RAW distance=93 dependent=true
  const float x_word = x[0];
  const float product = x_word * x_word;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
  const float sum = local[0] + product;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
  local[0] = sum;
  y[0] = sum;
}

} // namespace once_tasks

extern "C" void once(const float *x, float *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=1 max_read_burst_length=2 num_read_outstanding=14
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=1 max_write_burst_length=2 num_write_outstanding=3
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  once_tasks::square(x, y);
}

// The call through which a native run enters 'once'.
#include "once.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int once_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    once(static_cast<const float *>(st_ports[0]), static_cast<float *>(st_ports[1]));
  });
}
