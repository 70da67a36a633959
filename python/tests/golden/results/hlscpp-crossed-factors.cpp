// Design 'crosses': a dataflow region of 4 leaf tasks.
#include "crosses.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace crosses_tasks {

// load: 8 iterations, II 3
void w_load(const hls::vector<std::uint8_t, 2> *w, hls::stream<hls::vector<ap_int<4>, 12>> &wf) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=3 style=flp
    hls::vector<std::uint8_t, 2> w_word[3];
#pragma HLS array_partition variable=w_word type=complete dim=0
    for (int word = 0; word < 3; ++word) {
#pragma HLS unroll
      w_word[word] = w[i0 * 3 + word];
    }
    ap_int<4> w_value[1][4][3];
#pragma HLS array_partition variable=w_value type=complete dim=0
    for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
        w_value[0][u1][u2] = ap_int<4>(w_word[(u1 * 3 + u2) / 4][((u1 * 3 + u2) % 4) / 2] >> (((u1 * 3 + u2) % 2) * 4));
      }
    }
    hls::vector<ap_int<4>, 12> wf_token;
    for (int u0 = 0; u0 < 12; ++u0) {
#pragma HLS unroll
      wf_token[u0] = w_value[0][u0 / 3][u0 % 3];
    }
    wf.write(wf_token);
  }
}

// load: 8 iterations, II 3
void a_load(const hls::vector<std::int8_t, 2> *a, hls::stream<hls::vector<std::int8_t, 6>> &af) {
#pragma HLS inline off
a_load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=3 style=flp
    hls::vector<std::int8_t, 2> a_word[3];
#pragma HLS array_partition variable=a_word type=complete dim=0
    for (int word = 0; word < 3; ++word) {
#pragma HLS unroll
      a_word[word] = a[i0 * 3 + word];
    }
    std::int8_t a_value[1][2][3];
#pragma HLS array_partition variable=a_value type=complete dim=0
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
        a_value[0][u1][u2] = a_word[(u1 * 3 + u2) / 2][(u1 * 3 + u2) % 2];
      }
    }
    hls::vector<std::int8_t, 6> af_token;
    for (int u0 = 0; u0 < 6; ++u0) {
#pragma HLS unroll
      af_token[u0] = a_value[0][u0 / 3][u0 % 3];
    }
    af.write(af_token);
  }
}

// compute: 8 iterations, II 1
void products(hls::stream<hls::vector<ap_int<4>, 12>> &wf,
              hls::stream<hls::vector<std::int8_t, 6>> &af,
              hls::stream<hls::vector<std::int32_t, 24>> &yf) {
#pragma HLS inline off
products_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<ap_int<4>, 12> wf_token = wf.read();
    const hls::vector<std::int8_t, 6> af_token = af.read();
    std::int32_t product[2][4][3];
#pragma HLS array_partition variable=product type=complete dim=0
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 3; ++u2) {
#pragma HLS unroll
        st::multiply_cross<4, 8, 3>(std::int32_t(wf_token[u1 * 6 + u2]), std::int32_t(wf_token[u1 * 6 + u2 + 3]), std::int32_t(af_token[u2]), std::int32_t(af_token[u2 + 3]), product[0][u1 * 2][u2], product[0][u1 * 2 + 1][u2], product[1][u1 * 2][u2], product[1][u1 * 2 + 1][u2]);
      }
    }
    hls::vector<std::int32_t, 24> yf_token;
    for (int u0 = 0; u0 < 24; ++u0) {
#pragma HLS unroll
      yf_token[u0] = product[u0 / 12][(u0 / 3) % 4][u0 % 3];
    }
    yf.write(yf_token);
  }
}

// store: 8 iterations, II 3
void y_store(hls::stream<hls::vector<std::int32_t, 24>> &yf, hls::vector<std::int32_t, 8> *y) {
#pragma HLS inline off
y_store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=3 style=flp
    const hls::vector<std::int32_t, 24> yf_token = yf.read();
    hls::vector<std::int32_t, 8> y_word[3]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 4; ++u2) {
#pragma HLS unroll
        for (int u3 = 0; u3 < 3; ++u3) {
#pragma HLS unroll
          y_word[(u1 * 12 + u2 * 3 + u3) / 8][(u1 * 12 + u2 * 3 + u3) % 8] = yf_token[u1 * 12 + u2 * 3 + u3];
        }
      }
    }
    for (int word = 0; word < 3; ++word) {
#pragma HLS unroll
      y[i0 * 3 + word] = y_word[word];
    }
  }
}

} // namespace crosses_tasks

extern "C" void crosses(const hls::vector<std::uint8_t, 2> *w, const hls::vector<std::int8_t, 2> *a,
                        hls::vector<std::int32_t, 8> *y) {
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=24 max_read_burst_length=256 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=24 max_read_burst_length=256 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=24 max_write_burst_length=128 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<ap_int<4>, 12>> wf("wf");
#pragma HLS stream variable=wf depth=2
#pragma HLS bind_storage variable=wf type=fifo impl=srl
  hls::stream<hls::vector<std::int8_t, 6>> af("af");
#pragma HLS stream variable=af depth=2
#pragma HLS bind_storage variable=af type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 24>> yf("yf");
#pragma HLS stream variable=yf depth=2
#pragma HLS bind_storage variable=yf type=fifo impl=srl

  crosses_tasks::w_load(w, wf);
  crosses_tasks::a_load(a, af);
  crosses_tasks::products(wf, af, yf);
  crosses_tasks::y_store(yf, y);
}

// The call through which a native run enters 'crosses'.
#include "crosses.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int crosses_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    crosses(static_cast<const hls::vector<std::uint8_t, 2> *>(st_ports[0]),
            static_cast<const hls::vector<std::int8_t, 2> *>(st_ports[1]),
            static_cast<hls::vector<std::int32_t, 8> *>(st_ports[2]));
  });
}
