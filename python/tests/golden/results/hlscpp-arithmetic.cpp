// Design 'bf16': a dataflow region of 1 leaf tasks.
#include "bf16.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bf16_tasks {

// compute: 8 iterations, II 13
void each(const st::bfloat16 *x, const st::bfloat16 *z, hls::vector<st::bfloat16, 2> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=13 style=flp
    const st::bfloat16 x_word = x[i0];
    const st::bfloat16 z_word = z[i0];
    const st::bfloat16 sum = st::bfloat16(x_word + z_word);
    const st::bfloat16 difference = st::bfloat16(x_word - z_word);
    const st::bfloat16 product = st::bfloat16(x_word * z_word);
    const st::bfloat16 quotient = st::bfloat16(x_word / z_word);
    const st::bfloat16 remf = st::fmod(x_word, z_word);
    const st::bfloat16 largest = st::maximum(x_word, z_word);
    const st::bfloat16 smallest = st::minimum(x_word, z_word);
    const st::bfloat16 largest_1 = st::maxnum(x_word, z_word);
    const st::bfloat16 smallest_1 = st::minnum(x_word, z_word);
    const st::bfloat16 negated = st::bfloat16(-x_word);
    const st::bfloat16 chosen = (x_word == z_word) ? x_word : z_word;
    const st::bfloat16 chosen_1 = st::less_or_greater(x_word, z_word) ? x_word : z_word;
    const st::bfloat16 chosen_2 = (x_word < z_word) ? x_word : z_word;
    const st::bfloat16 chosen_3 = (x_word >= z_word) ? x_word : z_word;
    const st::bfloat16 chosen_4 = !st::less_or_greater(x_word, z_word) ? x_word : z_word;
    const st::bfloat16 chosen_5 = (x_word != z_word) ? x_word : z_word;
    const st::bfloat16 chosen_6 = !(x_word >= z_word) ? x_word : z_word;
    const st::bfloat16 chosen_7 = !(x_word < z_word) ? x_word : z_word;
    const st::bfloat16 chosen_8 = st::ordered(x_word, z_word) ? x_word : z_word;
    const st::bfloat16 chosen_9 = !st::ordered(x_word, z_word) ? x_word : z_word;
    const st::bfloat16 absf = st::abs(x_word);
    const st::bfloat16 exponential = st::exp(x_word);
    const st::bfloat16 log = st::log(x_word);
    const st::bfloat16 root = st::sqrt(x_word);
    const st::bfloat16 reciprocal_root = st::rsqrt(x_word);
    const st::bfloat16 tanh = st::tanh(x_word);
    hls::vector<st::bfloat16, 26> elements;
    elements[0] = sum;
    elements[1] = difference;
    elements[2] = product;
    elements[3] = quotient;
    elements[4] = remf;
    elements[5] = largest;
    elements[6] = smallest;
    elements[7] = largest_1;
    elements[8] = smallest_1;
    elements[9] = negated;
    elements[10] = chosen;
    elements[11] = chosen_1;
    elements[12] = chosen_2;
    elements[13] = chosen_3;
    elements[14] = chosen_4;
    elements[15] = chosen_5;
    elements[16] = chosen_6;
    elements[17] = chosen_7;
    elements[18] = chosen_8;
    elements[19] = chosen_9;
    elements[20] = absf;
    elements[21] = exponential;
    elements[22] = log;
    elements[23] = root;
    elements[24] = reciprocal_root;
    elements[25] = tanh;
    hls::vector<st::bfloat16, 2> y_word[13]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 26; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2][u1 % 2] = elements[u1];
    }
    for (int word = 0; word < 13; ++word) {
#pragma HLS unroll
      y[i0 * 13 + word] = y_word[word];
    }
  }
}

} // namespace bf16_tasks

extern "C" void bf16(const st::bfloat16 *x, const st::bfloat16 *z,
                     hls::vector<st::bfloat16, 2> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=104 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  bf16_tasks::each(x, z, y);
}

// The call through which a native run enters 'bf16'.
#include "bf16.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bf16_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    bf16(static_cast<const st::bfloat16 *>(st_ports[0]),
         static_cast<const st::bfloat16 *>(st_ports[1]),
         static_cast<hls::vector<st::bfloat16, 2> *>(st_ports[2]));
  });
}

// Design 'bits1': a dataflow region of 1 leaf tasks.
#include "bits1.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bits1_tasks {

// compute: 8 iterations, II 1
void each(const bool *x, const bool *z, hls::vector<std::int8_t, 16> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const bool x_value = x[i0];
    const bool z_value = z[i0];
    const bool sum = x_value != z_value;
    const bool difference = x_value != z_value;
    const bool product = x_value & z_value;
    const bool andi = x_value & z_value;
    const bool ori = x_value | z_value;
    const bool xori = x_value ^ z_value;
    const bool largest = x_value & z_value;
    const bool smallest = x_value | z_value;
    const bool largest_1 = x_value | z_value;
    const bool smallest_1 = x_value & z_value;
    const bool chosen = (z_value == x_value) ? x_value : z_value;
    const bool chosen_1 = (z_value != x_value) ? x_value : z_value;
    const bool chosen_2 = (z_value < x_value) ? x_value : z_value;
    const bool chosen_3 = (z_value <= x_value) ? x_value : z_value;
    const bool chosen_4 = (bool(x_value) > bool(z_value)) ? x_value : z_value;
    const bool chosen_5 = (bool(x_value) >= bool(z_value)) ? x_value : z_value;
    hls::vector<bool, 16> elements;
    elements[0] = sum;
    elements[1] = difference;
    elements[2] = product;
    elements[3] = andi;
    elements[4] = ori;
    elements[5] = xori;
    elements[6] = largest;
    elements[7] = smallest;
    elements[8] = largest_1;
    elements[9] = smallest_1;
    elements[10] = chosen;
    elements[11] = chosen_1;
    elements[12] = chosen_2;
    elements[13] = chosen_3;
    elements[14] = chosen_4;
    elements[15] = chosen_5;
    hls::vector<std::int8_t, 16> y_word{};
    for (int u1 = 0; u1 < 16; ++u1) {
#pragma HLS unroll
      y_word[u1] = elements[u1];
    }
    y[i0] = y_word;
  }
}

} // namespace bits1_tasks

