//===- LeafPattern.h - Which iterations make which accesses -----*- C++ -*-===//
//
// A leaf task's guards, evaluated once: the runs of consecutive iterations in
// which the same guarded accesses happen.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_LEAFPATTERN_H
#define STREAMTENSOR_SIM_LEAFPATTERN_H

#include "streamtensor/Dialect/Dataflow/IR/Dataflow.h"
#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

/// A set of guards that hold together: one bit per guard of `LeafPattern::guards`.
using GuardMask = uint64_t;

struct LeafPattern {
  /// Distinct guards of the leaf's accesses, at most 64.
  llvm::SmallVector<mlir::IntegerSet> guards;
  /// Combinations that occur. A run's `accessClass` is an index into this list.
  std::vector<GuardMask> masks;
  std::vector<std::vector<Run>> tables;
  std::vector<int32_t> sequence;
  int64_t trips = 1, tablesPerTrip = 1, iterationsPerTrip = 1;

  /// Does an access with this guard (null: always) happen where `mask` holds?
  bool isActive(mlir::IntegerSet guard, GuardMask mask) const;
  /// Can accesses with these guards happen in one iteration?
  bool canMeet(mlir::IntegerSet first, mlir::IntegerSet second) const;
};

mlir::FailureOr<LeafPattern> computePattern(dataflow::LeafOp leaf);

/// Value of an affine expression without symbols.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// Does `set` hold at `dims`?
bool holds(mlir::IntegerSet set, llvm::ArrayRef<int64_t> dims);

} // namespace streamtensor::sim

#endif
