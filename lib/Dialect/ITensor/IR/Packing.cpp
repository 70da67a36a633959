//===- Packing.cpp - Tokens one after the other in memory -----------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace streamtensor::itensor {

SmallVector<int64_t> getMovingLoops(ITensorType type) {
  SmallVector<int64_t> loops;
  for (unsigned loop = 0; loop < type.getIterRank(); ++loop)
    if (type.getDataDimOf(loop))
      loops.push_back(loop);
  return loops;
}

static SmallVector<int64_t> getLoopsAsTheyLie(ITensorType type, const PackedOrder &order) {
  return order.loops.empty() ? getMovingLoops(type) : llvm::to_vector(order.loops);
}

/// The dimensions of a token in memory: with lanes, rows count vectors and the vector follows.
static SmallVector<int64_t> getTokenShape(ITensorType type, int64_t lanes) {
  SmallVector<int64_t> shape(type.getElementShape());
  if (lanes == 0)
    return shape;
  if (std::optional<unsigned> dim = getLaneDim(type))
    shape[*dim] /= lanes;
  shape.push_back(lanes);
  return shape;
}

SmallVector<int64_t> getPackedShape(ITensorType type, PackedOrder order) {
  SmallVector<int64_t> shape;
  for (int64_t loop : getLoopsAsTheyLie(type, order))
    shape.push_back(type.getTrips()[loop]);
  llvm::append_range(shape, getTokenShape(type, order.lanes));
  if (order.lanes > 0)
    shape.back() = llvm::PowerOf2Ceil(order.lanes);
  return shape;
}

SmallVector<int64_t> getPackedStrides(ITensorType type, ArrayRef<int64_t> shape,
                                      PackedOrder order) {
  SmallVector<int64_t> dataStrides = computeStrides(shape), strides;
  for (int64_t loop : getLoopsAsTheyLie(type, order))
    strides.push_back(type.getSteps()[loop] * dataStrides[*type.getDataDimOf(loop)]);
  size_t moving = strides.size();
  llvm::append_range(strides, dataStrides);
  if (order.lanes > 0) {
    std::optional<unsigned> dim = getLaneDim(type);
    strides.push_back(dim ? dataStrides[*dim] : 1);
    if (dim)
      strides[moving + *dim] *= order.lanes;
  }
  return strides;
}

ITensorType getPackedType(ITensorType type, PackedOrder order) {
  LoopNest loops = getLoops(type);
  SmallVector<int64_t> element;
  for (int64_t loop : getLoopsAsTheyLie(type, order)) {
    loops[loop] = {loops[loop].trips, 1, element.size()};
    element.push_back(1);
  }
  llvm::append_range(element, getTokenShape(type, order.lanes));
  return getTypeOfLoops(loops, element, type.getElementType(), getPackedShape(type, order));
}

namespace {
/// The data of a packed tensor as an expansion of the data: each dimension becomes the trips of
/// its loops, largest step first, then the tile's extent.
struct Digits {
  explicit Digits(ITensorType packing);

  SmallVector<SmallVector<int64_t, 2>> groups;
  SmallVector<int64_t> shape;
  /// The dimension of the packed tensor that each digit is.
  SmallVector<unsigned> packedDim;
};
} // namespace

Digits::Digits(ITensorType packing) {
  SmallVector<unsigned> moving;
  for (unsigned loop = 0; loop < packing.getIterRank(); ++loop)
    if (packing.getDataDimOf(loop))
      moving.push_back(loop);
  for (unsigned dim = 0; dim < packing.getDataRank(); ++dim) {
    SmallVector<unsigned> loops = packing.getLoopsOf(dim);
    llvm::stable_sort(loops, [&](unsigned a, unsigned b) {
      return packing.getSteps()[a] > packing.getSteps()[b];
    });
    SmallVector<int64_t, 2> &group = groups.emplace_back();
    auto add = [&](int64_t extent, unsigned packed) {
      group.push_back(shape.size());
      shape.push_back(extent);
      packedDim.push_back(packed);
    };
    for (unsigned loop : loops)
      add(packing.getTrips()[loop], llvm::find(moving, loop) - moving.begin());
    add(packing.getElementShape()[dim], moving.size() + dim);
  }
}

/// Do the elements of a tile stay row-major in the packed tensor?
static bool keepsRowMajor(const Digits &digits, ArrayRef<int64_t> element) {
  SmallVector<unsigned> moving;
  for (auto [packed, extent] : llvm::zip_equal(digits.packedDim, element))
    if (extent > 1)
      moving.push_back(packed);
  return llvm::is_sorted(moving);
}

FailureOr<ITensorType> readPacked(ITensorType reader, ITensorType packing) {
  if (!isExactCover(packing) || reader.getDataShape() != packing.getDataShape())
    return failure();
  Digits digits(packing);
  FailureOr<ITensorType> expanded = reassociateType(reader, digits.groups, digits.shape);
  if (failed(expanded) || !keepsRowMajor(digits, expanded->getElementShape()))
    return failure();
  SmallVector<AffineExpr> results(digits.shape.size());
  for (auto [digit, packed] : llvm::enumerate(digits.packedDim))
    results[packed] = getAffineDimExpr(digit, reader.getContext());
  return composeType(*expanded, AffineMap::get(results.size(), 0, results, reader.getContext()));
}

FailureOr<ITensorType> getInverseOrder(ITensorType type) {
  if (!isExactCover(type))
    return failure();
  return readPacked(
      getRowMajorType(type.getDataShape(), type.getElementType(), type.getElementShape()), type);
}

} // namespace streamtensor::itensor
