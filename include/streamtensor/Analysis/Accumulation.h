//===- Accumulation.h - How sums are carried --------------------*- C++ -*-===//

#ifndef STREAMTENSOR_ANALYSIS_ACCUMULATION_H
#define STREAMTENSOR_ANALYSIS_ACCUMULATION_H

#include "streamtensor/Analysis/TaskNest.h"
#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

/// The binary operation that adds a point to each result's accumulator; none if the body of one
/// is more than that.
llvm::SmallVector<mlir::Operation *> findCombiners(mlir::linalg::GenericOp generic);

/// Cycles from reading an accumulator in LUT memory until its new value may be read, slack of
/// floats included: as many points must lie between two additions to one element. Fails, with a
/// diagnostic, on a combiner that the device cannot price.
mlir::FailureOr<int64_t> getAccumulateCycles(llvm::ArrayRef<mlir::Operation *> combiners,
                                             const DeviceModel &device);

/// A loop of a core over a reduction, and the number of accumulators ("banks") that its trips take
/// in turn.
struct ReductionLoop {
  bool isTile;     ///< A tile loop; else a point loop.
  unsigned number; ///< Of the tile loop, or dimension of the generic.
  int64_t trips;
  int64_t banks = 1;
};

/// The fewest banks that `trips` come around evenly in, of which `wanted` have to lie apart.
int64_t countEvenBanks(int64_t trips, int64_t wanted);

/// The longest interval of a nest of so many iterations that makes a task of `ofOthers` other
/// iterations hardly slower; at least 1.
int64_t getLeisureInterval(int64_t ofOthers, int64_t iterations);

/// The loops over a reduction that have more than one trip, outermost first. The innermost have as
/// many banks as the latency of `combiners` asks for; none without combiners.
mlir::FailureOr<llvm::SmallVector<ReductionLoop>>
planBanks(const TaskNest &nest, const PointPlan &points,
          llvm::ArrayRef<mlir::Operation *> combiners, const DeviceModel &device);

} // namespace streamtensor

#endif
