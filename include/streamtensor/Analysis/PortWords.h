//===- PortWords.h - Words of external memory -------------------*- C++ -*-===//
//
// How an access of a leaf task to a port moves its elements. The emitter prints these words and
// the simulator counts them as beats, so this is the only place that decides them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_ANALYSIS_PORTWORDS_H
#define STREAMTENSOR_ANALYSIS_PORTWORDS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor {

/// `count` words of `lanes` elements each, at consecutive places; the first `used` elements of a
/// word are data, the others padding. With one lane the elements are moved one by one, wherever
/// they lie.
struct PortWords {
  int64_t lanes = 1, used = 1, count = 1;
};

/// Bits of an element in memory: whole bytes, a power of two.
int64_t getStorageBits(mlir::Type elementType);

/// The words of a load or a store of a port. All accesses of a leaf to one port have words of one
/// size, that of its argument. The module must have a device.
PortWords getPortWords(mlir::Operation *access);

/// Does the box `shape` of a memory lie in consecutive row-major places?
bool isContiguousBox(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> memoryShape);

} // namespace streamtensor

#endif
