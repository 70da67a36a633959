//===- Stripes.cpp - What accesses to striped ports move ------------------===//

#include "streamtensor/Dialect/Dataflow/IR/Stripes.h"

using namespace mlir;
using namespace streamtensor::dataflow;

/// Does the access to a striped port move less than whole rows?
static bool movesPart(AccessOpInterface access) {
  auto port = access.getChannel().getDefiningOp<PortOp>();
  return port.getNumStripes() > 1 && access.getBox().back() != port.getType().getShape().back();
}

/// Elements of a row in one stripe.
static int64_t getPart(AccessOpInterface access) {
  return access.getChannel().getDefiningOp<PortOp>().getStripeType().getShape().back();
}

int64_t streamtensor::dataflow::countMovedStripes(AccessOpInterface access) {
  return movesPart(access) ? 1 : access.getChannel().getDefiningOp<PortOp>().getNumStripes();
}

SmallVector<int64_t> streamtensor::dataflow::getStripeBox(AccessOpInterface access) {
  SmallVector<int64_t> box = access.getBox();
  if (int64_t stripes = countMovedStripes(access); stripes > 1)
    box.back() /= stripes;
  return box;
}

AffineMap streamtensor::dataflow::getStripePlace(AccessOpInterface access) {
  AffineMap place = access.getPlace();
  if (!movesPart(access))
    return place;
  SmallVector<AffineExpr> indices(place.getResults());
  indices.back() = simplifyAffineExpr(indices.back() % getPart(access), place.getNumDims(),
                                      place.getNumSymbols());
  return AffineMap::get(place.getNumDims(), place.getNumSymbols(), indices, place.getContext());
}

AffineExpr streamtensor::dataflow::getMovedStripe(AccessOpInterface access) {
  if (!movesPart(access))
    return {};
  AffineMap place = access.getPlace();
  return simplifyAffineExpr(place.getResults().back().floorDiv(getPart(access)), place.getNumDims(),
                            place.getNumSymbols());
}
