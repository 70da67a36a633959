//===- hls_streamofblocks.h - Streams of blocks, natively -------*- C++ -*-===//
//
// hls::stream_of_blocks with its locks. A write lock acquires a fresh block and
// releases it to the reader at the end of its scope; a read lock takes the
// oldest block. Blocks change hands, they are not copied. Unbounded, as every
// channel of a native run.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_STREAMOFBLOCKS_H
#define STREAMTENSOR_RUNTIME_HLS_STREAMOFBLOCKS_H

#include "st_channel.h"

namespace hls {

template <typename Block, int Depth = 2> class stream_of_blocks : public st::BlockQueue {
public:
  explicit stream_of_blocks(const char *name = "unnamed") : st::BlockQueue(name, sizeof(Block)) {}
};

template <typename Block> class write_lock {
public:
  explicit write_lock(st::BlockQueue &queue)
      : queue(queue), block(static_cast<Block *>(queue.acquire_for_writing())) {}
  write_lock(const write_lock &) = delete;
  ~write_lock() { queue.release_written(block); }
  auto &operator[](std::size_t index) { return (*block)[index]; }
  operator Block &() { return *block; }

private:
  st::BlockQueue &queue;
  Block *block;
};

template <typename Block> class read_lock {
public:
  explicit read_lock(st::BlockQueue &queue)
      : queue(queue), block(static_cast<Block *>(queue.acquire_for_reading())) {}
  read_lock(const read_lock &) = delete;
  ~read_lock() { queue.release_read(block); }
  const auto &operator[](std::size_t index) const { return (*block)[index]; }
  operator const Block &() const { return *block; }

private:
  st::BlockQueue &queue;
  Block *block;
};

} // namespace hls

#endif
