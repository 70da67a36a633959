//===- LeafPattern.h - Which iterations make which accesses -----*- C++ -*-===//
//
// The guards of a nest, evaluated once: the runs of consecutive iterations in
// which the same guarded accesses happen.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SIM_LEAFPATTERN_H
#define STREAMTENSOR_SIM_LEAFPATTERN_H

#include "streamtensor/Dialect/Dataflow/IR/Pipeline.h"
#include "streamtensor/Sim/Machine.h"

namespace streamtensor::sim {

/// A set of guards that hold together: one bit per guard of `LeafPattern::guards`.
using GuardMask = uint64_t;

struct LeafPattern {
  /// Distinct guards of the nest's accesses, at most 64.
  llvm::SmallVector<mlir::IntegerSet> guards;
  /// Combinations that occur. A run's `accessClass` is an index into this list.
  std::vector<GuardMask> masks;
  std::vector<std::vector<Run>> tables;
  std::vector<int32_t> sequence;
  int64_t tablesPerTrip = 1, iterationsPerTrip = 1;

  /// Does an access with this guard (null: always) happen where `mask` holds?
  bool isActive(mlir::IntegerSet guard, GuardMask mask) const;
};

/// A trip is one iteration of the first `serial` loops.
mlir::FailureOr<LeafPattern> computePattern(dataflow::NestOpInterface nest, unsigned serial);

} // namespace streamtensor::sim

#endif
