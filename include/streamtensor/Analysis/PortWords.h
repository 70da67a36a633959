//===- PortWords.h - Words of external memory -------------------*- C++ -*-===//
//
// How an access of a leaf task to a port moves its elements. Decided here, once; the emitter prints
// the words and the simulator counts them as beats, both as the access states them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_ANALYSIS_PORTWORDS_H
#define STREAMTENSOR_ANALYSIS_PORTWORDS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor {

/// The words of a load or a store of a port: the widest that fit into `portBits` and hold its
/// elements at consecutive places; with one lane the elements are moved one by one, wherever they
/// lie. All accesses that share an interface have words of one size. A burst is
/// as long as `burstBytes` allow, at most `burstWords`, and one of them is on the way at a time.
dataflow::WordsAttr planWords(dataflow::AccessOpInterface access, int64_t portBits,
                              int64_t burstBytes, int64_t burstWords);

/// The words that a request of the access has at most where Vitis infers no burst over iterations
/// from its C++ (UG1399, "Preconditions and Limitations of Burst Transfer"; UG1448, Burst Inference
/// Failure 10: conditional accesses): where the nest is one loop with counters, or the place is no
/// sum of the indices of its loops, the words of an iteration; one where a guard decides. 0 where
/// bursts are inferred. The access has `count` words of `lanes` elements.
int64_t countRequestWords(dataflow::AccessOpInterface access, int64_t count, int64_t lanes);

/// Bits of an element of `port` in memory, once the words of its accesses are planned: elements
/// share bytes if all accesses move whole bytes. `getStorageBits(port)` says it from then on.
int64_t planStorageBits(dataflow::PortOp port, int64_t portBits);

/// Elements of the widest words, at most `maximalLanes`, that make up `box` of a port, with its
/// first element at `place`, in every iteration.
int64_t countWordLanes(dataflow::PortType port, mlir::AffineMap place, llvm::ArrayRef<int64_t> box,
                       int64_t maximalLanes);

/// Does the box `shape` of a memory lie in consecutive row-major places?
bool isContiguousBox(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> memoryShape);

} // namespace streamtensor

#endif
