//===- CorePlan.h - Points, lanes and partial sums of a core leaf -*- C++ -*-===//
//
// What a compute task's core leaf does, before any of it is built: its loops, its unrolled
// points, and how a reduction is split into partial sums. It decides in which order a sum is
// added, so it is written down (`dataflow.sums`) at the end of phase `optimise`.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_COREPLAN_H
#define STREAMTENSOR_LIB_CONVERSION_ITENSORTOSTREAM_COREPLAN_H

#include "VectorBody.h"

#include "streamtensor/Analysis/Accumulation.h"
#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Device/DeviceModel.h"

namespace streamtensor {

struct CorePlan {
  PointPlan points;
  llvm::SmallVector<mlir::Operation *> combiners; ///< Per result; empty: general reduction.
  VectorSpace space;                              ///< All unrolled loops.
  VectorSpace resultSpace;                        ///< The parallel ones.
  llvm::SmallVector<ReductionLoop> reductions;    ///< Outermost first, without those of one trip.

  /// Does the reduction have more than one accumulator per result element?
  bool hasBanks() const {
    return llvm::any_of(reductions, [](const ReductionLoop &loop) { return loop.banks > 1; });
  }
  /// Does a trip add to what an earlier one left? Not where each has a bank of its own.
  bool carriesSums() const {
    return llvm::any_of(reductions,
                        [](const ReductionLoop &loop) { return loop.banks < loop.trips; });
  }
  /// The banks of the reduction loops that have more than one: leading extents of accumulators.
  llvm::SmallVector<int64_t> getBankCounts() const;
};

/// Plans the core of `nest`. `getLanes` gives the lanes of an input's FIFO; `resultLanes` are
/// those of the last result that is used, 0 if none is. Fails, with an error, if the tile phase
/// gave no unroll factors.
mlir::FailureOr<CorePlan> planCore(const TaskNest &nest, const DeviceModel &device,
                                   llvm::function_ref<int64_t(mlir::Value)> getLanes,
                                   int64_t resultLanes);

} // namespace streamtensor

#endif
