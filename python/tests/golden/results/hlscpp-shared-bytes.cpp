// Design 'nibbles': a dataflow region of 3 leaf tasks.
#include "nibbles.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace nibbles_tasks {

// load: 8 iterations, II 1
void load(const hls::vector<std::uint8_t, 64> *x, hls::stream<hls::vector<ap_int<4>, 128>> &a,
          hls::stream<ap_int<4>> &b) {
#pragma HLS inline off
load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::uint8_t, 64> x_word = x[i0];
    hls::vector<ap_int<4>, 128> x_value;
    for (int u1 = 0; u1 < 128; ++u1) {
#pragma HLS unroll
      x_value[u1] = ap_int<4>(x_word[u1 / 2] >> ((u1 % 2) * 4));
    }
    a.write(x_value);
    b.write(x_value[0]);
  }
}

// store: 8 iterations, II 1
void store(hls::stream<hls::vector<ap_int<4>, 128>> &a, hls::vector<std::uint8_t, 64> *y) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<ap_int<4>, 128> a_token = a.read();
    hls::vector<std::uint8_t, 64> y_word{};
    for (int u1 = 0; u1 < 128; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2] |= std::uint8_t(ap_uint<4>(a_token[u1])) << ((u1 % 2) * 4);
    }
    y[i0] = y_word;
  }
}

// store: 8 iterations, II 1
void store_first(hls::stream<ap_int<4>> &b, ap_int<4> *z) {
#pragma HLS inline off
store_first_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const ap_int<4> b_token = b.read();
    z[i0] = b_token;
  }
}

} // namespace nibbles_tasks

extern "C" void nibbles(const hls::vector<std::uint8_t, 64> *x, hls::vector<std::uint8_t, 64> *y,
                        ap_int<4> *z) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<ap_int<4>, 128>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<ap_int<4>> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl

  nibbles_tasks::load(x, a, b);
  nibbles_tasks::store(a, y);
  nibbles_tasks::store_first(b, z);
}

// The call through which a native run enters 'nibbles'.
#include "nibbles.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int nibbles_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    nibbles(static_cast<const hls::vector<std::uint8_t, 64> *>(st_ports[0]),
            static_cast<hls::vector<std::uint8_t, 64> *>(st_ports[1]),
            static_cast<ap_int<4> *>(st_ports[2]));
  });
}
