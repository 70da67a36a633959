//===- hls_stream.h - hls::stream for native runs ---------------*- C++ -*-===//
//
// hls::stream with the constructors and members that Vitis HLS has in C simulation, and no others,
// so that what compiles here compiles there. The header of 2023.1 is the source, that of 2024.2 has
// the same; in synthesis `empty` and `size` are const besides. Unbounded; tokens own nothing.
// Reading an empty stream throws st::ChannelError with the stream's name.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_STREAM_H
#define STREAMTENSOR_RUNTIME_HLS_STREAM_H

#include "st_channel.h"

#include <limits>
#include <type_traits>

namespace hls {

template <typename T, int Depth = 0> class stream;

template <typename T> class stream<T, 0> {
  static_assert(sizeof(T) <= st::ChunkPool::chunkBytes, "token larger than a chunk");
  static_assert(std::is_default_constructible<T>::value, "Vitis reads into a token of no value");

public:
  using value_type = T;

  stream() : stream("unnamed") {}
  stream(const char *name) : queue(name, sizeof(T)) {}
  stream(const stream &) = delete;
  stream &operator=(const stream &) = delete;

  void operator>>(T &token) { read(token); }
  void operator<<(const T &token) { write(token); }
  bool empty() { return queue.size() == 0; }
  bool full() const { return false; }
  void read(T &token) { token = read(); }
  T read() { return *static_cast<const T *>(queue.pop()); }
  bool read_dep(T &token, volatile bool flag) { return read(token), flag; }
  bool read_nb(T &token) { return empty() ? false : (read(token), true); }
  void write(const T &token) { new (queue.push()) T(token); }
  bool write_dep(const T &token, volatile bool flag) { return write(token), flag; }
  bool write_nb(const T &token) { return write(token), true; }
  std::size_t size() { return queue.size(); }
  std::size_t capacity() { return std::numeric_limits<std::size_t>::max(); }
  void set_name(const char *name) { queue.set_name(name); }

private:
  st::TokenQueue queue;
};

template <typename T, int Depth> class stream : public stream<T, 0> {
public:
  stream() {}
  stream(const char *name) : stream<T, 0>(name) {}
};

} // namespace hls

#endif
