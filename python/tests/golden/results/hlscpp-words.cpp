// Design 'words': a dataflow region of 8 leaf tasks.
#include "words.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace words_tasks {

// load: 12 iterations, II 1
void load_padded(const hls::vector<float, 16> *padded, hls::stream<hls::vector<float, 15>> &a) {
#pragma HLS inline off
load_padded_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 16> padded_word = padded[i0];
    hls::vector<float, 15> padded_value;
    for (int u2 = 0; u2 < 15; ++u2) {
#pragma HLS unroll
      padded_value[u2] = padded_word[u2];
    }
    a.write(padded_value);
  }
}

// load: 12 iterations, II 2
void load_several(const hls::vector<float, 16> *several, hls::stream<hls::vector<float, 20>> &b) {
#pragma HLS inline off
load_several_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=2 style=flp
    hls::vector<float, 16> several_word[2];
#pragma HLS array_partition variable=several_word type=complete dim=0
    for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
      several_word[word] = several[i0 * 2 + word];
    }
    float several_value[1][2][10];
#pragma HLS array_partition variable=several_value type=complete dim=0
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 10; ++u2) {
#pragma HLS unroll
        several_value[0][u1][u2] = several_word[u1][u2];
      }
    }
    hls::vector<float, 20> b_token;
    for (int u0 = 0; u0 < 20; ++u0) {
#pragma HLS unroll
      b_token[u0] = several_value[0][u0 / 10][u0 % 10];
    }
    b.write(b_token);
  }
}

// load: 12 iterations, II 3
void load_plain(const hls::vector<float, 8> *plain, hls::stream<hls::vector<float, 24>> &c) {
#pragma HLS inline off
load_plain_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=3 style=flp
    hls::vector<float, 8> plain_word[3];
#pragma HLS array_partition variable=plain_word type=complete dim=0
    for (int word = 0; word < 3; ++word) {
#pragma HLS unroll
      plain_word[word] = plain[i0 * 3 + word];
    }
    hls::vector<float, 24> plain_value;
    for (int u1 = 0; u1 < 24; ++u1) {
#pragma HLS unroll
      plain_value[u1] = plain_word[u1 / 8][u1 % 8];
    }
    c.write(plain_value);
  }
}

// load: 12 iterations, II 15
void load_odd(const float *odd, hls::stream<hls::vector<float, 15>> &d) {
#pragma HLS inline off
load_odd_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=15 style=flp
    hls::vector<float, 15> odd_value;
    for (int u1 = 0; u1 < 15; ++u1) {
#pragma HLS unroll
      odd_value[u1] = odd[i0 * 15 + u1];
    }
    d.write(odd_value);
  }
}

// load: 12 iterations, II 1
void load_flags(const hls::vector<std::int8_t, 16> *flags, hls::stream<hls::vector<bool, 16>> &e) {
#pragma HLS inline off
load_flags_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<std::int8_t, 16> flags_word = flags[i0];
    hls::vector<bool, 16> flags_value;
    for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
      flags_value[u1] = bool(flags_word[u1]);
    }
    e.write(flags_value);
  }
}

// compute: 12 iterations, II 1
void drain(hls::stream<hls::vector<float, 15>> &a, hls::stream<hls::vector<float, 24>> &c,
           hls::stream<hls::vector<float, 15>> &d) {
#pragma HLS inline off
drain_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<float, 15> a_token = a.read();
    const hls::vector<float, 24> c_token = c.read();
    const hls::vector<float, 15> d_token = d.read();
  }
}

// store: 12 iterations, II 2
void store(hls::stream<hls::vector<float, 20>> &b, hls::vector<float, 16> *out) {
#pragma HLS inline off
store_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=2 style=flp
    const hls::vector<float, 20> b_token = b.read();
    hls::vector<float, 16> out_word[2]{};
#pragma HLS array_partition variable=out_word type=complete dim=0
    for (int u1 = 0; u1 < 2; ++u1) {
#pragma HLS unroll
      for (int u2 = 0; u2 < 10; ++u2) {
#pragma HLS unroll
        out_word[u1][u2] = b_token[u1 * 10 + u2];
      }
    }
    for (int word = 0; word < 2; ++word) {
#pragma HLS unroll
      out[i0 * 2 + word] = out_word[word];
    }
  }
}

