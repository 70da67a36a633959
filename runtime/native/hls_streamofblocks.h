//===- hls_streamofblocks.h - Streams of blocks, natively -------*- C++ -*-===//
//
// hls::stream_of_blocks and its locks, with the constructors and members that Vitis HLS 2023.1 has
// and no others, so that what compiles here compiles there. Without a depth there is a constructor
// (int, char *); with one there is the default constructor alone. A lock converts to its block. So
// no declaration in the code can name a block buffer: the caller of a design does (BlockNames).
//
// A write lock acquires a fresh block and releases it to the reader at the end of its scope; a read
// lock takes the oldest block. Blocks change hands, they are not copied. Unbounded, as every
// channel of a native run.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_HLS_STREAMOFBLOCKS_H
#define STREAMTENSOR_RUNTIME_HLS_STREAMOFBLOCKS_H

#include "st_channel.h"

namespace hls {

template <typename Block, int Depth = 2> class stream_of_blocks;

template <typename Block> class read_lock {
public:
  read_lock(stream_of_blocks<Block> &blocks)
      : queue(blocks.queue), block(static_cast<Block *>(queue.acquire_for_reading())) {}
  read_lock(const read_lock &) = delete;
  ~read_lock() { queue.release_read(block); }
  operator Block &() { return *block; }

private:
  st::BlockQueue &queue;
  Block *block;
};

template <typename Block> class write_lock {
public:
  write_lock(stream_of_blocks<Block> &blocks)
      : queue(blocks.queue), block(static_cast<Block *>(queue.acquire_for_writing())) {}
  write_lock(const write_lock &) = delete;
  ~write_lock() { queue.release_written(block); }
  operator Block &() { return *block; }

private:
  st::BlockQueue &queue;
  Block *block;
};

template <typename Block> class stream_of_blocks<Block, 2> {
public:
  stream_of_blocks(int depth = 2, char *name = nullptr)
      : queue(name ? name : st::BlockNames::next(), sizeof(Block)) {}
  stream_of_blocks(const stream_of_blocks &) = delete;
  bool full() { return false; }
  bool empty() { return queue.empty(); }

private:
  friend class read_lock<Block>;
  friend class write_lock<Block>;
  st::BlockQueue queue;
};

template <typename Block, int Depth> class stream_of_blocks : public stream_of_blocks<Block, 2> {
public:
  stream_of_blocks() : stream_of_blocks<Block, 2>(Depth) {}
};

} // namespace hls

#endif
