//===- hls_vector.h - hls::vector for native runs ---------------*- C++ -*-===//
//
// The part of Vitis' hls::vector (2023.1, 2024.2) that generated code uses: a fixed number of
// elements that move as one token. Vitis' own is aligned to the largest power of two that divides
// its size; this one is not, so that words can lie anywhere in host memory.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_VECTOR_H
#define STREAMTENSOR_RUNTIME_HLS_VECTOR_H

#include <cstddef>

namespace hls {

template <typename T, std::size_t N> class vector {
  static_assert(N > 0, "a vector has an element");

public:
  vector() = default;
  vector(const T &value) {
    for (std::size_t lane = 0; lane < N; ++lane)
      lanes[lane] = value;
  }
  T &operator[](std::size_t lane) { return lanes[lane]; }
  const T &operator[](std::size_t lane) const { return lanes[lane]; }

private:
  T lanes[N];
};

} // namespace hls

#endif