extern "C" void bits1(const bool *x, const bool *z, hls::vector<std::int8_t, 16> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  bits1_tasks::each(x, z, y);
}

// Design 'bits12': a dataflow region of 1 leaf tasks.
#include "bits12.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bits12_tasks {

// compute: 8 iterations, II 13
void each(const ap_int<12> *x, const ap_int<12> *z, hls::vector<std::int16_t, 2> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=13 style=flp
    const ap_int<12> x_value = x[i0];
    const ap_int<12> z_value = z[i0];
    const ap_int<12> sum = ap_int<12>(x_value + z_value);
    const ap_int<12> difference = ap_int<12>(x_value - z_value);
    const ap_int<12> product = ap_int<12>(x_value * z_value);
#pragma HLS bind_op variable=product op=mul impl=dsp latency=3
    const ap_int<12> quotient = ap_int<12>(x_value / z_value);
    const ap_int<12> quotient_1 = ap_int<12>(ap_uint<12>(x_value) / ap_uint<12>(z_value));
    const ap_int<12> remsi = ap_int<12>(x_value % z_value);
    const ap_int<12> remui = ap_int<12>(ap_uint<12>(x_value) % ap_uint<12>(z_value));
    const ap_int<12> floordivsi = st::floor_div<ap_int<12>>(x_value, z_value);
    const ap_int<12> ceildivsi = st::ceil_div<ap_int<12>>(x_value, z_value);
    const ap_int<12> andi = ap_int<12>(x_value & z_value);
    const ap_int<12> ori = ap_int<12>(x_value | z_value);
    const ap_int<12> xori = ap_int<12>(x_value ^ z_value);
    const ap_int<12> shli = ap_int<12>(x_value << z_value);
    const ap_int<12> shrsi = ap_int<12>(x_value >> z_value);
    const ap_int<12> shrui = ap_int<12>(ap_uint<12>(x_value) >> ap_uint<12>(z_value));
    const ap_int<12> largest = ap_int<12>(x_value > z_value ? x_value : z_value);
    const ap_int<12> smallest = ap_int<12>(x_value < z_value ? x_value : z_value);
    const ap_int<12> largest_1 = ap_int<12>(ap_uint<12>(x_value) > ap_uint<12>(z_value) ? x_value : z_value);
    const ap_int<12> smallest_1 = ap_int<12>(ap_uint<12>(x_value) < ap_uint<12>(z_value) ? x_value : z_value);
    const ap_int<12> chosen = (x_value == z_value) ? x_value : z_value;
    const ap_int<12> chosen_1 = (x_value != z_value) ? x_value : z_value;
    const ap_int<12> chosen_2 = (x_value < z_value) ? x_value : z_value;
    const ap_int<12> chosen_3 = (x_value <= z_value) ? x_value : z_value;
    const ap_int<12> chosen_4 = (ap_uint<12>(x_value) > ap_uint<12>(z_value)) ? x_value : z_value;
    const ap_int<12> chosen_5 = (ap_uint<12>(x_value) >= ap_uint<12>(z_value)) ? x_value : z_value;
    const ap_int<12> absi = st::abs(x_value);
    hls::vector<ap_int<12>, 26> elements;
    elements[0] = sum;
    elements[1] = difference;
    elements[2] = product;
    elements[3] = quotient;
    elements[4] = quotient_1;
    elements[5] = remsi;
    elements[6] = remui;
    elements[7] = floordivsi;
    elements[8] = ceildivsi;
    elements[9] = andi;
    elements[10] = ori;
    elements[11] = xori;
    elements[12] = shli;
    elements[13] = shrsi;
    elements[14] = shrui;
    elements[15] = largest;
    elements[16] = smallest;
    elements[17] = largest_1;
    elements[18] = smallest_1;
    elements[19] = chosen;
    elements[20] = chosen_1;
    elements[21] = chosen_2;
    elements[22] = chosen_3;
    elements[23] = chosen_4;
    elements[24] = chosen_5;
    elements[25] = absi;
    hls::vector<std::int16_t, 2> y_word[13]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 26; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2][u1 % 2] = elements[u1];
    }
    for (int word = 0; word < 13; ++word) {
#pragma HLS unroll
      y[i0 * 13 + word] = y_word[word];
    }
  }
}

} // namespace bits12_tasks

extern "C" void bits12(const ap_int<12> *x, const ap_int<12> *z, hls::vector<std::int16_t, 2> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=104 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  bits12_tasks::each(x, z, y);
}

// The call through which a native run enters 'bits12'.
#include "bits12.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bits12_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    bits12(static_cast<const ap_int<12> *>(st_ports[0]),
           static_cast<const ap_int<12> *>(st_ports[1]),
           static_cast<hls::vector<std::int16_t, 2> *>(st_ports[2]));
  });
}

// The call through which a native run enters 'bits1'.
#include "bits1.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bits1_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    bits1(static_cast<const bool *>(st_ports[0]), static_cast<const bool *>(st_ports[1]),
          static_cast<hls::vector<std::int8_t, 16> *>(st_ports[2]));
  });
}

// Design 'bits32': a dataflow region of 1 leaf tasks.
#include "bits32.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bits32_tasks {

