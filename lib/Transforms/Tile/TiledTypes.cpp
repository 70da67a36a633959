//===- TiledTypes.cpp - itensor types of a tiled op -----------------------===//

#include "streamtensor/Transforms/Tile/TiledTypes.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

SmallVector<TileLoop> streamtensor::getTileLoops(linalg::LinalgOp op, ArrayRef<int64_t> tiles,
                                                 ArrayRef<unsigned> order) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto iterators = op.getIteratorTypesArray();
  SmallVector<TileLoop> loops;
  for (unsigned dim : order)
    if (int64_t trips = ranges[dim] / tiles[dim]; trips > 1)
      loops.push_back({dim, trips, tiles[dim], iterators[dim] == utils::IteratorType::reduction});
  return loops;
}

/// The order in which tiles of an op's iteration space are computed.
static ITensorType getSpaceType(Type elementType, ArrayRef<int64_t> tiles,
                                ArrayRef<TileLoop> loops) {
  itensor::LoopNest nest;
  for (const TileLoop &loop : loops)
    nest.push_back({loop.trips, loop.tile, loop.dim});
  return itensor::getTypeOfLoops(nest, tiles, elementType);
}

ITensorType streamtensor::getAccessType(AffineMap map, RankedTensorType tensor,
                                        ArrayRef<int64_t> tiles, ArrayRef<TileLoop> loops) {
  while (!loops.empty() && !map.isFunctionOfDim(loops.back().dim))
    loops = loops.drop_back();
  ITensorType space = getSpaceType(tensor.getElementType(), tiles, loops);
  FailureOr<ITensorType> type = itensor::composeType(space, map, tensor.getShape());
  assert(succeeded(type) && "the linalg contract admits access maps that stay inside");
  return *type;
}

ITensorType streamtensor::getResultType(AffineMap map, RankedTensorType tensor,
                                        ArrayRef<int64_t> tiles, ArrayRef<TileLoop> loops) {
  SmallVector<TileLoop> parallel;
  for (const TileLoop &loop : loops)
    if (!loop.isReduction)
      parallel.push_back(loop);
  return getAccessType(map, tensor, tiles, parallel);
}
