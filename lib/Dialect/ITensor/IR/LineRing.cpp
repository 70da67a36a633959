//===- LineRing.cpp - Rings of lines between slabs and windows ------------===//
//
// The outermost loop of both sides moves along one data dimension. One trip of the source
// brings a slab: `step` indices of that dimension, and of the others everything. One trip of
// the result reads a window, which may overlap the next one and leave indices out. In what
// order elements come inside a slab, or go inside a window, does not matter.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ConverterPlan.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace streamtensor::itensor {

/// Do vectors of elements run along `dim`? They could then cross the end of the ring.
static bool hasLanesAlong(ITensorType type, unsigned dim) {
  ArrayRef<int64_t> inner = type.getElementShape().drop_front(dim);
  return inner.front() > 1 && llvm::all_of(inner.drop_front(), [](int64_t e) { return e == 1; });
}

std::optional<LineRing> planLineRing(ITensorType source, ITensorType result) {
  LoopNest slabs = getLoops(source), windows = getLoops(result);
  if (slabs.empty() || windows.empty() || windows.front().isRevisit() ||
      slabs.front().dim != windows.front().dim)
    return std::nullopt;
  unsigned dim = *slabs.front().dim;
  int64_t slab = slabs.front().step, step = windows.front().step;
  bool isWhole =
      getReach(ArrayRef<Loop>(slabs).drop_front(), dim, source.getElementShape()[dim]) == slab;
  if (!isWhole || hasLanesAlong(source, dim) || hasLanesAlong(result, dim))
    return std::nullopt;
  int64_t window =
      getReach(ArrayRef<Loop>(windows).drop_front(), dim, result.getElementShape()[dim]);
  LineRing ring{dim, std::lcm(slab, step), 0};
  // The last window of a stage starts `advance - step` indices after the first.
  ring.lag = llvm::divideCeil(ring.advance - step + window, ring.advance);
  int64_t extent = source.getDataShape()[dim];
  // Both sides must come to the end together: a source of which much is not read would wait.
  int64_t unread = extent - getReach(windows, dim, result.getElementShape()[dim]);
  if (unread >= ring.advance || ring.getSize() + ring.advance > extent)
    return std::nullopt;
  return ring;
}

} // namespace streamtensor::itensor
