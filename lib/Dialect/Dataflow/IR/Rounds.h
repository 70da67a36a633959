//===- Rounds.h - Leaves that go round together -----------------*- C++ -*-===//
//
// Trips of the outermost loops of leaves, in which those of a cycle take turns: how many tokens
// both ends of a FIFO have moved by each of them.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_DIALECT_DATAFLOW_IR_ROUNDS_H
#define STREAMTENSOR_LIB_DIALECT_DATAFLOW_IR_ROUNDS_H

#include "streamtensor/Dialect/Dataflow/IR/DesignGraph.h"
#include "streamtensor/Dialect/Dataflow/IR/ScalarBox.h"

namespace streamtensor::dataflow {

/// Trips of the outermost loop of a leaf that has one.
ScalarPolynomial getRounds(LeafOp leaf);

/// The first trip up to which the reader of a FIFO takes more than it was given: by then, or before
/// the trip where the FIFO goes back.
struct TripShortage {
  int64_t trip, read, written;
};
std::optional<TripShortage> findShortage(DesignEdge edge,
                                         const llvm::DenseMap<mlir::Value, int64_t> &scalars);

/// The largest scalars of a design, and the least.
llvm::SmallVector<llvm::DenseMap<mlir::Value, int64_t>> getScalarsAtEnds(DesignOp design);

/// `cycle`, the leaves of a cycle, and those beside it that can take turns with them: so they hold
/// what one trip needs, instead of all trips before the cycle begins.
llvm::SmallVector<LeafOp> getRound(DesignOp design, llvm::ArrayRef<LeafOp> cycle,
                                   llvm::ArrayRef<DesignEdge> edges);

} // namespace streamtensor::dataflow

#endif