// compute: 8 iterations, II 13
void each(const std::int32_t *x, const std::int32_t *z, hls::vector<std::int32_t, 2> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=13 style=flp
    const std::int32_t x_word = x[i0];
    const std::int32_t z_word = z[i0];
    const std::int32_t sum = x_word + z_word;
    const std::int32_t difference = x_word - z_word;
    const std::int32_t product = x_word * z_word;
    const std::int32_t quotient = x_word / z_word;
    const std::int32_t quotient_1 = std::int32_t(std::uint32_t(x_word) / std::uint32_t(z_word));
    const std::int32_t remsi = x_word % z_word;
    const std::int32_t remui = std::int32_t(std::uint32_t(x_word) % std::uint32_t(z_word));
    const std::int32_t floordivsi = st::floor_div<std::int32_t>(x_word, z_word);
    const std::int32_t ceildivsi = st::ceil_div<std::int32_t>(x_word, z_word);
    const std::int32_t andi = x_word & z_word;
    const std::int32_t ori = x_word | z_word;
    const std::int32_t xori = x_word ^ z_word;
    const std::int32_t shli = x_word << z_word;
    const std::int32_t shrsi = x_word >> z_word;
    const std::int32_t shrui = std::int32_t(std::uint32_t(x_word) >> std::uint32_t(z_word));
    const std::int32_t largest = x_word > z_word ? x_word : z_word;
    const std::int32_t smallest = x_word < z_word ? x_word : z_word;
    const std::int32_t largest_1 = std::uint32_t(x_word) > std::uint32_t(z_word) ? x_word : z_word;
    const std::int32_t smallest_1 = std::uint32_t(x_word) < std::uint32_t(z_word) ? x_word : z_word;
    const std::int32_t chosen = (x_word == z_word) ? x_word : z_word;
    const std::int32_t chosen_1 = (x_word != z_word) ? x_word : z_word;
    const std::int32_t chosen_2 = (x_word < z_word) ? x_word : z_word;
    const std::int32_t chosen_3 = (x_word <= z_word) ? x_word : z_word;
    const std::int32_t chosen_4 = (std::uint32_t(x_word) > std::uint32_t(z_word)) ? x_word : z_word;
    const std::int32_t chosen_5 = (std::uint32_t(x_word) >= std::uint32_t(z_word)) ? x_word : z_word;
    const std::int32_t absi = st::abs(x_word);
    hls::vector<std::int32_t, 26> elements;
    elements[0] = sum;
    elements[1] = difference;
    elements[2] = product;
    elements[3] = quotient;
    elements[4] = quotient_1;
    elements[5] = remsi;
    elements[6] = remui;
    elements[7] = floordivsi;
    elements[8] = ceildivsi;
    elements[9] = andi;
    elements[10] = ori;
    elements[11] = xori;
    elements[12] = shli;
    elements[13] = shrsi;
    elements[14] = shrui;
    elements[15] = largest;
    elements[16] = smallest;
    elements[17] = largest_1;
    elements[18] = smallest_1;
    elements[19] = chosen;
    elements[20] = chosen_1;
    elements[21] = chosen_2;
    elements[22] = chosen_3;
    elements[23] = chosen_4;
    elements[24] = chosen_5;
    elements[25] = absi;
    hls::vector<std::int32_t, 2> y_word[13]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 26; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2][u1 % 2] = elements[u1];
    }
    for (int word = 0; word < 13; ++word) {
#pragma HLS unroll
      y[i0 * 13 + word] = y_word[word];
    }
  }
}

} // namespace bits32_tasks

extern "C" void bits32(const std::int32_t *x, const std::int32_t *z,
                       hls::vector<std::int32_t, 2> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=104 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  bits32_tasks::each(x, z, y);
}

// The call through which a native run enters 'bits32'.
#include "bits32.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bits32_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    bits32(static_cast<const std::int32_t *>(st_ports[0]),
           static_cast<const std::int32_t *>(st_ports[1]),
           static_cast<hls::vector<std::int32_t, 2> *>(st_ports[2]));
  });
}

// Design 'bits8': a dataflow region of 1 leaf tasks.
#include "bits8.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace bits8_tasks {

// compute: 8 iterations, II 13
void each(const std::int8_t *x, const std::int8_t *z, hls::vector<std::int8_t, 2> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=13 style=flp
    const std::int8_t x_word = x[i0];
    const std::int8_t z_word = z[i0];
    const std::int8_t sum = std::int8_t(x_word + z_word);
    const std::int8_t difference = std::int8_t(x_word - z_word);
    const std::int8_t product = std::int8_t(x_word * z_word);
#pragma HLS bind_op variable=product op=mul impl=dsp latency=3
    const std::int8_t quotient = st::divide<std::int8_t>(x_word, z_word);
    const std::int8_t quotient_1 = std::int8_t(st::divide<std::uint8_t>(std::uint8_t(x_word), std::uint8_t(z_word)));
    const std::int8_t remsi = st::remainder<std::int8_t>(x_word, z_word);
    const std::int8_t remui = std::int8_t(st::remainder<std::uint8_t>(std::uint8_t(x_word), std::uint8_t(z_word)));
    const std::int8_t floordivsi = st::floor_div<std::int8_t>(x_word, z_word);
    const std::int8_t ceildivsi = st::ceil_div<std::int8_t>(x_word, z_word);
    const std::int8_t andi = std::int8_t(x_word & z_word);
    const std::int8_t ori = std::int8_t(x_word | z_word);
    const std::int8_t xori = std::int8_t(x_word ^ z_word);
    const std::int8_t shli = std::int8_t(x_word << z_word);
    const std::int8_t shrsi = std::int8_t(x_word >> z_word);
    const std::int8_t shrui = std::int8_t(std::uint8_t(x_word) >> std::uint8_t(z_word));
    const std::int8_t largest = std::int8_t(x_word > z_word ? x_word : z_word);
    const std::int8_t smallest = std::int8_t(x_word < z_word ? x_word : z_word);
    const std::int8_t largest_1 = std::int8_t(std::uint8_t(x_word) > std::uint8_t(z_word) ? x_word : z_word);
    const std::int8_t smallest_1 = std::int8_t(std::uint8_t(x_word) < std::uint8_t(z_word) ? x_word : z_word);
    const std::int8_t chosen = (x_word == z_word) ? x_word : z_word;
    const std::int8_t chosen_1 = (x_word != z_word) ? x_word : z_word;
    const std::int8_t chosen_2 = (x_word < z_word) ? x_word : z_word;
    const std::int8_t chosen_3 = (x_word <= z_word) ? x_word : z_word;
    const std::int8_t chosen_4 = (std::uint8_t(x_word) > std::uint8_t(z_word)) ? x_word : z_word;
    const std::int8_t chosen_5 = (std::uint8_t(x_word) >= std::uint8_t(z_word)) ? x_word : z_word;
    const std::int8_t absi = st::abs(x_word);
    hls::vector<std::int8_t, 26> elements;
    elements[0] = sum;
    elements[1] = difference;
    elements[2] = product;
    elements[3] = quotient;
    elements[4] = quotient_1;
    elements[5] = remsi;
    elements[6] = remui;
    elements[7] = floordivsi;
    elements[8] = ceildivsi;
    elements[9] = andi;
    elements[10] = ori;
    elements[11] = xori;
    elements[12] = shli;
    elements[13] = shrsi;
    elements[14] = shrui;
    elements[15] = largest;
    elements[16] = smallest;
    elements[17] = largest_1;
    elements[18] = smallest_1;
    elements[19] = chosen;
    elements[20] = chosen_1;
    elements[21] = chosen_2;
    elements[22] = chosen_3;
    elements[23] = chosen_4;
    elements[24] = chosen_5;
    elements[25] = absi;
    hls::vector<std::int8_t, 2> y_word[13]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 26; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2][u1 % 2] = elements[u1];
    }
    for (int word = 0; word < 13; ++word) {
#pragma HLS unroll
      y[i0 * 13 + word] = y_word[word];
    }
  }
}

} // namespace bits8_tasks

