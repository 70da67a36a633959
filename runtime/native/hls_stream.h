//===- hls_stream.h - hls::stream for native runs ---------------*- C++ -*-===//
//
// Compatible with Vitis' hls::stream as far as generated code goes. Unbounded;
// tokens own nothing. Reading an empty stream throws st::ChannelError with the
// stream's name.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_STREAM_H
#define STREAMTENSOR_RUNTIME_HLS_STREAM_H

#include "st_channel.h"

namespace hls {

template <typename T, int Depth = 0> class stream {
  static_assert(sizeof(T) <= st::ChunkPool::chunkBytes, "token larger than a chunk");

public:
  explicit stream(const char *name = "unnamed") : queue(name, sizeof(T)) {}

  bool empty() const { return queue.size() == 0; }
  bool full() const { return false; }
  std::size_t size() const { return queue.size(); }
  void write(const T &token) { new (queue.push()) T(token); }
  T read() { return *static_cast<const T *>(queue.pop()); }
  void read(T &token) { token = read(); }
  void operator<<(const T &token) { write(token); }
  void operator>>(T &token) { token = read(); }

private:
  st::TokenQueue queue;
};

} // namespace hls

#endif
