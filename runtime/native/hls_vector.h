//===- hls_vector.h - hls::vector for native runs ---------------*- C++ -*-===//
//
// The part of Vitis' hls::vector that generated code uses: a fixed number of
// elements that move as one token. Not over-aligned, so that words can lie
// anywhere in host memory.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_VECTOR_H
#define STREAMTENSOR_RUNTIME_HLS_VECTOR_H

#include <cstddef>

namespace hls {

template <typename T, std::size_t N> class vector {
public:
  vector() = default;
  vector(const T &value) {
    for (std::size_t lane = 0; lane < N; ++lane)
      lanes[lane] = value;
  }
  T &operator[](std::size_t lane) { return lanes[lane]; }
  const T &operator[](std::size_t lane) const { return lanes[lane]; }
  T *begin() { return lanes; }
  T *end() { return lanes + N; }
  const T *begin() const { return lanes; }
  const T *end() const { return lanes + N; }
  static constexpr std::size_t size() { return N; }

private:
  T lanes[N];
};

} // namespace hls

#endif