extern "C" void bits8(const std::int8_t *x, const std::int8_t *z, hls::vector<std::int8_t, 2> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=104 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  bits8_tasks::each(x, z, y);
}

// The call through which a native run enters 'bits8'.
#include "bits8.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int bits8_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    bits8(static_cast<const std::int8_t *>(st_ports[0]),
          static_cast<const std::int8_t *>(st_ports[1]),
          static_cast<hls::vector<std::int8_t, 2> *>(st_ports[2]));
  });
}

// Design 'f32': a dataflow region of 1 leaf tasks.
#include "f32.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace f32_tasks {

// compute: 8 iterations, II 13
void each(const float *x, const float *z, hls::vector<float, 2> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=13 style=flp
    const float x_word = x[i0];
    const float z_word = z[i0];
    const float sum = x_word + z_word;
#pragma HLS bind_op variable=sum op=fadd impl=fulldsp latency=6
    const float difference = x_word - z_word;
#pragma HLS bind_op variable=difference op=fsub impl=fulldsp latency=6
    const float product = x_word * z_word;
#pragma HLS bind_op variable=product op=fmul impl=maxdsp latency=3
    const float quotient = x_word / z_word;
#pragma HLS bind_op variable=quotient op=fdiv impl=fabric latency=11
    const float remf = st::fmod(x_word, z_word);
    const float largest = st::maximum(x_word, z_word);
    const float smallest = st::minimum(x_word, z_word);
    const float largest_1 = st::maxnum(x_word, z_word);
    const float smallest_1 = st::minnum(x_word, z_word);
    const float negated = -x_word;
    const float chosen = (x_word == z_word) ? x_word : z_word;
    const float chosen_1 = st::less_or_greater(x_word, z_word) ? x_word : z_word;
    const float chosen_2 = (x_word < z_word) ? x_word : z_word;
    const float chosen_3 = (x_word >= z_word) ? x_word : z_word;
    const float chosen_4 = !st::less_or_greater(x_word, z_word) ? x_word : z_word;
    const float chosen_5 = (x_word != z_word) ? x_word : z_word;
    const float chosen_6 = !(x_word >= z_word) ? x_word : z_word;
    const float chosen_7 = !(x_word < z_word) ? x_word : z_word;
    const float chosen_8 = st::ordered(x_word, z_word) ? x_word : z_word;
    const float chosen_9 = !st::ordered(x_word, z_word) ? x_word : z_word;
    const float absf = st::abs(x_word);
    const float exponential = st::exp(x_word);
#pragma HLS bind_op variable=exponential op=fexp impl=fulldsp latency=9
    const float log = st::log(x_word);
    const float root = st::sqrt(x_word);
#pragma HLS bind_op variable=root op=fsqrt impl=fabric latency=11
    const float reciprocal_root = st::rsqrt(x_word);
#pragma HLS bind_op variable=reciprocal_root op=frsqrt impl=fulldsp latency=16
    const float tanh = st::tanh(x_word);
    hls::vector<float, 26> elements;
    elements[0] = sum;
    elements[1] = difference;
    elements[2] = product;
    elements[3] = quotient;
    elements[4] = remf;
    elements[5] = largest;
    elements[6] = smallest;
    elements[7] = largest_1;
    elements[8] = smallest_1;
    elements[9] = negated;
    elements[10] = chosen;
    elements[11] = chosen_1;
    elements[12] = chosen_2;
    elements[13] = chosen_3;
    elements[14] = chosen_4;
    elements[15] = chosen_5;
    elements[16] = chosen_6;
    elements[17] = chosen_7;
    elements[18] = chosen_8;
    elements[19] = chosen_9;
    elements[20] = absf;
    elements[21] = exponential;
    elements[22] = log;
    elements[23] = root;
    elements[24] = reciprocal_root;
    elements[25] = tanh;
    hls::vector<float, 2> y_word[13]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 26; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2][u1 % 2] = elements[u1];
    }
    for (int word = 0; word < 13; ++word) {
#pragma HLS unroll
      y[i0 * 13 + word] = y_word[word];
    }
  }
}

} // namespace f32_tasks

extern "C" void f32(const float *x, const float *z, hls::vector<float, 2> *y) {
#pragma HLS interface mode=m_axi port=x bundle=gmem_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=z bundle=gmem_z offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=104 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=x bundle=control
#pragma HLS interface mode=s_axilite port=z bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  f32_tasks::each(x, z, y);
}

