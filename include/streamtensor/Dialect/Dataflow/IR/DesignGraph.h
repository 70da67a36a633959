//===- DesignGraph.h - The leaf tasks of a design as a graph ----*- C++ -*-===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_DESIGNGRAPH_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_DESIGNGRAPH_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

/// A FIFO or a block buffer, from the leaf that writes it to the one that reads it.
struct DesignEdge {
  mlir::Operation *channel = nullptr;
  LeafOp writer, reader;

  /// Is it a FIFO that closes a cycle?
  bool isBack() const;
  llvm::StringRef getName() const;
};

/// One edge for each FIFO and buffer of a design, in their order. Channels that lack an end are
/// left out.
llvm::SmallVector<DesignEdge> getEdges(DesignOp design);

/// Does what one of `from` gives come to one of `to` in the same round?
bool reaches(llvm::ArrayRef<LeafOp> from, llvm::ArrayRef<LeafOp> to,
             llvm::ArrayRef<DesignEdge> edges);

/// What a sequential run executes of a leaf before another has its turn.
struct LeafTurn {
  LeafOp leaf;
  /// Of an engine, whose nests lie on the way from one of them to the next: the one that runs.
  std::optional<unsigned> nest = std::nullopt;
};

/// Leaf tasks that a sequential run executes together: one, or the leaves of a cycle, which take
/// turns: each makes one trip of its outermost loop, then the next one does. An engine has a turn
/// for each of its nests.
struct LeafGroup {
  llvm::SmallVector<LeafOp> leaves;
  llvm::SmallVector<LeafTurn> turns;
  bool isCycle() const { return leaves.size() > 1; }
};

/// Groups and their turns, producers first along edges that are not `back`, else as in the design.
/// Nothing if there is a cycle without an edge that is `back`; `waiting` then are leaves that wait
/// for each other.
std::optional<llvm::SmallVector<LeafGroup>> getCallOrder(DesignOp design,
                                                         llvm::SmallVectorImpl<LeafOp> &waiting);

/// `[design.cycle]`: cycles are declared, and each trip around reads what earlier ones have given.
mlir::LogicalResult verifyCycles(DesignOp design);

} // namespace streamtensor::dataflow

#endif
