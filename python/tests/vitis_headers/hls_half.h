// Signatures of Vitis' half, as hls_half.h and hls_half_fpo.h of 2023 have them: a builtin type in
// synthesis; in C simulation a class that is made of any number, is a float wherever one is asked
// for, and whose operators take constant halves as floats.
#pragma once

#ifdef __SYNTHESIS__
typedef __fp16 half;
#else

#include "ap_fixed.h"

#include <iosfwd>

class half {
public:
  typedef unsigned short uint16;
  /// The type of a result with a number of another type.
  template <typename Left, typename Right> struct half_traits;

  half() : bits() {}
  half(float value);
  template <int W, int I, bool S, ap_q_mode Q, ap_o_mode O, int N>
  half(const ap_fixed_base<W, I, S, Q, O, N> &value);
  template <int W, bool S> half(const ap_int_base<W, S> &value);
  operator float() const;

  half &operator=(float value);
  template <int W, int I, bool S, ap_q_mode Q, ap_o_mode O, int N>
  half &operator=(const ap_fixed_base<W, I, S, Q, O, N> &value);
  template <int W, bool S> half &operator=(const ap_int_base<W, S> &value);

  void set_bits(uint16 value);
  uint16 get_bits();
  static bool half_isnan(half value);

  half &operator++();
  half &operator--();
  half operator++(int);
  half operator--(int);

#define ARITHMETIC(op)                                                                             \
  half operator op(const half &right);                                                             \
  template <typename T> typename half::half_traits<half, T>::rtvl_t operator op(const T &right);   \
  template <typename T>                                                                            \
  friend typename half::half_traits<T, half>::rtvl_t operator op(const T &left,                    \
                                                                 const half &right);
#define WITH_ANY(result, op)                                                                       \
  result operator op(const half &right);                                                           \
  template <typename T> result operator op(const T &right);
  ARITHMETIC(+)
  ARITHMETIC(-)
  ARITHMETIC(*)
  ARITHMETIC(/)
  WITH_ANY(half &, +=)
  WITH_ANY(half &, -=)
  WITH_ANY(half &, *=)
  WITH_ANY(half &, /=)
  WITH_ANY(bool, ==)
  WITH_ANY(bool, !=)
  WITH_ANY(bool, <)
  WITH_ANY(bool, <=)
  WITH_ANY(bool, >)
  WITH_ANY(bool, >=)
#undef ARITHMETIC
#undef WITH_ANY

  friend std::ostream &operator<<(std::ostream &out, const half &value);
  friend std::istream &operator>>(std::istream &in, half &value);

private:
  uint16 bits;
};

#define RESULT(number, result)                                                                     \
  template <> struct half::half_traits<number, half> {                                             \
    typedef result rtvl_t;                                                                         \
  };                                                                                               \
  template <> struct half::half_traits<half, number> {                                             \
    typedef result rtvl_t;                                                                         \
  };
RESULT(char, half)
RESULT(signed char, half)
RESULT(unsigned char, half)
RESULT(short, half)
RESULT(unsigned short, half)
RESULT(int, half)
RESULT(unsigned int, half)
RESULT(long, half)
RESULT(unsigned long, half)
RESULT(float, float)
RESULT(double, double)
#undef RESULT

#endif
