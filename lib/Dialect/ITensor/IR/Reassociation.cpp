//===- Reassociation.cpp - Grouping and splitting data dimensions ---------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

using namespace mlir;

namespace streamtensor::itensor {

namespace {
/// One data dimension of the lower-rank side and the consecutive dimensions of
/// the higher-rank side that it groups.
struct Group {
  SmallVector<unsigned> dims;
  SmallVector<int64_t> sizes;
  /// Elements of the grouped dimension per step of each of `dims`.
  SmallVector<int64_t> strides;

  int64_t getSize() const { return llvm::product_of(sizes); }
};
} // namespace

/// The groups of `reassociation` over the higher-rank `shape`; fails if the
/// dimensions are not 0, 1, 2, … in order.
static FailureOr<SmallVector<Group>> getGroups(ArrayRef<SmallVector<int64_t, 2>> reassociation,
                                               ArrayRef<int64_t> shape) {
  SmallVector<Group> groups;
  int64_t next = 0;
  for (ArrayRef<int64_t> dims : reassociation) {
    Group &group = groups.emplace_back();
    for (int64_t dim : dims) {
      if (dim != next++ || dim >= static_cast<int64_t>(shape.size()))
        return failure();
      group.dims.push_back(dim);
      group.sizes.push_back(shape[dim]);
    }
    group.strides.assign(dims.size(), 1);
    for (size_t i = dims.size(); i-- > 1;)
      group.strides[i - 1] = group.strides[i] * group.sizes[i];
  }
  // No group at all: a single element, every dimension of extent 1.
  if (reassociation.empty() && llvm::all_of(shape, [](int64_t size) { return size == 1; }))
    return groups;
  if (next != static_cast<int64_t>(shape.size()))
    return failure();
  return groups;
}

/// Lays a run of `extent` elements out as a box of the group's dimensions: full
/// inner dimensions, then a part of one, then ones.
static LogicalResult expandExtent(int64_t extent, const Group &group,
                                  MutableArrayRef<int64_t> element) {
  for (size_t i = group.dims.size(); i-- > 0;) {
    int64_t size = group.sizes[i];
    if (extent >= size && extent % size != 0)
      return failure();
    element[group.dims[i]] = std::min(extent, size);
    extent = extent >= size ? extent / size : 1;
  }
  return success(extent == 1);
}

/// Splits one loop over the group's dimensions, outermost part first.
static FailureOr<LoopNest> expandLoop(Loop loop, const Group &group) {
  LoopNest parts;
  for (size_t i = group.dims.size(); i-- > 0 && loop.trips > 1;) {
    int64_t stride = group.strides[i], span = stride * group.sizes[i];
    if (loop.step >= span)
      continue;
    if (loop.step % stride != 0)
      return failure();
    bool staysInside = (loop.trips - 1) * loop.step < span;
    int64_t trips = staysInside ? loop.trips : span / loop.step;
    if (!staysInside && (span % loop.step != 0 || loop.trips % trips != 0))
      return failure();
    parts.insert(parts.begin(), Loop{trips, loop.step / stride, group.dims[i]});
    loop = {loop.trips / trips, loop.step * trips, loop.dim};
  }
  if (loop.trips > 1)
    return failure();
  return parts;
}

/// No sum of loop offsets and tile may carry from one dimension into the next.
static bool staysWithin(ArrayRef<Loop> loops, ArrayRef<int64_t> element, ArrayRef<int64_t> shape) {
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (getReach(loops, dim, element[dim]) > shape[dim])
      return false;
  return true;
}

static FailureOr<ITensorType> expandType(ITensorType type, ArrayRef<Group> groups,
                                         ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dataShape = type.getDataShape(), element(shape.size(), 1);
  for (auto [dim, group] : llvm::enumerate(groups))
    if (group.getSize() != dataShape[dim] ||
        failed(expandExtent(type.getElementShape()[dim], group, element)))
      return failure();
  LoopNest loops;
  for (const Loop &loop : getLoops(type)) {
    if (loop.isRevisit()) {
      loops.push_back(loop);
      continue;
    }
    FailureOr<LoopNest> parts = expandLoop(loop, groups[*loop.dim]);
    if (failed(parts))
      return failure();
    llvm::append_range(loops, *parts);
  }
  if (!staysWithin(loops, element, shape))
    return failure();
  return getTypeOfLoops(loops, element, type.getElementType(), shape);
}

/// Is the box `element` over the group's dimensions one run of elements: ones, then a part of one
/// dimension, then full dimensions?
static bool isOneRun(ArrayRef<int64_t> element, const Group &group) {
  bool isInside = false;
  for (auto [dim, size] : llvm::zip_equal(group.dims, group.sizes)) {
    if (isInside && element[dim] != size)
      return false;
    isInside |= element[dim] > 1;
  }
  return true;
}

static FailureOr<ITensorType> collapseType(ITensorType type, ArrayRef<Group> groups,
                                           ArrayRef<int64_t> shape) {
  MLIRContext *context = type.getContext();
  SmallVector<AffineExpr> results;
  for (auto [index, group] : llvm::enumerate(groups)) {
    if (!isOneRun(type.getElementShape(), group) || group.getSize() != shape[index])
      return failure();
    AffineExpr place = getAffineConstantExpr(0, context);
    for (auto [dim, stride] : llvm::zip_equal(group.dims, group.strides))
      place = place + getAffineDimExpr(dim, context) * stride;
    results.push_back(place);
  }
  return composeType(type, AffineMap::get(type.getDataRank(), 0, results, context), shape);
}

FailureOr<ITensorType> reassociateType(ITensorType type,
                                       ArrayRef<SmallVector<int64_t, 2>> reassociation,
                                       ArrayRef<int64_t> shape) {
  bool expands = shape.size() >= type.getDataRank();
  SmallVector<int64_t> dataShape = type.getDataShape();
  ArrayRef<int64_t> higher = expands ? shape : ArrayRef<int64_t>(dataShape);
  size_t lowerRank = expands ? dataShape.size() : shape.size();
  FailureOr<SmallVector<Group>> groups = getGroups(reassociation, higher);
  if (failed(groups) || groups->size() != lowerRank)
    return failure();
  return expands ? expandType(type, *groups, shape) : collapseType(type, *groups, shape);
}

} // namespace streamtensor::itensor
