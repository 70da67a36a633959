//===- Composition.cpp - Orders seen through maps of the data -------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;

namespace streamtensor::itensor {

static bool collectTerms(AffineExpr index, SmallVectorImpl<IndexTerm> &terms) {
  if (auto loop = dyn_cast<AffineDimExpr>(index)) {
    terms.push_back({loop.getPosition(), 1});
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return false;
  if (index.getKind() == AffineExprKind::Add)
    return collectTerms(binary.getLHS(), terms) && collectTerms(binary.getRHS(), terms);
  auto loop = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (index.getKind() != AffineExprKind::Mul || !loop || !factor || factor.getValue() < 1)
    return false;
  terms.push_back({loop.getPosition(), factor.getValue()});
  return true;
}

std::optional<SmallVector<IndexTerm>> getIndexTerms(AffineExpr index) {
  SmallVector<IndexTerm> terms;
  auto constant = dyn_cast<AffineConstantExpr>(index);
  if ((constant && constant.getValue() == 0) || collectTerms(index, terms))
    return terms;
  return std::nullopt;
}

bool isAccessMap(AffineMap map) {
  SmallVector<bool> seen(map.getNumDims(), false);
  for (AffineExpr index : map.getResults()) {
    auto terms = getIndexTerms(index);
    if (!terms)
      return false;
    for (const IndexTerm &term : *terms)
      if (std::exchange(seen[term.loop], true))
        return false;
  }
  return map.getNumSymbols() == 0;
}

int64_t getExtent(AffineExpr index, ArrayRef<int64_t> extents) {
  int64_t extent = 1;
  if (auto terms = getIndexTerms(index))
    for (const IndexTerm &term : *terms)
      extent += term.coefficient * (extents[term.loop] - 1);
  return extent;
}

/// The smallest box that holds the image of a box of `extents`.
static SmallVector<int64_t> getImage(AffineMap map, ArrayRef<int64_t> extents) {
  return llvm::map_to_vector(map.getResults(),
                             [&](AffineExpr index) { return getExtent(index, extents); });
}

/// Where each dimension of the map's source goes, and by how much; nowhere: a revisit.
static SmallVector<Loop> getTargets(AffineMap map) {
  SmallVector<Loop> targets(map.getNumDims());
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto terms = getIndexTerms(index);
    for (const IndexTerm &term : *terms)
      targets[term.loop] = {1, term.coefficient, dim};
  }
  return targets;
}

FailureOr<ITensorType> composeType(ITensorType type, AffineMap map, ArrayRef<int64_t> shape) {
  if (map.getNumDims() != type.getDataRank() || map.getNumResults() != shape.size() ||
      !isAccessMap(map))
    return failure();
  SmallVector<Loop> targets = getTargets(map);
  LoopNest loops = getLoops(type);
  for (Loop &loop : loops)
    if (loop.dim) {
      const Loop &target = targets[*loop.dim];
      loop = {loop.trips, target.dim ? loop.step * target.step : 1, target.dim};
    }
  SmallVector<int64_t> element = getImage(map, type.getElementShape());
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (getReach(loops, dim, element[dim]) > extent)
      return failure();
  return getTypeOfLoops(loops, element, type.getElementType(), shape);
}

FailureOr<ITensorType> composeType(ITensorType type, AffineMap map) {
  if (map.getNumDims() != type.getDataRank() || !isAccessMap(map))
    return failure();
  return composeType(type, map, getImage(map, type.getDataShape()));
}

} // namespace streamtensor::itensor
