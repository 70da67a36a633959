// Declarations of Vitis' hls_math.h that designs use: each function for float, double and half
// (UG1399, "HLS Math Library").
#pragma once

#include "hls_half.h"

namespace hls {

#define UNARY(name)                                                                                \
  float name(float);                                                                               \
  double name(double);                                                                             \
  half name(half);
#define BINARY(name)                                                                               \
  float name(float, float);                                                                        \
  double name(double, double);                                                                     \
  half name(half, half);

UNARY(atan)
UNARY(cos)
UNARY(erf)
UNARY(exp)
UNARY(exp2)
UNARY(expm1)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(sin)
UNARY(tanh)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(ceil)
UNARY(floor)
UNARY(trunc)
UNARY(round)
UNARY(rint)
BINARY(pow)
BINARY(atan2)
BINARY(fmod)
float fma(float, float, float);
double fma(double, double, double);
half fma(half, half, half);

#undef UNARY
#undef BINARY

} // namespace hls
