//===- st_types.h - Number types of generated code --------------*- C++ -*-===//

#ifndef STREAMTENSOR_RUNTIME_ST_TYPES_H
#define STREAMTENSOR_RUNTIME_ST_TYPES_H

#include <cmath>
#include <cstdint>
#include <cstring>

// Vitis' own half in synthesis and in C simulation, whose compilers know no _Float16.
#if defined(__SYNTHESIS__) || defined(ST_VITIS)
#include "hls_half.h"
#define ST_OWN_HALF
#endif

namespace st {

#ifdef ST_OWN_HALF
using half = ::half;
#else
using half = _Float16;
#endif

/// The bits of `value` as another type of the same size.
template <typename To, typename From> inline To bit_cast(const From &value) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

/// The row of a table that is nearest to `row`.
inline int clamp_row(int row, int rows) { return row < 0 ? 0 : row < rows ? row : rows - 1; }

/// The upper half of a float; arithmetic rounds to nearest, ties to even, after each operation.
class bfloat16 {
public:
  bfloat16() = default;
  template <typename Number>
  explicit bfloat16(Number value) : bits(round(static_cast<float>(value))) {}
  operator float() const { return bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

private:
  static std::uint16_t round(float value) {
    std::uint32_t word = bit_cast<std::uint32_t>(value);
    if (value != value)
      return static_cast<std::uint16_t>((word >> 16) | 0x40);
    return static_cast<std::uint16_t>((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  std::uint16_t bits;
};

} // namespace st

#endif
