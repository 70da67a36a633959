//===- ITensorAlgebra.cpp - Order, cover and changes of itensor types -----===//
//
// Everything here is closed-form: a tensor of any size costs the same. The set
// of elements a type reaches is a product over data dimensions, because a loop
// feeds at most one of them.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensorAlgebra.h"
#include "streamtensor/Dialect/ITensor/IR/LoopNest.h"

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
  SmallVector<int64_t> shape = tokens.getDataShape();
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  LoopNest loops = getLoops(tokens);
  for (Loop &loop : loops)
    if (loop.dim)
      loop = {loop.trips, loop.step * strides[*loop.dim], 0};
  // Inside a token, elements flow row-major.
  for (auto [extent, stride] : llvm::zip_equal(tokens.getElementShape(), strides))
    loops.push_back({extent, stride, 0});
  return getTypeOfLoops(normalizeLoops(loops), {1}, tokens.getElementType(),
                        {llvm::product_of(shape)});
}

//===----------------------------------------------------------------------===//
// Cover
//===----------------------------------------------------------------------===//

/// The loops of data dimension `dim` with more than one trip, smallest step first.
static LoopNest getLoopsByStep(ArrayRef<Loop> loops, unsigned dim) {
  LoopNest result;
  llvm::copy_if(loops, std::back_inserter(result),
                [&](const Loop &loop) { return loop.dim == dim && loop.trips > 1; });
  llvm::stable_sort(result, [](const Loop &a, const Loop &b) { return a.step < b.step; });
  return result;
}

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

//===----------------------------------------------------------------------===//
// Reassociation
//===----------------------------------------------------------------------===//

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

/// The box `element` over the group's dimensions as one run of elements: ones,
/// then a part of one dimension, then full dimensions.
static FailureOr<int64_t> collapseExtent(ArrayRef<int64_t> element, const Group &group) {
  int64_t extent = 1;
  for (auto [dim, size] : llvm::zip_equal(group.dims, group.sizes)) {
    if (extent > 1 && element[dim] != size)
      return failure();
    extent *= element[dim];
  }
  return extent;
}

static FailureOr<ITensorType> collapseType(ITensorType type, ArrayRef<Group> groups,
                                           ArrayRef<int64_t> shape) {
  SmallVector<int64_t> element;
  SmallVector<unsigned> groupOf(type.getDataRank());
  SmallVector<int64_t> strideOf(type.getDataRank(), 1);
  for (auto [index, group] : llvm::enumerate(groups)) {
    FailureOr<int64_t> extent = collapseExtent(type.getElementShape(), group);
    if (failed(extent) || group.getSize() != shape[index])
      return failure();
    element.push_back(*extent);
    for (auto [dim, stride] : llvm::zip_equal(group.dims, group.strides)) {
      groupOf[dim] = index;
      strideOf[dim] = stride;
    }
  }
  LoopNest loops;
  for (Loop loop : getLoops(type)) {
    if (loop.trips == 1)
      continue;
    if (loop.dim) {
      loop.step *= strideOf[*loop.dim];
      loop.dim = groupOf[*loop.dim];
    }
    loops.push_back(loop);
  }
  return getTypeOfLoops(loops, element, type.getElementType(), shape);
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

//===----------------------------------------------------------------------===//
// Chunk
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

SmallVector<int64_t> getPackedShape(ITensorType type) {
  SmallVector<int64_t> shape;
  for (unsigned loop = 0; loop < type.getIterRank(); ++loop)
    if (type.getDataDimOf(loop))
      shape.push_back(type.getTrips()[loop]);
  llvm::append_range(shape, type.getElementShape());
  return shape;
}

SmallVector<int64_t> getPackedStrides(ITensorType type, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dataStrides(shape.size(), 1);
  for (int dim = int(shape.size()) - 2; dim >= 0; --dim)
    dataStrides[dim] = dataStrides[dim + 1] * shape[dim + 1];
  SmallVector<int64_t> strides;
  for (unsigned loop = 0; loop < type.getIterRank(); ++loop)
    if (std::optional<unsigned> dim = type.getDataDimOf(loop))
      strides.push_back(type.getSteps()[loop] * dataStrides[*dim]);
  llvm::append_range(strides, dataStrides);
  return strides;
}

} // namespace streamtensor::itensor
