// Signatures of Vitis' hls_math.h (2023): of the functions that designs use, all overloads but the
// templates of ap_int and ap_fixed, which no number of these functions is. None is for 64 bits.
#pragma once

#include "hls_half.h"

#include <cstdint>

namespace hls {

#define UNARY(type, name) type name(type);
#define BINARY(type, name) type name(type, type);
#define TERNARY(type, name) type name(type, type, type);
#define OF_FLOATS(KIND, name) KIND(double, name) KIND(float, name) KIND(half, name)
#define OF_NUMBERS(KIND, name)                                                                     \
  OF_FLOATS(KIND, name)                                                                            \
  KIND(std::int8_t, name)                                                                          \
  KIND(std::uint8_t, name)                                                                         \
  KIND(std::int16_t, name)                                                                         \
  KIND(std::uint16_t, name)                                                                        \
  KIND(std::int32_t, name)                                                                         \
  KIND(std::uint32_t, name)

OF_NUMBERS(UNARY, atan)
OF_NUMBERS(UNARY, cos)
OF_NUMBERS(UNARY, erf)
OF_NUMBERS(UNARY, exp)
OF_NUMBERS(UNARY, exp2)
OF_NUMBERS(UNARY, expm1)
OF_NUMBERS(UNARY, log)
OF_NUMBERS(UNARY, log10)
OF_NUMBERS(UNARY, log1p)
OF_NUMBERS(UNARY, log2)
OF_NUMBERS(UNARY, sin)
OF_NUMBERS(UNARY, tanh)
OF_NUMBERS(UNARY, sqrt)
OF_NUMBERS(UNARY, rsqrt)
OF_NUMBERS(UNARY, round)
OF_NUMBERS(UNARY, rint)
OF_FLOATS(UNARY, ceil)
OF_FLOATS(UNARY, floor)
OF_FLOATS(UNARY, trunc)
OF_NUMBERS(BINARY, pow)
OF_NUMBERS(BINARY, atan2)
OF_NUMBERS(BINARY, fmod)
OF_NUMBERS(TERNARY, fma)

#undef UNARY
#undef BINARY
#undef TERNARY
#undef OF_FLOATS
#undef OF_NUMBERS

} // namespace hls