// store: 12 iterations, II 1
void store_flags(hls::stream<hls::vector<bool, 16>> &e, hls::vector<std::int8_t, 16> *mask) {
#pragma HLS inline off
store_flags_i0:
  for (int i0 = 0; i0 < 12; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const hls::vector<bool, 16> e_token = e.read();
    hls::vector<std::int8_t, 16> mask_word{};
    for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
      mask_word[u1] = e_token[u1];
    }
    mask[i0] = mask_word;
  }
}

} // namespace words_tasks

extern "C" void words(const hls::vector<float, 16> *padded, const hls::vector<float, 16> *several,
                      const hls::vector<float, 8> *plain, const float *odd,
                      const hls::vector<std::int8_t, 16> *flags, hls::vector<float, 16> *out,
                      hls::vector<std::int8_t, 16> *mask) {
#pragma HLS interface mode=m_axi port=padded bundle=gmem_padded offset=slave depth=12 max_read_burst_length=16 num_read_outstanding=6
#pragma HLS interface mode=m_axi port=several bundle=gmem_several offset=slave depth=24 max_read_burst_length=64 num_read_outstanding=4
#pragma HLS interface mode=m_axi port=plain bundle=gmem_plain offset=slave depth=36 max_read_burst_length=128 num_read_outstanding=3
#pragma HLS interface mode=m_axi port=odd bundle=gmem_odd offset=slave depth=180 max_read_burst_length=256 num_read_outstanding=2
#pragma HLS interface mode=m_axi port=flags bundle=gmem_flags offset=slave depth=12 max_read_burst_length=16 num_read_outstanding=6
#pragma HLS interface mode=m_axi port=out bundle=gmem_out offset=slave depth=24 max_write_burst_length=64 num_write_outstanding=2
#pragma HLS interface mode=m_axi port=mask bundle=gmem_mask offset=slave depth=12 max_write_burst_length=16 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=padded bundle=control
#pragma HLS interface mode=s_axilite port=several bundle=control
#pragma HLS interface mode=s_axilite port=plain bundle=control
#pragma HLS interface mode=s_axilite port=odd bundle=control
#pragma HLS interface mode=s_axilite port=flags bundle=control
#pragma HLS interface mode=s_axilite port=out bundle=control
#pragma HLS interface mode=s_axilite port=mask bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow
  hls::stream<hls::vector<float, 15>> a("a");
#pragma HLS stream variable=a depth=2
#pragma HLS bind_storage variable=a type=fifo impl=srl
  hls::stream<hls::vector<float, 20>> b("b");
#pragma HLS stream variable=b depth=2
#pragma HLS bind_storage variable=b type=fifo impl=srl
  hls::stream<hls::vector<float, 24>> c("c");
#pragma HLS stream variable=c depth=2
#pragma HLS bind_storage variable=c type=fifo impl=srl
  hls::stream<hls::vector<float, 15>> d("d");
#pragma HLS stream variable=d depth=2
#pragma HLS bind_storage variable=d type=fifo impl=srl
  hls::stream<hls::vector<bool, 16>> e("e");
#pragma HLS stream variable=e depth=2
#pragma HLS bind_storage variable=e type=fifo impl=srl

  words_tasks::load_padded(padded, a);
  words_tasks::load_several(several, b);
  words_tasks::load_plain(plain, c);
  words_tasks::load_odd(odd, d);
  words_tasks::load_flags(flags, e);
  words_tasks::drain(a, c, d);
  words_tasks::store(b, out);
  words_tasks::store_flags(e, mask);
}

// The call through which a native run enters 'words'.
#include "words.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int words_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    words(static_cast<const hls::vector<float, 16> *>(st_ports[0]),
          static_cast<const hls::vector<float, 16> *>(st_ports[1]),
          static_cast<const hls::vector<float, 8> *>(st_ports[2]),
          static_cast<const float *>(st_ports[3]),
          static_cast<const hls::vector<std::int8_t, 16> *>(st_ports[4]),
          static_cast<hls::vector<float, 16> *>(st_ports[5]),
          static_cast<hls::vector<std::int8_t, 16> *>(st_ports[6]));
  });
}
