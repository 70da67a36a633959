//===- st_math.h - The math library of every level --------------*- C++ -*-===//
//
// One definition of each function for the interpreter, the native run and the
// constant folder, so that they agree bit for bit. Functions of floats are
// computed in double and rounded once, which makes the result independent of the
// platform's math library in all but cases that sit on a rounding boundary of 29 more bits.
// Synthesis takes Vitis' own cores.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_MATH_H
#define STREAMTENSOR_RUNTIME_ST_MATH_H

#include "st_types.h"

#include <type_traits>

#ifdef __SYNTHESIS__
#include "ap_int.h"
#include "hls_math.h"
#define STREAMTENSOR_MATH(function, value) hls::function(value)
#else
#define STREAMTENSOR_MATH(function, value) std::function(static_cast<double>(value))
#endif

namespace st {

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

#define STREAMTENSOR_UNARY(function)                                                               \
  template <typename T> inline T function(T x) {                                                   \
    return static_cast<T>(STREAMTENSOR_MATH(function, x));                                         \
  }

STREAMTENSOR_UNARY(atan)
STREAMTENSOR_UNARY(cos)
STREAMTENSOR_UNARY(erf)
STREAMTENSOR_UNARY(exp)
STREAMTENSOR_UNARY(exp2)
STREAMTENSOR_UNARY(expm1)
STREAMTENSOR_UNARY(log)
STREAMTENSOR_UNARY(log10)
STREAMTENSOR_UNARY(log1p)
STREAMTENSOR_UNARY(log2)
STREAMTENSOR_UNARY(sin)
STREAMTENSOR_UNARY(tanh)
#undef STREAMTENSOR_UNARY

template <typename T> inline T pow(T x, T y) {
#ifdef __SYNTHESIS__
  return static_cast<T>(hls::pow(x, y));
#else
  return static_cast<T>(std::pow(static_cast<double>(x), static_cast<double>(y)));
#endif
}

template <typename T> inline T atan2(T y, T x) {
#ifdef __SYNTHESIS__
  return static_cast<T>(hls::atan2(y, x));
#else
  return static_cast<T>(std::atan2(static_cast<double>(y), static_cast<double>(x)));
#endif
}

/// Repeated multiplication, from the highest bit of the exponent down.
template <typename T, typename I> inline T powi(T x, I exponent) {
  T result = T(1);
  auto size = exponent < 0 ? -static_cast<long long>(exponent) : static_cast<long long>(exponent);
  for (int bit = 62; bit >= 0; --bit) {
    result = T(result * result);
    if ((size >> bit) & 1)
      result = T(result * x);
  }
  return exponent < 0 ? T(T(1) / result) : result;
}

//===----------------------------------------------------------------------===//
// Roots and rounding: correctly rounded, so any library gives the same
//===----------------------------------------------------------------------===//

#ifdef __SYNTHESIS__
#define STREAMTENSOR_EXACT(function, ...) hls::function(__VA_ARGS__)
#else
#define STREAMTENSOR_EXACT(function, ...) std::function(__VA_ARGS__)
#endif

inline float sqrt(float x) { return STREAMTENSOR_EXACT(sqrt, x); }
inline double sqrt(double x) { return STREAMTENSOR_EXACT(sqrt, x); }
inline half sqrt(half x) { return static_cast<half>(sqrt(static_cast<float>(x))); }
inline bfloat16 sqrt(bfloat16 x) { return bfloat16(sqrt(static_cast<float>(x))); }

/// One over the root: two roundings, as division of 1 by sqrt; a core of its own in synthesis.
#ifdef __SYNTHESIS__
inline float rsqrt(float x) { return hls::rsqrt(x); }
inline double rsqrt(double x) { return hls::rsqrt(x); }
#else
inline float rsqrt(float x) { return 1.0f / sqrt(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
#endif
inline half rsqrt(half x) { return static_cast<half>(rsqrt(static_cast<float>(x))); }
inline bfloat16 rsqrt(bfloat16 x) { return bfloat16(rsqrt(static_cast<float>(x))); }

template <typename T>
using widened = typename std::conditional<std::is_same<T, double>::value, double, float>::type;

template <typename T> inline T ceil(T x) {
  return T(STREAMTENSOR_EXACT(ceil, static_cast<widened<T>>(x)));
}
template <typename T> inline T floor(T x) {
  return T(STREAMTENSOR_EXACT(floor, static_cast<widened<T>>(x)));
}
template <typename T> inline T trunc(T x) {
  return T(STREAMTENSOR_EXACT(trunc, static_cast<widened<T>>(x)));
}
template <typename T> inline T round(T x) {
  return T(STREAMTENSOR_EXACT(round, static_cast<widened<T>>(x)));
}
template <typename T> inline T fmod(T x, T y) {
  return T(STREAMTENSOR_EXACT(fmod, static_cast<widened<T>>(x), static_cast<widened<T>>(y)));
}
/// Ties to even.
template <typename T> inline T roundeven(T x) {
  return T(STREAMTENSOR_EXACT(rint, static_cast<widened<T>>(x)));
}

/// One rounding.
inline float fma(float a, float b, float c) { return STREAMTENSOR_EXACT(fma, a, b, c); }
inline double fma(double a, double b, double c) { return STREAMTENSOR_EXACT(fma, a, b, c); }
template <typename T> inline T fma(T a, T b, T c) {
  return T(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

//===----------------------------------------------------------------------===//
// Comparisons and signs
//===----------------------------------------------------------------------===//

inline bool signbit(float x) { return bit_cast<std::uint32_t>(x) >> 31; }
inline bool signbit(double x) { return bit_cast<std::uint64_t>(x) >> 63; }
inline bool signbit(half x) { return bit_cast<std::uint16_t>(x) >> 15; }
inline bool signbit(bfloat16 x) { return bit_cast<std::uint16_t>(x) >> 15; }

/// arith.maximumf: NaN if either is NaN; +0 is above -0.
template <typename T> inline T maximum(T a, T b) {
  if (a != a)
    return a;
  if (b != b)
    return b;
  if (a == b)
    return signbit(a) ? b : a;
  return a > b ? a : b;
}

/// arith.minimumf: NaN if either is NaN; -0 is below +0.
template <typename T> inline T minimum(T a, T b) {
  if (a != a)
    return a;
  if (b != b)
    return b;
  if (a == b)
    return signbit(a) ? a : b;
  return a < b ? a : b;
}

/// arith.maxnumf: the number if one is NaN.
template <typename T> inline T maxnum(T a, T b) { return a != a ? b : b != b ? a : maximum(a, b); }
/// arith.minnumf: the number if one is NaN.
template <typename T> inline T minnum(T a, T b) { return a != a ? b : b != b ? a : minimum(a, b); }

/// Is neither a NaN?
template <typename T> inline bool ordered(T a, T b) { return a == a && b == b; }
/// Ordered and different.
template <typename T> inline bool less_or_greater(T a, T b) { return a < b || a > b; }

inline float abs(float x) { return bit_cast<float>(bit_cast<std::uint32_t>(x) & 0x7fffffffu); }
inline double abs(double x) {
  return bit_cast<double>(bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffull);
}
template <typename T> inline T abs(T x) { return x < T(0) ? T(-x) : x; }

template <typename T> inline T copysign(T size, T sign) {
  return signbit(size) == signbit(sign) ? size : T(-size);
}

//===----------------------------------------------------------------------===//
// Whole numbers
//===----------------------------------------------------------------------===//

#ifdef __SYNTHESIS__
/// An integer of as many bits as T, where C++ would compute with 32.
template <typename T>
using exact = typename std::conditional<std::is_signed<T>::value, ap_int<8 * sizeof(T)>,
                                        ap_uint<8 * sizeof(T)>>::type;
#else
template <typename T> using exact = T;
#endif

template <typename T> inline T divide(T a, T b) { return T(exact<T>(a) / exact<T>(b)); }
template <typename T> inline T remainder(T a, T b) { return T(exact<T>(a) % exact<T>(b)); }

template <typename T> inline T floor_div(T a, T b) {
  T quotient = T(a / b);
  return (a % b != 0) && ((a < 0) != (b < 0)) ? T(quotient - 1) : quotient;
}
template <typename T> inline T ceil_div(T a, T b) {
  T quotient = T(a / b);
  return (a % b != 0) && ((a < 0) == (b < 0)) ? T(quotient + 1) : quotient;
}
template <typename T> inline T floor_mod(T a, T b) { return T(a - floor_div(a, b) * b); }

/// What is left of `a`, below twice `b`, by `b`: a subtraction and no division.
inline int wrap(int a, int b) { return a >= b ? a - b : a; }

/// Two numbers of `OwnBits` times one of `CommonBits`, in one DSP, which takes `Cycles`: `high`
/// lies above `low`, so far that a product fits between them. A negative product below takes one
/// from the product above. What stands in a pragma is a constant (UG1399, Using Constants with
/// Pragmas).
template <int OwnBits, int CommonBits, int Cycles, typename Product>
inline void multiply_pair(int low, int high, int common, Product &low_product,
                          Product &high_product) {
#ifdef __SYNTHESIS__
#pragma HLS inline
  constexpr int bits = OwnBits + CommonBits;
  const ap_int<OwnBits + bits + 1> both = (ap_int<OwnBits + bits + 1>(high) << bits) + low;
  constexpr int cycles = Cycles;
  const ap_int<2 * bits + 1> product = both * ap_int<CommonBits>(common);
#pragma HLS bind_op variable = product op = mul impl = dsp latency = cycles
  const ap_int<bits> below = product;
  const ap_int<bits + 1> above = product >> bits;
  low_product = below;
  high_product = above + (below < 0);
#else
  low_product = low * common;
  high_product = high * common;
#endif
}

#ifdef __SYNTHESIS__
/// Two products of `Bits` of which the upper begins `Overlap` bits below the lower one's end:
/// `next` are the lowest bits of the upper.
template <int Bits, int Overlap, int SumBits, typename Product>
inline void take_apart(ap_int<SumBits> sum, ap_uint<Overlap> next, Product &low, Product &high) {
#pragma HLS inline
  constexpr int near = Bits - Overlap;
  const ap_int<SumBits> above = sum >> near;
  const ap_int<Overlap> top = ap_uint<Overlap>(above) - next;
  const ap_uint<near> rest = sum;
  low = (ap_int<Bits>(top) << near) | ap_int<Bits>(rest);
  high = ap_int<Bits>(above - top);
}
#endif

/// Bits in which products of one number of the wide operand overlap below. The compiler counts DSPs
/// with the same number, `crossedOverlap`.
constexpr int crossed_overlap = 3;

/// Two numbers of `WideBits` times two of `NarrowBits`, in one DSP, which takes `Cycles`: in
/// both operands one lies above the other. Products of one of the first overlap, those of the other
/// lie above. Products are those of `low` and `high` with `first`, then with `second`.
template <int WideBits, int NarrowBits, int Cycles, typename Product>
inline void multiply_cross(int low, int high, int first, int second, Product &low_first,
                           Product &high_first, Product &low_second, Product &high_second) {
#ifdef __SYNTHESIS__
#pragma HLS inline
  constexpr int bits = WideBits + NarrowBits, overlap = crossed_overlap;
  constexpr int near = bits - overlap, far = near + bits;
  const ap_int<WideBits + far + 1> wide = (ap_int<WideBits + far + 1>(high) << far) + low;
  const ap_int<NarrowBits + near + 1> narrow =
      (ap_int<NarrowBits + near + 1>(second) << near) + first;
  constexpr int cycles = Cycles;
  const ap_int<bits + far + near + 2> product = wide * narrow;
#pragma HLS bind_op variable = product op = mul impl = dsp latency = cycles
  const ap_int<far> below = product;
  const ap_int<far + 1> above = product >> far;
  const ap_uint<overlap> tail = second;
  const ap_uint<overlap> low_next = ap_uint<overlap>(low) * tail;
  const ap_uint<overlap> high_next = ap_uint<overlap>(high) * tail;
  take_apart<bits, overlap, far>(below, low_next, low_first, low_second);
  take_apart<bits, overlap, far + 1>(above, high_next, high_first, high_second);
  high_first += below < 0;
#else
  low_first = low * first;
  high_first = high * first;
  low_second = low * second;
  high_second = high * second;
#endif
}

} // namespace st

#endif
