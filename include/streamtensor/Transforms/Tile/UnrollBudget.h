//===- UnrollBudget.h - Share of the multiply-add lanes ---------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_UNROLLBUDGET_H
#define STREAMTENSOR_TRANSFORMS_TILE_UNROLLBUDGET_H

#include "streamtensor/Device/DeviceModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace streamtensor {

class DimensionClasses;

/// Unroll factor per loop of each linalg op; a factor divides the loop's tile.
using UnrollFactors = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>>;

/// Multiply-add lanes of the whole design, and lanes along one loop.
struct LaneLimits {
  int64_t budget, alongLoop;
};

/// `unroll` lanes, or, if that is 0, as many as half of the DSPs build; along one loop as many as
/// a FIFO can carry of the widest scalars.
LaneLimits getLaneLimits(const DeviceModel &device, int64_t unroll);

/// Intensity-aware shares of the budget of multiply-add lanes: a max-heap on estimated
/// latency (multiply-adds per lane, in cycles); the slowest contraction's unroll grows
/// until nothing fits any more. Other ops get as many lanes along their last dimension
/// as they need to be no slower than the slowest contraction.
UnrollFactors shareUnrollBudget(mlir::func::FuncOp function, const DimensionClasses &classes,
                                LaneLimits limits);

} // namespace streamtensor

#endif