// The call through which a native run enters 'f32'.
#include "f32.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int f32_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    f32(static_cast<const float *>(st_ports[0]), static_cast<const float *>(st_ports[1]),
        static_cast<hls::vector<float, 2> *>(st_ports[2]));
  });
}

// Design 'to_bf16': a dataflow region of 1 leaf tasks.
#include "to_bf16.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace to_bf16_tasks {

// compute: 8 iterations, II 11
void each(const bool *i1_x, const std::int8_t *i8_x, const ap_int<12> *i12_x,
          const std::int32_t *i32_x, const std::int64_t *i64_x, const float *f32_x,
          st::bfloat16 *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=11 style=flp
    const bool i1_x_value = i1_x[i0];
    const std::int8_t i8_x_word = i8_x[i0];
    const ap_int<12> i12_x_value = i12_x[i0];
    const std::int32_t i32_x_word = i32_x[i0];
    const std::int64_t i64_x_word = i64_x[i0];
    const float f32_x_word = f32_x[i0];
    const st::bfloat16 converted = st::bfloat16(-int(i1_x_value));
    const st::bfloat16 converted_1 = st::bfloat16(bool(i1_x_value));
    const st::bfloat16 converted_2 = st::bfloat16(i8_x_word);
    const st::bfloat16 converted_3 = st::bfloat16(std::uint8_t(i8_x_word));
    const st::bfloat16 converted_4 = st::bfloat16(i12_x_value);
    const st::bfloat16 converted_5 = st::bfloat16(ap_uint<12>(i12_x_value));
    const st::bfloat16 converted_6 = st::bfloat16(i32_x_word);
    const st::bfloat16 converted_7 = st::bfloat16(std::uint32_t(i32_x_word));
    const st::bfloat16 converted_8 = st::bfloat16(i64_x_word);
    const st::bfloat16 converted_9 = st::bfloat16(std::uint64_t(i64_x_word));
    const st::bfloat16 converted_10 = st::bfloat16(f32_x_word);
    hls::vector<st::bfloat16, 11> elements;
    elements[0] = converted;
    elements[1] = converted_1;
    elements[2] = converted_2;
    elements[3] = converted_3;
    elements[4] = converted_4;
    elements[5] = converted_5;
    elements[6] = converted_6;
    elements[7] = converted_7;
    elements[8] = converted_8;
    elements[9] = converted_9;
    elements[10] = converted_10;
    for (int u1 = 0; u1 < 11; ++u1) {
#pragma HLS unroll
      y[i0 * 11 + u1] = elements[u1];
    }
  }
}

} // namespace to_bf16_tasks

extern "C" void to_bf16(const bool *i1_x, const std::int8_t *i8_x, const ap_int<12> *i12_x,
                        const std::int32_t *i32_x, const std::int64_t *i64_x, const float *f32_x,
                        st::bfloat16 *y) {
#pragma HLS interface mode=m_axi port=i1_x bundle=gmem_i1_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i8_x bundle=gmem_i8_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i12_x bundle=gmem_i12_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i32_x bundle=gmem_i32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i64_x bundle=gmem_i64_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=f32_x bundle=gmem_f32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=88 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=i1_x bundle=control
#pragma HLS interface mode=s_axilite port=i8_x bundle=control
#pragma HLS interface mode=s_axilite port=i12_x bundle=control
#pragma HLS interface mode=s_axilite port=i32_x bundle=control
#pragma HLS interface mode=s_axilite port=i64_x bundle=control
#pragma HLS interface mode=s_axilite port=f32_x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  to_bf16_tasks::each(i1_x, i8_x, i12_x, i32_x, i64_x, f32_x, y);
}

// The call through which a native run enters 'to_bf16'.
#include "to_bf16.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int to_bf16_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    to_bf16(static_cast<const bool *>(st_ports[0]), static_cast<const std::int8_t *>(st_ports[1]),
            static_cast<const ap_int<12> *>(st_ports[2]),
            static_cast<const std::int32_t *>(st_ports[3]),
            static_cast<const std::int64_t *>(st_ports[4]), static_cast<const float *>(st_ports[5]),
            static_cast<st::bfloat16 *>(st_ports[6]));
  });
}

// Design 'to_f32': a dataflow region of 1 leaf tasks.
#include "to_f32.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace to_f32_tasks {

// compute: 8 iterations, II 3
void each(const bool *i1_x, const std::int8_t *i8_x, const ap_int<12> *i12_x,
          const std::int32_t *i32_x, const std::int64_t *i64_x, const st::bfloat16 *bf16_x,
          hls::vector<float, 4> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=3 style=flp
    const bool i1_x_value = i1_x[i0];
    const std::int8_t i8_x_word = i8_x[i0];
    const ap_int<12> i12_x_value = i12_x[i0];
    const std::int32_t i32_x_word = i32_x[i0];
    const std::int64_t i64_x_word = i64_x[i0];
    const st::bfloat16 bf16_x_word = bf16_x[i0];
    const float converted = float(-int(i1_x_value));
    const float converted_1 = float(bool(i1_x_value));
    const float converted_2 = float(i8_x_word);
    const float converted_3 = float(std::uint8_t(i8_x_word));
    const float converted_4 = float(i12_x_value);
    const float converted_5 = float(ap_uint<12>(i12_x_value));
    const float converted_6 = float(i32_x_word);
    const float converted_7 = float(std::uint32_t(i32_x_word));
    const float bitcast = st::bit_cast<float>(i32_x_word);
    const float converted_8 = float(i64_x_word);
    const float converted_9 = float(std::uint64_t(i64_x_word));
    const float converted_10 = float(bf16_x_word);
    hls::vector<float, 12> elements;
    elements[0] = converted;
    elements[1] = converted_1;
    elements[2] = converted_2;
    elements[3] = converted_3;
    elements[4] = converted_4;
    elements[5] = converted_5;
    elements[6] = converted_6;
    elements[7] = converted_7;
    elements[8] = bitcast;
    elements[9] = converted_8;
    elements[10] = converted_9;
    elements[11] = converted_10;
    hls::vector<float, 4> y_word[3]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 12; ++u1) {
#pragma HLS unroll
      y_word[u1 / 4][u1 % 4] = elements[u1];
    }
    for (int word = 0; word < 3; ++word) {
#pragma HLS unroll
      y[i0 * 3 + word] = y_word[word];
    }
  }
}

} // namespace to_f32_tasks

