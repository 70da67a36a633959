//===- Lanes.cpp - Tokens cut into smaller tokens and vectors -------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;

namespace streamtensor::itensor {

FailureOr<ITensorType> cutTokens(ITensorType type, ArrayRef<int64_t> tile) {
  ArrayRef<int64_t> element = type.getElementShape();
  if (tile.size() != element.size())
    return failure();
  LoopNest loops = getLoops(type);
  for (auto [dim, extent] : llvm::enumerate(element)) {
    if (tile[dim] < 1 || extent % tile[dim] != 0)
      return failure();
    loops.push_back({extent / tile[dim], tile[dim], dim});
  }
  return getTypeOfLoops(loops, tile, type.getElementType(), type.getDataShape());
}

std::optional<unsigned> getLaneDim(ITensorType type) {
  for (int dim = int(type.getDataRank()) - 1; dim >= 0; --dim)
    if (type.getElementShape()[dim] > 1)
      return dim;
  return std::nullopt;
}

int64_t getLaneExtent(ITensorType type) {
  std::optional<unsigned> dim = getLaneDim(type);
  return dim ? type.getElementShape()[*dim] : 1;
}

bool areLanes(ITensorType type, int64_t lanes) {
  if (lanes < 1)
    return false;
  for (int64_t extent : llvm::reverse(type.getElementShape())) {
    if (extent % lanes == 0)
      return true;
    if (lanes % extent != 0)
      return false;
    lanes /= extent;
  }
  return lanes == 1;
}

SmallVector<int64_t> getLaneBox(ITensorType type, int64_t lanes) {
  SmallVector<int64_t> box(type.getDataRank(), 1);
  for (int dim = int(type.getDataRank()) - 1; dim >= 0 && lanes > 1; --dim) {
    box[dim] = std::min(lanes, type.getElementShape()[dim]);
    lanes /= box[dim];
  }
  return box;
}

FailureOr<ITensorType> cutIntoLanes(ITensorType type, int64_t lanes) {
  if (!areLanes(type, lanes))
    return failure();
  return cutTokens(type, getLaneBox(type, lanes));
}

/// Counts along data dimension `dim` in units of `lanes` elements; fails where the tile, a step or
/// the data is no multiple.
static LogicalResult divideDim(unsigned dim, int64_t lanes, MutableArrayRef<Loop> loops,
                               MutableArrayRef<int64_t> element, MutableArrayRef<int64_t> shape) {
  if (element[dim] % lanes != 0 || shape[dim] % lanes != 0)
    return failure();
  element[dim] /= lanes;
  shape[dim] /= lanes;
  for (Loop &loop : loops) {
    if (loop.dim != dim)
      continue;
    if (loop.trips > 1 && loop.step % lanes != 0)
      return failure();
    loop.step = loop.trips > 1 ? loop.step / lanes : 1;
  }
  return success();
}

FailureOr<ITensorType> vectoriseType(ITensorType type, int64_t lanes) {
  Type scalar = type.getElementType();
  if (lanes < 1 || !VectorType::isValidElementType(scalar))
    return failure();
  LoopNest loops = getLoops(type);
  SmallVector<int64_t> element(type.getElementShape()), shape = type.getDataShape();
  std::optional<unsigned> dim = getLaneDim(type);
  if (dim ? failed(divideDim(*dim, lanes, loops, element, shape)) : lanes > 1)
    return failure();
  return getTypeOfLoops(loops, element, VectorType::get({lanes}, scalar), shape);
}

FailureOr<ITensorType> unvectoriseType(ITensorType type, unsigned dim) {
  auto vector = dyn_cast<VectorType>(type.getElementType());
  if (!vector || vector.getRank() != 1 || dim >= type.getDataRank())
    return failure();
  // The lanes are neighbours in a row-major token only along its last moving dimension.
  if (getLaneDim(type).value_or(0) > dim)
    return failure();
  int64_t lanes = vector.getNumElements();
  LoopNest loops = getLoops(type);
  SmallVector<int64_t> element(type.getElementShape()), shape = type.getDataShape();
  element[dim] *= lanes;
  shape[dim] *= lanes;
  for (Loop &loop : loops)
    if (loop.dim == dim)
      loop.step *= lanes;
  return getTypeOfLoops(loops, element, vector.getElementType(), shape);
}

} // namespace streamtensor::itensor
