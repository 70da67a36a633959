//===- LoopNest.cpp - The loops of an itensor type, as data ---------------===//

#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

#include <numeric>

using namespace mlir;

namespace streamtensor::itensor {

LoopNest getLoops(ITensorType type) {
  LoopNest loops;
  for (unsigned loop = 0; loop < type.getIterRank(); ++loop)
    loops.push_back({type.getTrips()[loop], type.getSteps()[loop], type.getDataDimOf(loop)});
  return loops;
}

int64_t getReach(ArrayRef<Loop> loops, unsigned dim, int64_t extent) {
  for (const Loop &loop : loops)
    if (loop.dim == dim)
      extent += (loop.trips - 1) * loop.step;
  return extent;
}

static AffineMap getMapOfLoops(ArrayRef<Loop> loops, unsigned dataRank, MLIRContext *context) {
  SmallVector<AffineExpr> results(dataRank, getAffineConstantExpr(0, context));
  for (auto [index, loop] : llvm::enumerate(loops))
    if (loop.dim)
      results[*loop.dim] = results[*loop.dim] + getAffineDimExpr(index, context);
  return AffineMap::get(loops.size(), 0, results, context);
}

ITensorType getTypeOfLoops(ArrayRef<Loop> loops, ArrayRef<int64_t> elementShape, Type elementType,
                           ArrayRef<int64_t> dataShape) {
  SmallVector<int64_t> trips, steps, reached;
  for (const Loop &loop : loops) {
    trips.push_back(loop.trips);
    steps.push_back(loop.step);
  }
  for (auto [dim, extent] : llvm::enumerate(elementShape))
    reached.push_back(getReach(loops, dim, extent));
  MLIRContext *context = elementType.getContext();
  AffineMap map = getMapOfLoops(loops, elementShape.size(), context);
  if (reached == dataShape) {
    auto type = ITensorType::get(context, elementShape, elementType, trips, steps, map, {});
    if (isCover(type))
      return type;
  }
  return ITensorType::get(context, elementShape, elementType, trips, steps, map, dataShape);
}

ITensorType getTypeOfLoops(ArrayRef<Loop> loops, ArrayRef<int64_t> elementShape, Type elementType) {
  SmallVector<int64_t> reached;
  for (auto [dim, extent] : llvm::enumerate(elementShape))
    reached.push_back(getReach(loops, dim, extent));
  return getTypeOfLoops(loops, elementShape, elementType, reached);
}

/// Do the two adjacent loops count like one?
static bool canMerge(const Loop &outer, const Loop &inner) {
  if (outer.dim != inner.dim)
    return false;
  return outer.isRevisit() || outer.step == inner.getSpan();
}

LoopNest normalizeLoops(ArrayRef<Loop> loops) {
  LoopNest result;
  for (Loop loop : loops) {
    if (loop.trips == 1)
      continue;
    if (!result.empty() && canMerge(result.back(), loop)) {
      loop.trips *= result.back().trips;
      result.pop_back();
    }
    result.push_back(loop);
  }
  return result;
}

LoopNest getLoopsByStep(ArrayRef<Loop> loops, unsigned dim) {
  LoopNest result;
  llvm::copy_if(loops, std::back_inserter(result),
                [&](const Loop &loop) { return loop.dim == dim && loop.trips > 1; });
  llvm::stable_sort(result, [](const Loop &a, const Loop &b) { return a.step < b.step; });
  return result;
}

//===----------------------------------------------------------------------===//
// Refinement
//===----------------------------------------------------------------------===//

void splitLoop(LoopNest &loops, unsigned index, int64_t trips) {
  Loop &loop = loops[index];
  assert(loop.trips % trips == 0 && "only a divisor of the trips splits a loop");
  int64_t innerTrips = loop.trips / trips;
  Loop inner{innerTrips, loop.step, loop.dim};
  loop = {trips, loop.isRevisit() ? 1 : loop.step * innerTrips, loop.dim};
  if (innerTrips > 1)
    loops.insert(loops.begin() + index + 1, inner);
}

/// The most trips that outer parts of both loops can have in common. A part of T/n trips and step
/// S*n has the span of its loop, so moving loops share only if their spans are equal.
static int64_t getCommonTrips(const Loop &first, const Loop &second) {
  bool agree =
      first.dim == second.dim && (first.isRevisit() || first.getSpan() == second.getSpan());
  return agree ? std::gcd(first.trips, second.trips) : 1;
}

RefinedNests refineNests(LoopNest first, LoopNest second) {
  unsigned shared = 0;
  for (; shared < std::min(first.size(), second.size()); ++shared) {
    int64_t common = getCommonTrips(first[shared], second[shared]);
    if (common == 1)
      break;
    splitLoop(first, shared, common);
    splitLoop(second, shared, common);
  }
  return {first, second, shared};
}

} // namespace streamtensor::itensor
