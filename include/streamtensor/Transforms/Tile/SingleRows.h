//===- SingleRows.h - Rows that pass one after the other --------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_SINGLEROWS_H
#define STREAMTENSOR_TRANSFORMS_TILE_SINGLEROWS_H

#include "streamtensor/Transforms/Tile/LoopOrder.h"

namespace streamtensor {

/// The operations whose tiles shall have a part of one row only, with the loop over rows outermost:
/// norms, and what takes or gives their rows, of several tokens that a launch may have fewer of,
/// or, if `ofPasses`, that an engine takes in a pass. `orders` tells which contractions give rows
/// piece by piece; these keep their tiles.
llvm::DenseMap<mlir::Operation *, unsigned> findSingleRows(mlir::func::FuncOp function,
                                                           const DimensionClasses &classes,
                                                           const LoopOrders &orders, bool ofPasses);

} // namespace streamtensor

#endif
