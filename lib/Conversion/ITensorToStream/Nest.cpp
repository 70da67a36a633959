//===- Nest.cpp - Loops, guards and addresses of a leaf task --------------===//

#include "Nest.h"

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;

AffineExpr Nest::add(int64_t count) {
  if (count == 1)
    return zero();
  trips.push_back(count);
  return getAffineDimExpr(trips.size() - 1, context);
}

int64_t Nest::getTrips(AffineExpr index) const {
  auto dim = dyn_cast<AffineDimExpr>(index);
  return dim ? trips[dim.getPosition()] : 1;
}

SmallVector<AffineExpr> Nest::addLoops(ITensorType type, unsigned begin, unsigned end,
                                       MutableArrayRef<AffineExpr> offsets) {
  SmallVector<AffineExpr> indices;
  for (unsigned loop = begin; loop < end; ++loop) {
    indices.push_back(add(type.getTrips()[loop]));
    if (std::optional<unsigned> dim = type.getDataDimOf(loop))
      offsets[*dim] = offsets[*dim] + indices.back() * type.getSteps()[loop];
  }
  return indices;
}

void Nest::addPoints(ITensorType type, int64_t lanes, MutableArrayRef<AffineExpr> offsets) {
  FailureOr<ITensorType> vectors = itensor::cutIntoLanes(type, lanes);
  assert(succeeded(vectors) && "the vectorise pass takes lanes that divide the row");
  addLoops(*vectors, type.getIterRank(), vectors->getIterRank(), offsets);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

void Guard::add(AffineExpr constraint, bool isEquality) {
  if (isa<AffineConstantExpr>(constraint))
    return; // A loop of one trip: the callers only ask for values that it takes.
  constraints.push_back(constraint);
  equalities.push_back(isEquality);
}

Guard &Guard::equals(AffineExpr index, int64_t value) {
  add(index - value, /*isEquality=*/true);
  return *this;
}

Guard &Guard::atLeast(AffineExpr index, int64_t value) {
  if (value > 0)
    add(index - value, /*isEquality=*/false);
  return *this;
}

Guard &Guard::atMost(AffineExpr index, int64_t value) {
  add(value - index, /*isEquality=*/false);
  return *this;
}

IntegerSet Guard::getSet(const Nest &nest) const {
  return IntegerSet::get(nest.getLevel(), 0, constraints, equalities);
}

IntegerSetAttr Guard::getAttr(const Nest &nest) const {
  return isTrivial() ? IntegerSetAttr() : IntegerSetAttr::get(getSet(nest));
}
