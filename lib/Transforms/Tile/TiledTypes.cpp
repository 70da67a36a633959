//===- TiledTypes.cpp - itensor types of a tiled op -----------------------===//

#include "streamtensor/Transforms/Tile/TiledTypes.h"

#include "streamtensor/Analysis/AccessMap.h"
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

/// The dimension of the tensor that `loop` moves along.
static std::optional<unsigned> getMovedDim(AffineMap map, unsigned loop) {
  for (auto [dim, index] : llvm::enumerate(map.getResults()))
    if (index.isFunctionOfDim(loop))
      return dim;
  return std::nullopt;
}

ITensorType streamtensor::getAccessType(AffineMap map, RankedTensorType tensor,
                                        ArrayRef<int64_t> tiles, ArrayRef<TileLoop> loops) {
  while (!loops.empty() && !map.isFunctionOfDim(loops.back().dim))
    loops = loops.drop_back();
  itensor::LoopNest nest;
  for (const TileLoop &loop : loops) {
    std::optional<unsigned> dim = getMovedDim(map, loop.dim);
    nest.push_back({loop.trips, dim ? getCoefficient(map, loop.dim) * loop.tile : 1, dim});
  }
  SmallVector<int64_t> element = llvm::map_to_vector(
      map.getResults(), [&](AffineExpr index) { return getExtent(index, tiles); });
  return itensor::getTypeOfLoops(nest, element, tensor.getElementType(), tensor.getShape());
}

ITensorType streamtensor::getResultType(AffineMap map, RankedTensorType tensor,
                                        ArrayRef<int64_t> tiles, ArrayRef<TileLoop> loops) {
  SmallVector<TileLoop> parallel;
  for (const TileLoop &loop : loops)
    if (!loop.isReduction)
      parallel.push_back(loop);
  return getAccessType(map, tensor, tiles, parallel);
}
