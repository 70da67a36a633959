// Design 'pairs': a dataflow region of 5 leaf tasks.
#include "pairs.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace pairs_tasks {

// load: 8 iterations, II 1
void w_load(const hls::vector<std::uint8_t, 4> *w, hls::stream<hls::vector<ap_int<4>, 8>> &wf) {
#pragma HLS inline off
w_load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::uint8_t, 4> w_word = w[i0];
    ap_int<4> w_value[1][4][2];
#pragma HLS array_partition variable=w_value type=complete dim=0
    for (int u1 = 0; u1 < 4; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 2; ++u2) {
#pragma HLS unroll
        w_value[0][u1][u2] = ap_int<4>(w_word[u1] >> (u2 * 4));
      }
    }
    hls::vector<ap_int<4>, 8> wf_token;
    for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
      wf_token[u0] = w_value[0][u0 / 2][u0 % 2];
    }
    wf.write(wf_token);
  }
}

// load: 8 iterations, II 1
void a_load(const hls::vector<std::int8_t, 2> *a, hls::stream<hls::vector<std::int8_t, 2>> &af) {
#pragma HLS inline off
a_load_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 2> a_word = a[i0];
    af.write(a_word);
  }
}

// compute: 8 iterations, II 1
void products(hls::stream<hls::vector<ap_int<4>, 8>> &wf,
              hls::stream<hls::vector<std::int8_t, 2>> &af,
              hls::stream<hls::vector<std::int32_t, 8>> &yf,
              hls::stream<hls::vector<std::int32_t, 2>> &zf) {
#pragma HLS inline off
products_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<ap_int<4>, 8> wf_token = wf.read();
    const hls::vector<std::int8_t, 2> af_token = af.read();
    std::int32_t product[4][2];
#pragma HLS array_partition variable=product type=complete dim=0
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
        st::multiply_pair<4, 8, 3>(std::int32_t(wf_token[u0 * 4 + u1]), std::int32_t(wf_token[u0 * 4 + u1 + 2]), std::int32_t(af_token[u1]), product[u0 * 2][u1], product[u0 * 2 + 1][u1]);
      }
    }
    hls::vector<std::int32_t, 2> converted;
    hls::vector<std::int32_t, 2> product_1;
    for (int u0 = 0; u0 < 2; ++u0) {
#pragma HLS unroll
      converted[u0] = std::int32_t(af_token[u0]);
      const std::int32_t lane_product = converted[u0] * converted[u0];
#pragma HLS bind_op variable=lane_product op=mul impl=dsp latency=3
      product_1[u0] = lane_product;
    }
    hls::vector<std::int32_t, 8> yf_token;
    for (int u0 = 0; u0 < 8; ++u0) {
#pragma HLS unroll
      yf_token[u0] = product[u0 / 2][u0 % 2];
    }
    yf.write(yf_token);
    zf.write(product_1);
  }
}

// store: 8 iterations, II 1
void y_store(hls::stream<hls::vector<std::int32_t, 8>> &yf, hls::vector<std::int32_t, 8> *y) {
#pragma HLS inline off
y_store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 8> yf_token = yf.read();
    y[i0] = yf_token;
  }
}

// store: 8 iterations, II 1
void z_store(hls::stream<hls::vector<std::int32_t, 2>> &zf, hls::vector<std::int32_t, 2> *z) {
#pragma HLS inline off
z_store_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 2> zf_token = zf.read();
    z[i0] = zf_token;
  }
}

} // namespace pairs_tasks

extern "C" void pairs(const hls::vector<std::uint8_t, 4> *w, const hls::vector<std::int8_t, 2> *a,
                      hls::vector<std::int32_t, 8> *y, hls::vector<std::int32_t, 2> *z) {
#pragma HLS interface mode=m_axi port=w bundle=gmem_w offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=a bundle=gmem_a offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=w bundle=control
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<ap_int<4>, 8>> wf("wf");
#pragma HLS stream variable=wf depth=2
#pragma HLS bind_storage variable=wf type=fifo impl=srl
  hls::stream<hls::vector<std::int8_t, 2>> af("af");
#pragma HLS stream variable=af depth=2
#pragma HLS bind_storage variable=af type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 8>> yf("yf");
#pragma HLS stream variable=yf depth=2
#pragma HLS bind_storage variable=yf type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 2>> zf("zf");
#pragma HLS stream variable=zf depth=2
#pragma HLS bind_storage variable=zf type=fifo impl=srl

  pairs_tasks::w_load(w, wf);
  pairs_tasks::a_load(a, af);
  pairs_tasks::products(wf, af, yf, zf);
  pairs_tasks::y_store(yf, y);
  pairs_tasks::z_store(zf, z);
}

// The call through which a native run enters 'pairs'.
#include "pairs.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int pairs_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    pairs(static_cast<const hls::vector<std::uint8_t, 4> *>(st_ports[0]),
          static_cast<const hls::vector<std::int8_t, 2> *>(st_ports[1]),
          static_cast<hls::vector<std::int32_t, 8> *>(st_ports[2]),
          static_cast<hls::vector<std::int32_t, 2> *>(st_ports[3]));
  });
}
