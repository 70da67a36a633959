//===- st_channel.h - Channels of a native run ------------------*- C++ -*-===//
//
// What hls::stream and hls::stream_of_blocks share in a native run, where leaf
// tasks run one after the other and channels are unbounded: storage that is
// recycled, and the two errors a channel can show (read while empty, something
// left over). Nothing here depends on the type of a token, so that a design of
// hundreds of channels compiles fast.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_CHANNEL_H
#define STREAMTENSOR_RUNTIME_ST_CHANNEL_H

#include "st_watch.h"

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace st {

/// The first channel of this thread's run that was destroyed while it still
/// held something; destructors cannot throw, so the caller of the design asks
/// afterwards.
inline std::string &leftover_report() {
  thread_local std::string report;
  return report;
}

__attribute__((noinline)) inline void report_leftover(const char *kind, const char *name,
                                                      std::size_t count, const char *unit) {
  if (leftover_report().empty())
    leftover_report() = std::string(kind) + " '" + name + "' still holds " + std::to_string(count) +
                        " " + unit +
                        " at the end of the run: its writer makes more than its reader takes";
}

[[noreturn]] __attribute__((noinline)) inline void throw_empty(const char *kind, const char *name) {
  throw ChannelError(std::string(kind) + " '" + name +
                     "' is read while empty: its reader takes more than its writer makes");
}

/// Pieces of memory of one size, kept for the next run: fresh pages cost more
/// than the tokens in them.
class ChunkPool {
public:
  static constexpr std::size_t chunkBytes = std::size_t(1) << 16;

  static ChunkPool &local() {
    thread_local ChunkPool pool;
    return pool;
  }
  ~ChunkPool() {
    for (char *chunk : free)
      std::free(chunk);
  }
  char *take() {
    if (free.empty()) {
      void *chunk = std::aligned_alloc(64, chunkBytes);
      if (!chunk)
        throw std::bad_alloc();
      return static_cast<char *>(chunk);
    }
    char *chunk = free.back();
    free.pop_back();
    return chunk;
  }
  void give(char *chunk) { free.push_back(chunk); }

private:
  std::vector<char *> free;
};

/// An unbounded queue of tokens of one size, in chunks.
class TokenQueue {
public:
  TokenQueue(const char *name, std::size_t tokenBytes)
      : name(name), tokenBytes(tokenBytes), taker(WatchedPort::find(name, false)),
        giver(WatchedPort::find(name, true)) {}
  TokenQueue(const TokenQueue &) = delete;
  TokenQueue &operator=(const TokenQueue &) = delete;
  ~TokenQueue() {
    if (std::size_t left = size())
      report_leftover("FIFO", name.c_str(), left, "tokens");
    for (; head < chunks.size(); ++head)
      ChunkPool::local().give(chunks[head]);
  }

  std::size_t size() const {
    if (chunks.empty())
      return 0;
    std::size_t ahead = (chunks.size() - head - 1) * capacity();
    return (ahead + (last - chunks.back()) - (next - chunks[head])) / tokenBytes;
  }

  /// The name in errors; kernels written by hand are found by the first.
  void set_name(const char *newName) { name = newName; }

  /// Where the next token is written.
  void *push() {
    if (giver)
      giver->note();
    if (last == limit)
      grow();
    void *slot = last;
    last += tokenBytes;
    return slot;
  }
  /// The oldest token; it stays readable until the next call.
  const void *pop() {
    if (next == end || next == last)
      advance();
    if (taker)
      taker->note();
    const void *slot = next;
    next += tokenBytes;
    return slot;
  }

private:
  /// Bytes of whole tokens in a chunk.
  std::size_t capacity() const { return ChunkPool::chunkBytes / tokenBytes * tokenBytes; }

  __attribute__((noinline)) void grow() {
    chunks.push_back(ChunkPool::local().take());
    last = chunks.back();
    limit = last + capacity();
    if (chunks.size() == head + 1)
      enter();
  }

  __attribute__((noinline)) void advance() {
    if (next == last || head + 1 >= chunks.size())
      throw_empty("FIFO", name.c_str());
    ChunkPool::local().give(chunks[head]);
    ++head;
    enter();
    if (next == last)
      throw_empty("FIFO", name.c_str());
  }

  void enter() {
    next = chunks[head];
    end = next + capacity();
  }

  std::string name;
  std::size_t tokenBytes;
  /// The ends of kernels written by hand, if they are some.
  WatchedPort *taker, *giver;
  /// Chunks from `head` on hold tokens; `next` is read, `last` is written.
  std::vector<char *> chunks;
  std::size_t head = 0;
  char *next = nullptr, *end = nullptr, *last = nullptr, *limit = nullptr;
};

/// Names for the block buffers of one run, in the order in which the design makes them, again and
/// again where it is called in turns: the class has no constructor that takes one.
class BlockNames {
public:
  BlockNames(std::initializer_list<const char *> names) : names(names), outer(current()) {
    current() = this;
  }
  BlockNames(const BlockNames &) = delete;
  BlockNames &operator=(const BlockNames &) = delete;
  ~BlockNames() { current() = outer; }

  /// Of the block buffer that is made now.
  static const char *next() {
    BlockNames *own = current();
    return own ? own->names[own->count++ % own->names.size()] : "unnamed";
  }

private:
  static BlockNames *&current() {
    thread_local BlockNames *innermost = nullptr;
    return innermost;
  }

  std::vector<const char *> names;
  std::size_t count = 0;
  BlockNames *outer;
};

/// Blocks that change hands between a writer and a reader.
class BlockQueue {
public:
  BlockQueue(const char *name, std::size_t blockBytes) : name(name), blockBytes(blockBytes) {}
  BlockQueue(const BlockQueue &) = delete;
  BlockQueue &operator=(const BlockQueue &) = delete;
  ~BlockQueue() {
    if (oldest != written.size())
      report_leftover("block buffer", name, written.size() - oldest, "blocks");
    for (; oldest < written.size(); ++oldest)
      std::free(written[oldest]);
    for (void *block : spare)
      std::free(block);
  }
  bool empty() const { return oldest == written.size(); }

  void *acquire_for_writing() {
    if (spare.empty()) {
      void *block = std::aligned_alloc(64, (blockBytes + 63) / 64 * 64);
      if (!block)
        throw std::bad_alloc();
      return block;
    }
    void *block = spare.back();
    spare.pop_back();
    return block;
  }
  void release_written(void *block) { written.push_back(block); }
  void *acquire_for_reading() {
    if (empty())
      throw_empty("block buffer", name);
    return written[oldest++];
  }
  void release_read(void *block) { spare.push_back(block); }

private:
  const char *name;
  std::size_t blockBytes;
  std::vector<void *> written, spare;
  std::size_t oldest = 0;
};

} // namespace st

#endif