extern "C" void to_f32(const bool *i1_x, const std::int8_t *i8_x, const ap_int<12> *i12_x,
                       const std::int32_t *i32_x, const std::int64_t *i64_x,
                       const st::bfloat16 *bf16_x, hls::vector<float, 4> *y) {
#pragma HLS interface mode=m_axi port=i1_x bundle=gmem_i1_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i8_x bundle=gmem_i8_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i12_x bundle=gmem_i12_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i32_x bundle=gmem_i32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i64_x bundle=gmem_i64_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=bf16_x bundle=gmem_bf16_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=24 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=i1_x bundle=control
#pragma HLS interface mode=s_axilite port=i8_x bundle=control
#pragma HLS interface mode=s_axilite port=i12_x bundle=control
#pragma HLS interface mode=s_axilite port=i32_x bundle=control
#pragma HLS interface mode=s_axilite port=i64_x bundle=control
#pragma HLS interface mode=s_axilite port=bf16_x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  to_f32_tasks::each(i1_x, i8_x, i12_x, i32_x, i64_x, bf16_x, y);
}

// The call through which a native run enters 'to_f32'.
#include "to_f32.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int to_f32_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    to_f32(static_cast<const bool *>(st_ports[0]), static_cast<const std::int8_t *>(st_ports[1]),
           static_cast<const ap_int<12> *>(st_ports[2]),
           static_cast<const std::int32_t *>(st_ports[3]),
           static_cast<const std::int64_t *>(st_ports[4]),
           static_cast<const st::bfloat16 *>(st_ports[5]),
           static_cast<hls::vector<float, 4> *>(st_ports[6]));
  });
}

// Design 'to_i1': a dataflow region of 1 leaf tasks.
#include "to_i1.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace to_i1_tasks {

// compute: 8 iterations, II 1
void each(const std::int8_t *i8_x, const ap_int<12> *i12_x, const std::int32_t *i32_x,
          const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
          hls::vector<std::int8_t, 8> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=1 style=flp
    const std::int8_t i8_x_word = i8_x[i0];
    const ap_int<12> i12_x_value = i12_x[i0];
    const std::int32_t i32_x_word = i32_x[i0];
    const std::int64_t i64_x_word = i64_x[i0];
    const float f32_x_word = f32_x[i0];
    const st::bfloat16 bf16_x_word = bf16_x[i0];
    const bool converted = (i8_x_word & 1) != 0;
    const bool converted_1 = (i12_x_value & 1) != 0;
    const bool converted_2 = (i32_x_word & 1) != 0;
    const bool converted_3 = (i64_x_word & 1) != 0;
    const bool fptosi = bool(std::int32_t(f32_x_word));
    const bool fptoui = bool(std::uint32_t(f32_x_word));
    const bool fptosi_1 = bool(std::int32_t(bf16_x_word));
    const bool fptoui_1 = bool(std::uint32_t(bf16_x_word));
    hls::vector<bool, 8> elements;
    elements[0] = converted;
    elements[1] = converted_1;
    elements[2] = converted_2;
    elements[3] = converted_3;
    elements[4] = fptosi;
    elements[5] = fptoui;
    elements[6] = fptosi_1;
    elements[7] = fptoui_1;
    hls::vector<std::int8_t, 8> y_word{};
    for (int u1 = 0; u1 < 8; ++u1) {
#pragma HLS unroll
      y_word[u1] = elements[u1];
    }
    y[i0] = y_word;
  }
}

} // namespace to_i1_tasks

extern "C" void to_i1(const std::int8_t *i8_x, const ap_int<12> *i12_x, const std::int32_t *i32_x,
                      const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
                      hls::vector<std::int8_t, 8> *y) {
#pragma HLS interface mode=m_axi port=i8_x bundle=gmem_i8_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i12_x bundle=gmem_i12_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i32_x bundle=gmem_i32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i64_x bundle=gmem_i64_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=f32_x bundle=gmem_f32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=bf16_x bundle=gmem_bf16_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=8 max_write_burst_length=8 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=i8_x bundle=control
#pragma HLS interface mode=s_axilite port=i12_x bundle=control
#pragma HLS interface mode=s_axilite port=i32_x bundle=control
#pragma HLS interface mode=s_axilite port=i64_x bundle=control
#pragma HLS interface mode=s_axilite port=f32_x bundle=control
#pragma HLS interface mode=s_axilite port=bf16_x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  to_i1_tasks::each(i8_x, i12_x, i32_x, i64_x, f32_x, bf16_x, y);
}

// Design 'to_i12': a dataflow region of 1 leaf tasks.
#include "to_i12.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace to_i12_tasks {

