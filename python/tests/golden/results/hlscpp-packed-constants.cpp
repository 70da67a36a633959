// Design 'copy': a dataflow region of 2 leaf tasks.
#include "copy.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace copy_tasks {

// load: 4 iterations, II 1
void load(const hls::vector<std::int8_t, 4> *in, hls::stream<hls::vector<std::int8_t, 3>> &f) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
load_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int8_t, 4> in_word = in[i0 * 2 + i1];
      hls::vector<std::int8_t, 3> in_value;
      for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
        in_value[u2] = in_word[u2];
      }
      f.write(in_value);
    }
  }
}

// store: 4 iterations, II 1
void store(hls::stream<hls::vector<std::int8_t, 3>> &f, hls::vector<std::int8_t, 4> *out) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 2; ++i0) {
store_i1:
    for (int i1 = 0; i1 < 2; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      const hls::vector<std::int8_t, 3> f_token = f.read();
      hls::vector<std::int8_t, 4> out_word{};
      for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
        out_word[u2] = f_token[u2];
      }
      out[i0 * 2 + i1] = out_word;
    }
  }
}

} // namespace copy_tasks

extern "C" void copy(const hls::vector<std::int8_t, 4> *in, hls::vector<std::int8_t, 4> *out) {
#pragma HLS interface mode=m_axi port=in bundle=gmem_in offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=out bundle=gmem_out offset=slave depth=4 max_write_burst_length=4 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=in bundle=control
#pragma HLS interface mode=s_axilite port=out bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<std::int8_t, 3>> f("f");
#pragma HLS stream variable=f depth=2
#pragma HLS bind_storage variable=f type=fifo impl=srl

  copy_tasks::load(in, f);
  copy_tasks::store(f, out);
}

// The call through which a native run enters 'copy'.
#include "copy.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int copy_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    copy(static_cast<const hls::vector<std::int8_t, 4> *>(st_ports[0]),
         static_cast<hls::vector<std::int8_t, 4> *>(st_ports[1]));
  });
}
