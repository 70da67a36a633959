//===- Channel.h - FIFOs and block buffers between leaf tasks ---*- C++ -*-===//

#ifndef STREAMTENSOR_LIB_INTERPRETER_CHANNEL_H
#define STREAMTENSOR_LIB_INTERPRETER_CHANNEL_H

#include "streamtensor/Interpreter/Array.h"

#include <deque>

namespace streamtensor::interpreter {

class LeafProcess;

/// What joins a writer and a reader. Slots are tokens of a FIFO or blocks of a buffer.
struct Channel {
  mlir::Operation *op = nullptr; ///< The `dataflow.stream` or `dataflow.buffer`.
  LeafProcess *writer = nullptr, *reader = nullptr;
  int64_t capacity = 0; ///< Slots; 0: unbounded.
  int64_t filled = 0;   ///< Slots that the reader may take.
  int64_t reserved = 0; ///< Blocks that the writer or the reader holds.

  bool canRead() const { return filled > 0; }
  bool canWrite() const { return capacity == 0 || filled + reserved < capacity; }
};

/// Tokens, one after the other.
struct Fifo : Channel {
  int64_t pushed = 0, popped = 0; ///< Tokens so far.

  void push(const Word *token, int64_t lanes) {
    words.insert(words.end(), token, token + lanes);
    ++filled;
    ++pushed;
  }
  void pop(Word *token, int64_t lanes) {
    std::copy_n(words.begin() + first, lanes, token);
    first += lanes;
    --filled;
    ++popped;
    // Forget what was read when it is most of what is held.
    if (first > 4096 && first > words.size() / 2) {
      words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first));
      first = 0;
    }
  }

private:
  std::vector<Word> words;
  size_t first = 0;
};

/// Blocks in the order in which they were written.
struct BlockBuffer : Channel {
  ArrayPtr acquireForWriting(llvm::ArrayRef<int64_t> shape, mlir::Type elementType) {
    ++reserved;
    return makeArray(shape, elementType);
  }
  void releaseWritten(ArrayPtr block) {
    --reserved;
    ++filled;
    blocks.push_back(std::move(block));
  }
  ArrayPtr acquireForReading() {
    --filled;
    ++reserved;
    ArrayPtr block = blocks.front();
    blocks.pop_front();
    return block;
  }
  void releaseRead() { --reserved; }

private:
  std::deque<ArrayPtr> blocks;
};

} // namespace streamtensor::interpreter

#endif