// compute: 8 iterations, II 11
void each(const bool *i1_x, const std::int8_t *i8_x, const std::int32_t *i32_x,
          const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
          ap_int<12> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=11 style=flp
    const bool i1_x_value = i1_x[i0];
    const std::int8_t i8_x_word = i8_x[i0];
    const std::int32_t i32_x_word = i32_x[i0];
    const std::int64_t i64_x_word = i64_x[i0];
    const float f32_x_word = f32_x[i0];
    const st::bfloat16 bf16_x_word = bf16_x[i0];
    const ap_int<12> converted = ap_int<12>(-int(i1_x_value));
    const ap_int<12> converted_1 = ap_int<12>(bool(i1_x_value));
    const ap_int<12> converted_2 = ap_int<12>(i8_x_word);
    const ap_int<12> converted_3 = ap_int<12>(std::uint8_t(i8_x_word));
    const ap_int<12> converted_4 = ap_int<12>(i32_x_word);
    const ap_int<12> converted_5 = ap_int<12>(i64_x_word);
    const ap_int<12> fptosi = ap_int<12>(std::int32_t(f32_x_word));
    const ap_int<12> fptoui = ap_int<12>(std::uint32_t(f32_x_word));
    const ap_int<12> fptosi_1 = ap_int<12>(std::int32_t(bf16_x_word));
    const ap_int<12> fptoui_1 = ap_int<12>(std::uint32_t(bf16_x_word));
    const ap_int<12> converted_6 = ap_int<12>(i0);
    hls::vector<ap_int<12>, 11> elements;
    elements[0] = converted;
    elements[1] = converted_1;
    elements[2] = converted_2;
    elements[3] = converted_3;
    elements[4] = converted_4;
    elements[5] = converted_5;
    elements[6] = fptosi;
    elements[7] = fptoui;
    elements[8] = fptosi_1;
    elements[9] = fptoui_1;
    elements[10] = converted_6;
    for (int u1 = 0; u1 < 11; ++u1) {
#pragma HLS unroll
      y[i0 * 11 + u1] = elements[u1];
    }
  }
}

} // namespace to_i12_tasks

extern "C" void to_i12(const bool *i1_x, const std::int8_t *i8_x, const std::int32_t *i32_x,
                       const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
                       ap_int<12> *y) {
#pragma HLS interface mode=m_axi port=i1_x bundle=gmem_i1_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i8_x bundle=gmem_i8_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i32_x bundle=gmem_i32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i64_x bundle=gmem_i64_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=f32_x bundle=gmem_f32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=bf16_x bundle=gmem_bf16_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=88 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=i1_x bundle=control
#pragma HLS interface mode=s_axilite port=i8_x bundle=control
#pragma HLS interface mode=s_axilite port=i32_x bundle=control
#pragma HLS interface mode=s_axilite port=i64_x bundle=control
#pragma HLS interface mode=s_axilite port=f32_x bundle=control
#pragma HLS interface mode=s_axilite port=bf16_x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  to_i12_tasks::each(i1_x, i8_x, i32_x, i64_x, f32_x, bf16_x, y);
}

// The call through which a native run enters 'to_i12'.
#include "to_i12.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int to_i12_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    to_i12(static_cast<const bool *>(st_ports[0]), static_cast<const std::int8_t *>(st_ports[1]),
           static_cast<const std::int32_t *>(st_ports[2]),
           static_cast<const std::int64_t *>(st_ports[3]), static_cast<const float *>(st_ports[4]),
           static_cast<const st::bfloat16 *>(st_ports[5]), static_cast<ap_int<12> *>(st_ports[6]));
  });
}

// The call through which a native run enters 'to_i1'.
#include "to_i1.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int to_i1_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    to_i1(static_cast<const std::int8_t *>(st_ports[0]),
          static_cast<const ap_int<12> *>(st_ports[1]),
          static_cast<const std::int32_t *>(st_ports[2]),
          static_cast<const std::int64_t *>(st_ports[3]), static_cast<const float *>(st_ports[4]),
          static_cast<const st::bfloat16 *>(st_ports[5]),
          static_cast<hls::vector<std::int8_t, 8> *>(st_ports[6]));
  });
}

// Design 'to_i32': a dataflow region of 1 leaf tasks.
#include "to_i32.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace to_i32_tasks {

// compute: 8 iterations, II 13
void each(const bool *i1_x, const std::int8_t *i8_x, const ap_int<12> *i12_x,
          const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
          std::int32_t *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=13 style=flp
    const bool i1_x_value = i1_x[i0];
    const std::int8_t i8_x_word = i8_x[i0];
    const ap_int<12> i12_x_value = i12_x[i0];
    const std::int64_t i64_x_word = i64_x[i0];
    const float f32_x_word = f32_x[i0];
    const st::bfloat16 bf16_x_word = bf16_x[i0];
    const std::int32_t converted = std::int32_t(-int(i1_x_value));
    const std::int32_t converted_1 = std::int32_t(bool(i1_x_value));
    const std::int32_t converted_2 = std::int32_t(i8_x_word);
    const std::int32_t converted_3 = std::int32_t(std::uint8_t(i8_x_word));
    const std::int32_t converted_4 = std::int32_t(i12_x_value);
    const std::int32_t converted_5 = std::int32_t(ap_uint<12>(i12_x_value));
    const std::int32_t converted_6 = std::int32_t(i64_x_word);
    const std::int32_t fptosi = std::int32_t(f32_x_word);
    const std::int32_t fptoui = std::int32_t(std::uint32_t(f32_x_word));
    const std::int32_t bitcast = st::bit_cast<std::int32_t>(f32_x_word);
    const std::int32_t fptosi_1 = std::int32_t(bf16_x_word);
    const std::int32_t fptoui_1 = std::int32_t(std::uint32_t(bf16_x_word));
    const std::int32_t converted_7 = std::int32_t(i0);
    hls::vector<std::int32_t, 13> elements;
    elements[0] = converted;
    elements[1] = converted_1;
    elements[2] = converted_2;
    elements[3] = converted_3;
    elements[4] = converted_4;
    elements[5] = converted_5;
    elements[6] = converted_6;
    elements[7] = fptosi;
    elements[8] = fptoui;
    elements[9] = bitcast;
    elements[10] = fptosi_1;
    elements[11] = fptoui_1;
    elements[12] = converted_7;
    for (int u1 = 0; u1 < 13; ++u1) {
#pragma HLS unroll
      y[i0 * 13 + u1] = elements[u1];
    }
  }
}

} // namespace to_i32_tasks

