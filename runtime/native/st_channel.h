//===- st_channel.h - Channels of a native run ------------------*- C++ -*-===//
//
// What hls::stream and hls::stream_of_blocks share in a native run, where leaf
// tasks run one after the other and channels are unbounded: storage that is recycled, and the
// two errors a channel can show (read while empty, tokens left over).
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_CHANNEL_H
#define STREAMTENSOR_RUNTIME_ST_CHANNEL_H

#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace st {

/// A task took from a channel what no task had put there, or left something in it.
struct ChannelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The first channel of this thread's run that was destroyed while it still held tokens;
/// destructors cannot throw, so the caller of the design asks afterwards.
inline std::string &leftover_report() {
  thread_local std::string report;
  return report;
}

inline void report_leftover(const std::string &kind, const std::string &name, std::size_t count) {
  if (leftover_report().empty())
    leftover_report() = kind + " '" + name + "' still holds " + std::to_string(count) +
                        (kind == "FIFO" ? " tokens" : " blocks") +
                        " at the end of the run: its writer makes more than its reader takes";
}

[[noreturn]] inline void throw_empty(const std::string &kind, const std::string &name) {
  throw ChannelError(kind + " '" + name +
                     "' is read while empty: its reader takes more than its writer makes");
}

/// Chunks of one size, kept for the next run: fresh pages cost more than the tokens in them.
class ChunkPool {
public:
  static constexpr std::size_t chunkBytes = std::size_t(1) << 16;

  static ChunkPool &local() {
    thread_local ChunkPool pool;
    return pool;
  }
  ~ChunkPool() {
    for (void *chunk : free)
      std::free(chunk);
  }
  void *take() {
    if (free.empty()) {
      void *chunk = std::aligned_alloc(64, chunkBytes);
      if (!chunk)
        throw std::bad_alloc();
      return chunk;
    }
    void *chunk = free.back();
    free.pop_back();
    return chunk;
  }
  void give(void *chunk) { free.push_back(chunk); }

private:
  std::vector<void *> free;
};

} // namespace st

#endif
