// Design 'rows': a dataflow region of 3 leaf tasks.
#include "rows.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace rows_tasks {

// load: 8 iterations, II 1 in a_load, then II 1 in c_load
void a_load_and_1(const hls::vector<std::uint8_t, 32> *a, const hls::vector<std::uint8_t, 32> *c,
                  hls::stream<hls::vector<ap_int<4>, 48>> &af,
                  hls::stream<hls::vector<ap_int<4>, 48>> &cf) {
#pragma HLS inline off
a_load_and_1_a_load_i0:
  for (int a_load_i0 = 0; a_load_i0 < 4; ++a_load_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::uint8_t, 32> a_word = a[a_load_i0];
    hls::vector<ap_int<4>, 48> a_value;
    for (int u1 = 0; u1 < 48; ++u1) {
#pragma HLS unroll
      a_value[u1] = ap_int<4>(a_word[u1 / 2] >> ((u1 % 2) * 4));
    }
    af.write(a_value);
  }
a_load_and_1_c_load_i0:
  for (int c_load_i0 = 0; c_load_i0 < 4; ++c_load_i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::uint8_t, 32> c_word = c[c_load_i0];
    hls::vector<ap_int<4>, 48> c_value;
    for (int u1_1 = 0; u1_1 < 48; ++u1_1) {
#pragma HLS unroll
      c_value[u1_1] = ap_int<4>(c_word[u1_1 / 2] >> ((u1_1 % 2) * 4));
    }
    cf.write(c_value);
  }
}

// load: 4 iterations, II 1
void b_load(const hls::vector<std::int32_t, 16> *b,
            hls::stream<hls::vector<std::int32_t, 16>> &bf) {
#pragma HLS inline off
b_load_i0:
  for (int i0 = 0; i0 < 4; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int32_t, 16> b_word = b[i0];
    bf.write(b_word);
  }
}

// compute: 1048576 iterations, II 1
void use(hls::stream<hls::vector<ap_int<4>, 48>> &af,
         hls::stream<hls::vector<std::int32_t, 16>> &bf,
         hls::stream<hls::vector<ap_int<4>, 48>> &cf) {
#pragma HLS inline off
  hls::vector<ap_int<4>, 48> af_token;
  hls::vector<std::int32_t, 16> bf_token;
  hls::vector<ap_int<4>, 48> cf_token;
use_i0:
  for (int i0 = 0; i0 < 1024; ++i0) {
use_i1:
    for (int i1 = 0; i1 < 1024; ++i1) {
#pragma HLS loop_flatten
#pragma HLS pipeline II=1 style=flp
      if (i0 == 0 && i1 >= 1020) {
        af_token = af.read();
      }
      if (i0 == 0 && i1 >= 1020) {
        bf_token = bf.read();
      }
      if (i0 == 0 && i1 >= 1020) {
        cf_token = cf.read();
      }
    }
  }
}

} // namespace rows_tasks

extern "C" void rows(const hls::vector<std::uint8_t, 32> *a, const hls::vector<std::int32_t, 16> *b,
                     const hls::vector<std::uint8_t, 32> *c) {
#pragma HLS interface mode=m_axi port=a bundle=gmem_a_and_1 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=b bundle=gmem_b offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=m_axi port=c bundle=gmem_a_and_1 offset=slave depth=4 max_read_burst_length=4 num_read_outstanding=10
#pragma HLS interface mode=s_axilite port=a bundle=control
#pragma HLS interface mode=s_axilite port=b bundle=control
#pragma HLS interface mode=s_axilite port=c bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<ap_int<4>, 48>> af("af");
#pragma HLS stream variable=af depth=4
#pragma HLS bind_storage variable=af type=fifo impl=srl
  hls::stream<hls::vector<ap_int<4>, 48>> cf("cf");
#pragma HLS stream variable=cf depth=4
#pragma HLS bind_storage variable=cf type=fifo impl=srl
  hls::stream<hls::vector<std::int32_t, 16>> bf("bf");
#pragma HLS stream variable=bf depth=4
#pragma HLS bind_storage variable=bf type=fifo impl=lutram

  rows_tasks::a_load_and_1(a, c, af, cf);
  rows_tasks::b_load(b, bf);
  rows_tasks::use(af, bf, cf);
}

// The call through which a native run enters 'rows'.
#include "rows.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int rows_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    rows(static_cast<const hls::vector<std::uint8_t, 32> *>(st_ports[0]),
         static_cast<const hls::vector<std::int32_t, 16> *>(st_ports[1]),
         static_cast<const hls::vector<std::uint8_t, 32> *>(st_ports[2]));
  });
}
