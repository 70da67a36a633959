//===- LoopOrder.h - Order of the tile loops --------------------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_LOOPORDER_H
#define STREAMTENSOR_TRANSFORMS_TILE_LOOPORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "streamtensor/Device/DeviceModel.h"
#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Transforms/Tile/Engines.h"
#include "streamtensor/Transforms/Tile/TiledTypes.h"

namespace streamtensor {

class DimensionClasses;

/// Loop order per op: a permutation of its loops, outermost first.
using LoopOrders = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>>;

/// Chooses for each linalg op the order of its tile loops so that all converters and accumulators
/// together hold the fewest elements, and none in which the rows of an operand come too slowly for
/// `lanes` of all contractions, if there is another; ties keep the order of the result's
/// dimensions, reductions innermost. In a pass of an engine over many tokens, reductions stand
/// outermost. Fails, with a diagnostic, on a sum that the device cannot price.
mlir::FailureOr<LoopOrders> chooseLoopOrders(mlir::func::FuncOp function,
                                             const DimensionClasses &classes,
                                             const DeviceModel &device, itensor::ConverterRule rule,
                                             const Engines &engines, int64_t lanes);

/// Extents of a tile of the result of `op`, whose loops have these `tiles`.
llvm::SmallVector<int64_t> getResultTile(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> tiles);

/// The part of the results of `op` that comes at the end: what the loops inside the outermost
/// reduction over tiles make, or one tile.
double getPartAtEnd(mlir::linalg::LinalgOp op, const DimensionClasses &classes,
                    llvm::ArrayRef<unsigned> order);

/// Do all results of `op` come at the end?
inline bool givesAtEnd(mlir::linalg::LinalgOp op, const DimensionClasses &classes,
                       llvm::ArrayRef<unsigned> order) {
  return getPartAtEnd(op, classes, order) == 1;
}

} // namespace streamtensor

#endif