extern "C" void to_i32(const bool *i1_x, const std::int8_t *i8_x, const ap_int<12> *i12_x,
                       const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
                       std::int32_t *y) {
#pragma HLS interface mode=m_axi port=i1_x bundle=gmem_i1_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i8_x bundle=gmem_i8_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i12_x bundle=gmem_i12_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i64_x bundle=gmem_i64_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=f32_x bundle=gmem_f32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=bf16_x bundle=gmem_bf16_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=104 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=i1_x bundle=control
#pragma HLS interface mode=s_axilite port=i8_x bundle=control
#pragma HLS interface mode=s_axilite port=i12_x bundle=control
#pragma HLS interface mode=s_axilite port=i64_x bundle=control
#pragma HLS interface mode=s_axilite port=f32_x bundle=control
#pragma HLS interface mode=s_axilite port=bf16_x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  to_i32_tasks::each(i1_x, i8_x, i12_x, i64_x, f32_x, bf16_x, y);
}

// The call through which a native run enters 'to_i32'.
#include "to_i32.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int to_i32_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    to_i32(static_cast<const bool *>(st_ports[0]), static_cast<const std::int8_t *>(st_ports[1]),
           static_cast<const ap_int<12> *>(st_ports[2]),
           static_cast<const std::int64_t *>(st_ports[3]), static_cast<const float *>(st_ports[4]),
           static_cast<const st::bfloat16 *>(st_ports[5]),
           static_cast<std::int32_t *>(st_ports[6]));
  });
}

// Design 'to_i8': a dataflow region of 1 leaf tasks.
#include "to_i8.h"

#include "hls_stream.h"
#include "hls_streamofblocks.h"
#include "st_math.h"

namespace to_i8_tasks {

// compute: 8 iterations, II 5
void each(const bool *i1_x, const ap_int<12> *i12_x, const std::int32_t *i32_x,
          const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
          hls::vector<std::int8_t, 2> *y) {
#pragma HLS inline off
each_i0:
  for (int i0 = 0; i0 < 8; ++i0) {
#pragma HLS pipeline II=5 style=flp
    const bool i1_x_value = i1_x[i0];
    const ap_int<12> i12_x_value = i12_x[i0];
    const std::int32_t i32_x_word = i32_x[i0];
    const std::int64_t i64_x_word = i64_x[i0];
    const float f32_x_word = f32_x[i0];
    const st::bfloat16 bf16_x_word = bf16_x[i0];
    const std::int8_t converted = std::int8_t(-int(i1_x_value));
    const std::int8_t converted_1 = std::int8_t(bool(i1_x_value));
    const std::int8_t converted_2 = std::int8_t(i12_x_value);
    const std::int8_t converted_3 = std::int8_t(i32_x_word);
    const std::int8_t converted_4 = std::int8_t(i64_x_word);
    const std::int8_t fptosi = std::int8_t(std::int32_t(f32_x_word));
    const std::int8_t fptoui = std::int8_t(std::uint32_t(f32_x_word));
    const std::int8_t fptosi_1 = std::int8_t(std::int32_t(bf16_x_word));
    const std::int8_t fptoui_1 = std::int8_t(std::uint32_t(bf16_x_word));
    const std::int8_t converted_5 = std::int8_t(i0);
    hls::vector<std::int8_t, 10> elements;
    elements[0] = converted;
    elements[1] = converted_1;
    elements[2] = converted_2;
    elements[3] = converted_3;
    elements[4] = converted_4;
    elements[5] = fptosi;
    elements[6] = fptoui;
    elements[7] = fptosi_1;
    elements[8] = fptoui_1;
    elements[9] = converted_5;
    hls::vector<std::int8_t, 2> y_word[5]{};
#pragma HLS array_partition variable=y_word type=complete dim=0
    for (int u1 = 0; u1 < 10; ++u1) {
#pragma HLS unroll
      y_word[u1 / 2][u1 % 2] = elements[u1];
    }
    for (int word = 0; word < 5; ++word) {
#pragma HLS unroll
      y[i0 * 5 + word] = y_word[word];
    }
  }
}

} // namespace to_i8_tasks

extern "C" void to_i8(const bool *i1_x, const ap_int<12> *i12_x, const std::int32_t *i32_x,
                      const std::int64_t *i64_x, const float *f32_x, const st::bfloat16 *bf16_x,
                      hls::vector<std::int8_t, 2> *y) {
#pragma HLS interface mode=m_axi port=i1_x bundle=gmem_i1_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i12_x bundle=gmem_i12_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i32_x bundle=gmem_i32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=i64_x bundle=gmem_i64_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=f32_x bundle=gmem_f32_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=bf16_x bundle=gmem_bf16_x offset=slave depth=8 max_read_burst_length=8 num_read_outstanding=7
#pragma HLS interface mode=m_axi port=y bundle=gmem_y offset=slave depth=40 max_write_burst_length=256 num_write_outstanding=2
#pragma HLS interface mode=s_axilite port=i1_x bundle=control
#pragma HLS interface mode=s_axilite port=i12_x bundle=control
#pragma HLS interface mode=s_axilite port=i32_x bundle=control
#pragma HLS interface mode=s_axilite port=i64_x bundle=control
#pragma HLS interface mode=s_axilite port=f32_x bundle=control
#pragma HLS interface mode=s_axilite port=bf16_x bundle=control
#pragma HLS interface mode=s_axilite port=y bundle=control
#pragma HLS interface mode=s_axilite port=return bundle=control
#pragma HLS dataflow

  to_i8_tasks::each(i1_x, i12_x, i32_x, i64_x, f32_x, bf16_x, y);
}

// The call through which a native run enters 'to_i8'.
#include "to_i8.h"
#include "st_native.h"

// st_ports: one address per argument of the top function. Returns 0, or 1 and a message.
extern "C" int to_i8_call(void *const *st_ports, char *st_message, std::size_t st_capacity) {
  return st::native_call(st_message, st_capacity, [&] {
    to_i8(static_cast<const bool *>(st_ports[0]), static_cast<const ap_int<12> *>(st_ports[1]),
          static_cast<const std::int32_t *>(st_ports[2]),
          static_cast<const std::int64_t *>(st_ports[3]), static_cast<const float *>(st_ports[4]),
          static_cast<const st::bfloat16 *>(st_ports[5]),
          static_cast<hls::vector<std::int8_t, 2> *>(st_ports[6]));
  });
}
