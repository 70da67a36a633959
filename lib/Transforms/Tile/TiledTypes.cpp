//===- TiledTypes.cpp - itensor types of a tiled op -----------------------===//

#include "streamtensor/Transforms/Tile/TiledTypes.h"

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

ITensorType streamtensor::getAccessType(AffineMap map, Type elementType, ArrayRef<int64_t> tiles,
                                        ArrayRef<TileLoop> loops) {
  while (!loops.empty() && !map.isFunctionOfDim(loops.back().dim))
    loops = loops.drop_back();
  SmallVector<int64_t> element, trips, steps;
  for (const TileLoop &loop : loops) {
    trips.push_back(loop.trips);
    steps.push_back(map.isFunctionOfDim(loop.dim) ? loop.tile : 1);
  }
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> offsets;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    element.push_back(dim ? tiles[dim.getPosition()] : 1);
    AffineExpr offset = getAffineConstantExpr(0, context);
    for (auto [index, loop] : llvm::enumerate(loops))
      if (dim && loop.dim == dim.getPosition())
        offset = getAffineDimExpr(index, context);
    offsets.push_back(offset);
  }
  return ITensorType::get(element, elementType, trips, steps,
                          AffineMap::get(loops.size(), 0, offsets, context));
}

ITensorType streamtensor::getResultType(AffineMap map, Type elementType, ArrayRef<int64_t> tiles,
                                        ArrayRef<TileLoop> loops) {
  SmallVector<TileLoop> parallel;
  for (const TileLoop &loop : loops)
    if (!loop.isReduction)
      parallel.push_back(loop);
  return getAccessType(map, elementType, tiles, parallel);
}
