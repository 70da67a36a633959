//===- hls_stream.h - hls::stream for native runs ---------------*- C++ -*-===//
//
// Compatible with Vitis' hls::stream as far as generated code goes. Unbounded;
// tokens own nothing and lie in chunks that are recycled. Reading an empty stream throws
// st::ChannelError with the stream's name.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_STREAM_H
#define STREAMTENSOR_RUNTIME_HLS_STREAM_H

#include "st_channel.h"

namespace hls {

template <typename T, int Depth = 0> class stream {
  static_assert(sizeof(T) <= st::ChunkPool::chunkBytes, "token larger than a chunk");

public:
  stream() = default;
  explicit stream(const char *name) : label(name) {}
  stream(const stream &) = delete;
  stream &operator=(const stream &) = delete;
  ~stream() {
    if (std::size_t left = size())
      st::report_leftover("FIFO", label, left);
    for (std::size_t chunk = head; chunk < chunks.size(); ++chunk)
      st::ChunkPool::local().give(chunks[chunk]);
  }

  bool empty() const { return next == last && head + 1 >= chunks.size(); }
  bool full() const { return false; }
  std::size_t size() const {
    if (chunks.empty())
      return 0;
    std::size_t whole = (chunks.size() - head - 1) * tokensPerChunk;
    return whole + (last - chunks.back()) - (next - chunks[head]);
  }

  void write(const T &token) {
    if (last == limit)
      grow();
    new (last) T(token);
    ++last;
  }
  T read() {
    if (next == headEnd())
      advance();
    return *next++;
  }
  void read(T &token) { token = read(); }
  void operator<<(const T &token) { write(token); }
  void operator>>(T &token) { token = read(); }

private:
  static constexpr std::size_t tokensPerChunk = st::ChunkPool::chunkBytes / sizeof(T);

  /// Where the tokens of the chunk under `next` end.
  T *headEnd() const { return head + 1 < chunks.size() ? end : last; }

  __attribute__((noinline)) void grow() {
    T *chunk = static_cast<T *>(st::ChunkPool::local().take());
    chunks.push_back(chunk);
    last = chunk;
    limit = chunk + tokensPerChunk;
    if (chunks.size() == head + 1) {
      next = chunk;
      end = limit;
    }
  }

  __attribute__((noinline)) void advance() {
    if (head + 1 >= chunks.size())
      st::throw_empty("FIFO", label);
    st::ChunkPool::local().give(chunks[head]);
    ++head;
    next = chunks[head];
    end = next + tokensPerChunk;
    if (next == headEnd())
      st::throw_empty("FIFO", label);
  }

  std::string label = "unnamed";
  /// Chunks from `head` on hold tokens; `next` is read, `last` is written.
  std::vector<T *> chunks;
  std::size_t head = 0;
  T *next = nullptr, *end = nullptr, *last = nullptr, *limit = nullptr;
};

} // namespace hls

#endif
