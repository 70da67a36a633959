//===- Chunks.cpp - Parts of the data along one dimension -----------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;

namespace streamtensor::itensor {

/// Restricts the loops of `dim` to the tiles inside [offset, offset + size).
/// From the largest step inwards, the range is either one trip of a loop (it is
/// cut further inside) or a number of whole trips.
static LogicalResult restrictLoops(MutableArrayRef<Loop> loops, unsigned dim, int64_t offset,
                                   int64_t size, int64_t tile) {
  LoopNest sorted = getLoopsByStep(loops, dim);
  std::reverse(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    int64_t step = sorted[i].step;
    int64_t inner = getReach(ArrayRef<Loop>(sorted).drop_front(i + 1), dim, tile);
    if (inner > step || llvm::count(loops, sorted[i]) != 1)
      return failure();
    Loop &loop = *llvm::find(loops, sorted[i]);
    int64_t first = offset / step;
    if (first >= loop.trips)
      return failure();
    if (offset - first * step + size <= inner && size < step) {
      loop.trips = 1;
      offset -= first * step;
      continue;
    }
    if (inner != step || offset % step != 0 || size % step != 0 || first + size / step > loop.trips)
      return failure();
    loop.trips = size / step;
    return success();
  }
  return success(offset == 0 && size == tile);
}

FailureOr<ITensorType> chunkType(ITensorType type, unsigned dim, int64_t offset, int64_t size) {
  if (dim >= type.getDataRank())
    return failure();
  SmallVector<int64_t> shape = type.getDataShape();
  if (offset < 0 || size < 1 || offset + size > shape[dim])
    return failure();
  LoopNest loops = normalizeLoops(getLoops(type));
  if (failed(restrictLoops(loops, dim, offset, size, type.getElementShape()[dim])))
    return failure();
  shape[dim] = size;
  llvm::erase_if(loops, [](const Loop &loop) { return loop.trips == 1; });
  return getTypeOfLoops(loops, type.getElementShape(), type.getElementType(), shape);
}

FailureOr<ITensorType> extendType(ITensorType part, unsigned dim, int64_t extent) {
  int64_t tile = part.getElementShape()[dim];
  SmallVector<int64_t> shape = part.getDataShape();
  LoopNest loops = normalizeLoops(getLoops(part));
  auto *loop = llvm::find_if(loops, [&](const Loop &other) { return other.dim == dim; });
  if (extent < shape[dim] || extent % tile != 0 || shape[dim] % tile != 0)
    return failure();
  if (loop == loops.end())
    loop = loops.insert(loops.end(), {1, tile, dim});
  bool isOnlyLoop =
      std::none_of(loop + 1, loops.end(), [&](const Loop &other) { return other.dim == dim; });
  if (!isOnlyLoop || loop->step != tile || loop->trips * tile != shape[dim])
    return failure();
  loop->trips = extent / tile;
  shape[dim] = extent;
  return getTypeOfLoops(loops, part.getElementShape(), part.getElementType(), shape);
}

} // namespace streamtensor::itensor
