//===- SplitAccess.h - A leaf of its own for an access to a block -*- C++ -*-===//
//
//   dataflow.leaf "mm" compute [4, 16] writes(%r at 0) { … store %s, %r[…] when last }
//
// becomes
//
//   dataflow.leaf "mm" compute [4, 16] { … stream_write %s, %f when last }
//   dataflow.leaf "r_collect" convert_in [4] writes(%r at 0) { store (stream_read %f), %r[…] }
//
// A block that is read goes the other way: a leaf of its own sends what the core loads. What is
// wider than a FIFO goes through several.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_SPLITACCESS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_TRANSFORMS_SPLITACCESS_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Dialect/Dataflow/IR/IterationBox.h"
#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"

namespace streamtensor::dataflow {

/// The leaf at the other end of a buffer.
LeafOp getPeer(LeafOp leaf, mlir::Value buffer);

/// The only access of a leaf to a block, and the iterations in which it happens.
struct BlockAccess {
  Acquire acquire;
  AccessOpInterface access;
  IterationBox box;

  int64_t getBits();
};

/// Nothing if a leaf of its own could not make the access: several accesses, a row that a value
/// chooses, or a guard that is no box inside the loops around the block.
std::optional<BlockAccess> findOnlyAccess(LeafOp leaf, const Acquire &acquire);

/// A nest over the iterations of an access alone.
struct OwnLoops {
  llvm::SmallVector<unsigned> loops; ///< Those of the leaf. Inside the block, some make one trip.
  llvm::SmallVector<int64_t> trips;
  mlir::AffineMap place; ///< In these loops.
};
OwnLoops getOwnLoops(BlockAccess &access);

/// The access goes through a FIFO of tokens of so many bits at most, and the leaf at its other end
/// holds the block. Gives that leaf.
LeafOp splitAccess(LeafOp leaf, BlockAccess access, int64_t tokenBits);

} // namespace streamtensor::dataflow

#endif
