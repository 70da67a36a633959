//===- TiledTypes.h - itensor types of a tiled op ---------------*- C++ -*-===//
//
// The types that a generic op's operands and results will have once it is tiled
// with given extents and loop order. The kernel phase reads the same types off the
// loops; here they weigh loop orders before any loop exists.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_TILEDTYPES_H
#define STREAMTENSOR_TRANSFORMS_TILE_TILEDTYPES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"

namespace streamtensor {

/// One tile loop of a nest, outermost first.
struct TileLoop {
  unsigned dim;  ///< Loop of the linalg op.
  int64_t trips; ///< Extent divided by the tile.
  int64_t tile;  ///< Tile extent in elements (the loop's step).
  bool isReduction;
};

/// The loops that have more than one trip, in `order` (a permutation of the op's loops).
llvm::SmallVector<TileLoop> getTileLoops(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> tiles,
                                         llvm::ArrayRef<unsigned> order);

/// Type of the itensor by which an access with `map` reads or writes `tensor` under `loops`.
/// Trailing loops that the access does not use hold the token and are not part of the type. The
/// tiles of a window overlap, or leave elements out.
itensor::ITensorType getAccessType(mlir::AffineMap map, mlir::RankedTensorType tensor,
                                   llvm::ArrayRef<int64_t> tiles, llvm::ArrayRef<TileLoop> loops);

/// Type of the result under `loops`: reduction loops do not appear.
itensor::ITensorType getResultType(mlir::AffineMap map, mlir::RankedTensorType tensor,
                                   llvm::ArrayRef<int64_t> tiles, llvm::ArrayRef<TileLoop> loops);

} // namespace streamtensor

#endif
