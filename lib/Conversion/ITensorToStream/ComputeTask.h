//===- ComputeTask.h - A compute task and the leaves it becomes -*- C++ -*-===//
//
// A compute task becomes
//   fill leaves     one per input that the points read in another order than it flows:
//                   FIFO to block buffer,
//   the core leaf   tile loops and point loops around the body on vectors,
//   a drain leaf    where the results do not leave in the order of their FIFO, or partial
//                   sums remain: block buffer to FIFO, adding the partial sums.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_COMPUTETASK_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_COMPUTETASK_H

#include "CorePlan.h"
#include "DesignBuilder.h"

namespace streamtensor {

/// A block buffer between the core leaf and a fill or drain leaf.
struct BlockBuffer {
  mlir::Value buffer; ///< Null if the core leaf reads or writes the FIFO itself.
  unsigned level = 0; ///< Tile loops outside the block.
};

/// What the leaves of a compute task share.
struct ComputeTask {
  std::string name;
  mlir::Location loc;
  TaskNest nest;
  CorePlan core;
  llvm::SmallVector<DesignBuilder::Edge> resultEdges;
  int64_t longestBehind; ///< Iterations of the longest task that waits for the results.
  /// Per input, iterations for which it still comes once the task can begin.
  llvm::SmallVector<int64_t> comesFor;
  llvm::SmallVector<BlockBuffer> inputBlocks = {}, resultBlocks = {};

  mlir::linalg::GenericOp getGeneric() const { return nest.generic; }
  /// Tile extent per loop of the generic.
  llvm::SmallVector<int64_t> getExtents() const { return getGeneric().getStaticLoopRanges(); }
  mlir::AffineMap getResultMap(unsigned result) const {
    mlir::linalg::GenericOp generic = getGeneric();
    return generic.getIndexingMapMatchingResult(generic->getResult(result));
  }
};

/// The buffer for the blocks of an input, and the leaf that fills it.
BlockBuffer createFill(DesignBuilder &design, const ComputeTask &task, unsigned input);
/// The buffer for the blocks of a result.
BlockBuffer createResultBlock(DesignBuilder &design, const ComputeTask &task, unsigned result);
/// The leaf that empties the blocks of a result.
void createDrain(DesignBuilder &design, const ComputeTask &task, unsigned result);
/// Does the task read the members of `op`, of which it is the only reader, in the same iterations,
/// so that it can take whole tuples?
bool takesMembersApart(const TaskNest &nest, const PointPlan &points, itensor::UnjoinOp op);
/// The leaf that gives each member of the tuples a FIFO.
void createUnjoin(DesignBuilder &design, itensor::UnjoinOp op);
/// The leaf that computes. Fails, with an error, on a body without a lane-wise meaning.
mlir::LogicalResult createCoreLeaf(DesignBuilder &design, const ComputeTask &task);

} // namespace streamtensor

#endif
