//===- TileLanes.h - Tiles that lanes of a budget divide --------*- C++ -*-===//

#ifndef STREAMTENSOR_TRANSFORMS_TILE_TILELANES_H
#define STREAMTENSOR_TRANSFORMS_TILE_TILELANES_H

#include "streamtensor/Transforms/Tile/DimensionClasses.h"
#include "streamtensor/Transforms/Tile/UnrollBudget.h"

namespace streamtensor {

/// Lanes divide tiles: of 44 lanes a product with tiles of 16 uses 32. Gives classes of `function`
/// other tiles, where contractions then are faster by an eighth with the lanes of `limits`, which
/// is a number of lanes. Rows keep whole words, products that share a read their tiles, and what
/// waits for memory gains nothing.
void suitTilesToLanes(mlir::func::FuncOp function, DimensionClasses &classes,
                      const DeviceModel &device, int64_t tileSize, const LaneLimits &limits);

} // namespace streamtensor

#endif
