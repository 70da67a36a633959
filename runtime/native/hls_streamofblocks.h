//===- hls_streamofblocks.h - Streams of blocks, natively -------*- C++ -*-===//
//
// hls::stream_of_blocks with its locks. A write lock acquires a fresh block and
// releases it to the reader at the end of its scope; a read lock takes the
// oldest block. Blocks change hands, they are not copied. Unbounded, as every channel of a
// native run.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_STREAMOFBLOCKS_H
#define STREAMTENSOR_RUNTIME_HLS_STREAMOFBLOCKS_H

#include "st_channel.h"

#include <deque>

namespace hls {

template <typename Block> class read_lock;
template <typename Block> class write_lock;

/// The queue behind a stream of blocks, whatever its depth.
template <typename Block> class block_queue {
public:
  explicit block_queue(const char *name) : label(name) {}
  block_queue(const block_queue &) = delete;
  block_queue &operator=(const block_queue &) = delete;
  ~block_queue() {
    if (!full.empty())
      st::report_leftover("block buffer", label, full.size());
    for (Holder *block : full)
      delete block;
    for (Holder *block : free)
      delete block;
  }
  bool empty() const { return full.empty(); }

private:
  friend class read_lock<Block>;
  friend class write_lock<Block>;
  struct Holder {
    alignas(64) Block data;
  };

  Holder *acquire_empty() {
    if (free.empty())
      return new Holder;
    Holder *block = free.back();
    free.pop_back();
    return block;
  }
  Holder *acquire_full() {
    if (full.empty())
      st::throw_empty("block buffer", label);
    Holder *block = full.front();
    full.pop_front();
    return block;
  }

  std::string label;
  std::deque<Holder *> full;
  std::vector<Holder *> free;
};

template <typename Block, int Depth = 2> class stream_of_blocks : public block_queue<Block> {
public:
  explicit stream_of_blocks(const char *name = "unnamed") : block_queue<Block>(name) {}
};

template <typename Block> class write_lock {
public:
  explicit write_lock(block_queue<Block> &queue) : queue(queue), block(queue.acquire_empty()) {}
  write_lock(const write_lock &) = delete;
  ~write_lock() { queue.full.push_back(block); }
  auto &operator[](std::size_t index) { return block->data[index]; }
  operator Block &() { return block->data; }

private:
  block_queue<Block> &queue;
  typename block_queue<Block>::Holder *block;
};

template <typename Block> class read_lock {
public:
  explicit read_lock(block_queue<Block> &queue) : queue(queue), block(queue.acquire_full()) {}
  read_lock(const read_lock &) = delete;
  ~read_lock() { queue.free.push_back(block); }
  const auto &operator[](std::size_t index) const { return block->data[index]; }
  operator const Block &() const { return block->data; }

private:
  block_queue<Block> &queue;
  typename block_queue<Block>::Holder *block;
};

} // namespace hls

#endif
