//===- Pipeline.h - Nests that are one flat pipeline ------------*- C++ -*-===//
//
// A leaf of one nest is one pipeline. Nests in sequence are a pipeline each, which drains before
// the next begins. Nests with lag are one pipeline: in step s of the shared loops, a nest is at
// block s - lag, and a step has as many iterations as the longest nest that has work in it.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_DIALECT_DATAFLOW_IR_PIPELINE_H
#define STREAMTENSOR_DIALECT_DATAFLOW_IR_PIPELINE_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"

namespace streamtensor::dataflow {

struct Pipeline {
  llvm::SmallVector<NestOpInterface> nests;
  /// Values of the leaf's scalars, by which loops are counted; empty: every loop has its most
  /// trips.
  llvm::SmallVector<int64_t> scalars = {};

  LeafOp getLeaf() { return nests.front().getLeaf(); }
  /// Cycles between iterations, and from the issue of one to its end; 0 if not yet scheduled.
  int64_t getInterval();
  int64_t getDepth();
  void setSchedule(int64_t interval, int64_t depth, llvm::StringRef limit);
  /// What keeps the interval above 1; empty if nothing does.
  llvm::StringRef getLimit();

  llvm::SmallVector<AccessOpInterface> getAccesses();
  llvm::SmallVector<mlir::Operation *> getOperations();
  template <typename Op> llvm::SmallVector<Op> getOps() {
    llvm::SmallVector<Op> found;
    for (NestOpInterface nest : nests)
      llvm::append_range(found, nest.getOperations().getOps<Op>());
    return found;
  }

  /// Blocks that nests with lag pass on between two drains; 1 for a nest by itself.
  int64_t getNumBlocks();
  /// Blocks that a nest is behind the first.
  int64_t getLag(unsigned number);
  int64_t getLag(NestOpInterface nest) { return getLag(llvm::find(nests, nest) - nests.begin()); }
  /// Steps from one drain to the next: the blocks, and the lag of the last nest.
  int64_t getNumSteps() { return getNumBlocks() + getLag(nests.size() - 1); }
  /// Has nest `number` work in `step`?
  bool isActive(unsigned number, int64_t step) {
    int64_t block = step - getLag(number);
    return block >= 0 && block < getNumBlocks();
  }
  /// Iterations of nest `number` for one block.
  int64_t getOwnIterations(unsigned number);
  /// Iterations of a step: those of the longest nest that has work.
  int64_t getStepLength(int64_t step);
  /// The least of the steps `first` to `last`.
  int64_t getLeastStepLength(int64_t first, int64_t last);
  /// Iterations from one drain to the next.
  int64_t getNumIterations();
};

/// Trips of all loops around the body of a nest at these values of the leaf's scalars; the most
/// where there are none.
llvm::SmallVector<int64_t> getTripsAt(NestOpInterface nest, llvm::ArrayRef<int64_t> scalars);

/// The counts of all nests that scalars decide, each once; those of serial loops are left out,
/// since trips that run one after the other are alike.
llvm::SmallVector<mlir::AffineExpr> getChosenCounts(LeafOp leaf);

/// For each choice of these counts that is possible, values of the leaf's scalars that make it;
/// one that is empty if the leaf has no scalars. Nothing if there are more choices than nests that
/// run together may have.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>>> getCountChoices(LeafOp leaf);

/// The pipeline that an operation of a body belongs to.
Pipeline getPipeline(mlir::Operation *op);

} // namespace streamtensor::dataflow

#endif
