//===- ITensorAlgebra.cpp - Order, cover and changes of itensor types -----===//
//
// Everything here is closed-form: a tensor of any size costs the same. The set
// of elements a type reaches is a product over data dimensions, because a loop
// feeds at most one of them.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace streamtensor::itensor {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

ITensorType getNormalForm(ITensorType type, bool asReader) {
  LoopNest loops = normalizeLoops(getLoops(type));
  while (asReader && !loops.empty() && loops.back().isRevisit())
    loops.pop_back();
  return getTypeOfLoops(loops, type.getElementShape(), type.getElementType(), type.getDataShape());
}

bool haveSameTokenOrder(ITensorType lhs, ITensorType rhs) {
  return getNormalForm(lhs) == getNormalForm(rhs);
}

ITensorType withElementType(ITensorType type, Type elementType) {
  return ITensorType::get(type.getContext(), type.getElementShape(), elementType, type.getTrips(),
                          type.getSteps(), type.getMap(), type.getStatedShape());
}

ITensorType getElementOrder(ITensorType type) {
  ITensorType tokens = getNormalForm(type, /*asReader=*/true);
  // Inside a token, elements flow row-major.
  ITensorType elements = *cutTokens(tokens, SmallVector<int64_t>(type.getDataRank(), 1));
  MLIRContext *context = type.getContext();
  AffineExpr place = getAffineConstantExpr(0, context);
  for (auto [dim, stride] : llvm::enumerate(computeStrides(tokens.getDataShape())))
    place = place + getAffineDimExpr(dim, context) * stride;
  AffineMap rowMajor = AffineMap::get(type.getDataRank(), 0, {place}, context);
  return getNormalForm(*composeType(elements, rowMajor));
}

CommonRefinement getCommonRefinement(ITensorType first, ITensorType second) {
  RefinedNests nests =
      refineNests(normalizeLoops(getLoops(first)), normalizeLoops(getLoops(second)));
  auto getType = [](ITensorType type, ArrayRef<Loop> loops) {
    return getTypeOfLoops(loops, type.getElementShape(), type.getElementType(),
                          type.getDataShape());
  };
  return {getType(first, nests.first), getType(second, nests.second), nests.shared};
}

SmallVector<int64_t> getBlockShape(ITensorType type, unsigned level) {
  LoopNest loops = getLoops(type);
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getElementShape()))
    shape.push_back(getReach(ArrayRef<Loop>(loops).drop_front(level), dim, extent));
  return shape;
}

//===----------------------------------------------------------------------===//
// Cover
//===----------------------------------------------------------------------===//

/// Grows a solid run of `extent` elements by the loops, smallest step first.
/// The first element after the run can only be reached by the next loop's second
/// trip, so `fits(step, run)` decides each step; returns the run or nullopt.
template <typename Fits>
static std::optional<int64_t> growRun(ArrayRef<Loop> sortedLoops, int64_t extent, Fits fits) {
  for (const Loop &loop : sortedLoops) {
    if (!fits(loop.step, extent))
      return std::nullopt;
    extent += (loop.trips - 1) * loop.step;
  }
  return extent;
}

template <typename Fits> static bool fillsDataShape(ITensorType type, Fits fits) {
  LoopNest loops = getLoops(type);
  SmallVector<int64_t> shape = type.getDataShape();
  for (unsigned dim = 0; dim < type.getDataRank(); ++dim)
    if (growRun(getLoopsByStep(loops, dim), type.getElementShape()[dim], fits) != shape[dim])
      return false;
  return true;
}

bool isExactCover(ITensorType type) {
  bool revisits = llvm::any_of(getLoops(type),
                               [](const Loop &loop) { return loop.isRevisit() && loop.trips > 1; });
  return !revisits && fillsDataShape(type, [](int64_t step, int64_t run) { return step == run; });
}

bool isCover(ITensorType type) {
  return fillsDataShape(type, [](int64_t step, int64_t run) { return step <= run; });
}

//===----------------------------------------------------------------------===//
// Row-major
//===----------------------------------------------------------------------===//

ITensorType getRowMajorType(ArrayRef<int64_t> shape, Type elementType, ArrayRef<int64_t> tile) {
  LoopNest loops;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    assert(shape[dim] % tile[dim] == 0 && "tile must divide shape");
    if (shape[dim] > tile[dim])
      loops.push_back({shape[dim] / tile[dim], tile[dim], dim});
  }
  return getTypeOfLoops(loops, tile, elementType, shape);
}

} // namespace streamtensor::itensor
