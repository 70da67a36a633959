//===- st_tokens.h - Tokens under other types -------------------*- C++ -*-===//
//
// A FIFO that joins a hand-written kernel carries the token type of that kernel, often one wide
// integer. The other end casts: the same bits, lane 0 lowest. Wires, no logic.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_TOKENS_H
#define STREAMTENSOR_RUNTIME_ST_TOKENS_H

// A token has up to 4,096 bits. Vitis' numbers have 1,024 unless this stands before ap_int.h
// (UG1399).
#ifndef AP_INT_MAX_W
#define AP_INT_MAX_W 4096
#endif
#include "ap_int.h"

#include "hls_vector.h"
#include "st_types.h"

#include <type_traits>

namespace st {

/// The bits of a token, as an integer, and back.
template <typename Number> struct TokenBits {
  static constexpr int width = 8 * sizeof(Number);
  using Same = std::conditional_t<
      sizeof(Number) == 1, std::uint8_t,
      std::conditional_t<sizeof(Number) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>>>;
  static ap_uint<width> get(const Number &value) { return bit_cast<Same>(value); }
  static Number make(const ap_uint<width> &bits) {
    return bit_cast<Number>(static_cast<Same>(bits.to_uint64()));
  }
};

template <> struct TokenBits<bool> {
  static constexpr int width = 1;
  static ap_uint<1> get(bool value) { return value; }
  static bool make(const ap_uint<1> &bits) { return bits != 0; }
};

template <int Width> struct TokenBits<ap_int<Width>> {
  static constexpr int width = Width;
  static ap_uint<Width> get(const ap_int<Width> &value) { return value; }
  static ap_int<Width> make(const ap_uint<Width> &bits) { return bits; }
};

template <int Width> struct TokenBits<ap_uint<Width>> {
  static constexpr int width = Width;
  static ap_uint<Width> get(const ap_uint<Width> &value) { return value; }
  static ap_uint<Width> make(const ap_uint<Width> &bits) { return bits; }
};

template <typename Number, std::size_t lanes> struct TokenBits<hls::vector<Number, lanes>> {
  using Lane = TokenBits<Number>;
  static constexpr int width = Lane::width * static_cast<int>(lanes);
  static_assert(width <= AP_INT_MAX_W, "ap_int.h stood before st_tokens.h, for narrower numbers");
  static ap_uint<width> get(const hls::vector<Number, lanes> &value) {
    ap_uint<width> bits = 0;
    for (int u0 = 0; u0 < static_cast<int>(lanes); ++u0) {
#pragma HLS unroll
      bits.range((u0 + 1) * Lane::width - 1, u0 * Lane::width) = Lane::get(value[u0]);
    }
    return bits;
  }
  static hls::vector<Number, lanes> make(const ap_uint<width> &bits) {
    hls::vector<Number, lanes> value;
    for (int u0 = 0; u0 < static_cast<int>(lanes); ++u0) {
#pragma HLS unroll
      const ap_uint<Lane::width> lane = bits.range((u0 + 1) * Lane::width - 1, u0 * Lane::width);
      value[u0] = Lane::make(lane);
    }
    return value;
  }
};

/// The bits of `token` as another type of as many bits.
template <typename To, typename From> inline To cast_token(const From &token) {
  static_assert(TokenBits<To>::width == TokenBits<From>::width, "widths differ");
  return TokenBits<To>::make(TokenBits<From>::get(token));
}

} // namespace st

#endif
