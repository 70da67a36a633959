//===- RowLanes.h - Lanes of norms, activations, quantisers -----*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_ROWLANES_H
#define STREAMTENSOR_TRANSFORMS_TILE_ROWLANES_H

#include "streamtensor/Transforms/Tile/UnrollBudget.h"

namespace streamtensor {

/// Spends the share for rows on lanes of the operations that are no contractions, where they
/// shorten the design most. `factors` has the lanes that each operation needs in any case, and
/// those of the contractions; `limits` has prices.
/// Lanes are given that gain more cycles than `leastGain` for the part of the device that they
/// take. Returns the part that is left of the share.
double widenRows(mlir::func::FuncOp function, const DimensionClasses &classes,
                 const LoopOrders &orders, const Engines &engines, const LaneLimits &limits,
                 double leastGain, UnrollFactors &factors);

/// What rows take of the device that have as many lanes as the contraction `op` that takes them.
double getPriceOfGivers(mlir::linalg::LinalgOp op, const DimensionClasses &classes,
                        const DeviceModel &device, llvm::ArrayRef<int64_t> unroll);

} // namespace streamtensor

#endif
