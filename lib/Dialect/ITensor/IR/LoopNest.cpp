//===- LoopNest.cpp - The loops of an itensor type, as data ---------------===//

#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"

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

} // namespace streamtensor::itensor
