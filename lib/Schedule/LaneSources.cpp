//===- LaneSources.cpp - Where each lane of a value comes from ------------===//

#include "LaneSources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace streamtensor::schedule {

using Lanes = LaneSources::Lanes;
using Index = SmallVector<int64_t>;

static Index getShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Index(vector.getShape()) : Index();
}

/// Calls `visit` with the number and the index of each lane, in row-major order.
static void forEachLane(ArrayRef<int64_t> shape,
                        llvm::function_ref<void(int64_t, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> strides = computeStrides(shape);
  for (int64_t lane = 0, count = computeProduct(shape); lane < count; ++lane)
    visit(lane, delinearize(lane, strides));
}

/// Lanes of `result`, each from where `locate` finds its index in `from`.
static Lanes move(Type result, Type type, const Lanes &from,
                  llvm::function_ref<Index(ArrayRef<int64_t>)> locate) {
  SmallVector<int64_t> strides = computeStrides(getShape(type));
  Lanes lanes;
  forEachLane(getShape(result), [&](int64_t, ArrayRef<int64_t> index) {
    lanes.push_back(from[linearize(locate(index), strides)]);
  });
  return lanes;
}

static Lanes moveBroadcast(vector::BroadcastOp op, const Lanes &from) {
  Index shape = getShape(op.getSourceType());
  return move(op.getType(), op.getSourceType(), from, [&](ArrayRef<int64_t> index) {
    Index place(index.take_back(shape.size()));
    for (auto [position, extent] : llvm::zip_equal(place, shape))
      position = extent == 1 ? 0 : position;
    return place;
  });
}

static Lanes moveTranspose(vector::TransposeOp op, const Lanes &from) {
  return move(op.getType(), op.getVector().getType(), from, [&](ArrayRef<int64_t> index) {
    Index place(index.size());
    for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
      place[source] = index[dim];
    return place;
  });
}

static Lanes moveExtract(vector::ExtractOp op, const Lanes &from) {
  return move(op.getType(), op.getOperand(0).getType(), from, [&](ArrayRef<int64_t> index) {
    Index place(op.getStaticPosition());
    llvm::append_range(place, index);
    return place;
  });
}

static Index getIntegers(ArrayAttr attribute) {
  return llvm::map_to_vector(attribute.getAsRange<IntegerAttr>(),
                             [](IntegerAttr entry) { return entry.getInt(); });
}

static Lanes moveSlice(vector::ExtractStridedSliceOp op, const Lanes &from) {
  Index offsets = getIntegers(op.getOffsets()), strides = getIntegers(op.getStrides());
  return move(op.getType(), op->getOperand(0).getType(), from, [&](ArrayRef<int64_t> index) {
    Index place(index);
    for (size_t dim = 0; dim < offsets.size(); ++dim)
      place[dim] = offsets[dim] + index[dim] * strides[dim];
    return place;
  });
}

static Lanes moveInsertion(vector::InsertStridedSliceOp op, const Lanes &value, Lanes lanes) {
  Index shape = getShape(op.getValueToStore().getType());
  Index offsets = getIntegers(op.getOffsets()), strides = getIntegers(op.getStrides());
  SmallVector<int64_t> places = computeStrides(getShape(op.getType()));
  size_t leading = places.size() - shape.size();
  forEachLane(shape, [&](int64_t lane, ArrayRef<int64_t> index) {
    Index place(offsets);
    for (size_t dim = 0; dim < shape.size(); ++dim)
      place[leading + dim] += index[dim] * strides[dim];
    lanes[linearize(place, places)] = value[lane];
  });
  return lanes;
}

static bool isWireOfOneOperand(Operation *op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp, arith::IndexCastOp,
             arith::IndexCastUIOp, vector::ShapeCastOp>(op);
}

Lanes LaneSources::trace(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return find(value);
  if (isWireOfOneOperand(op))
    return get(op->getOperand(0));
  return llvm::TypeSwitch<Operation *, Lanes>(op)
      .Case([&](vector::BroadcastOp op) { return moveBroadcast(op, get(op.getSource())); })
      .Case([&](vector::TransposeOp op) { return moveTranspose(op, get(op.getVector())); })
      .Case([&](vector::ExtractStridedSliceOp op) { return moveSlice(op, get(op->getOperand(0))); })
      .Case([&](vector::InsertStridedSliceOp op) {
        return moveInsertion(op, get(op.getValueToStore()), get(op.getDest()));
      })
      .Case([&](vector::ExtractOp op) {
        return op.hasDynamicPosition() ? find(value) : moveExtract(op, get(op->getOperand(0)));
      })
      .Case([&](vector::FromElementsOp op) {
        Lanes lanes;
        for (Value element : op.getElements())
          llvm::append_range(lanes, get(element));
        return lanes;
      })
      .Default([&](Operation *) { return find(value); });
}

const Lanes &LaneSources::get(Value value) {
  if (auto it = known.find(value); it != known.end())
    return *it->second;
  auto lanes = std::make_unique<Lanes>(trace(value));
  return *(known[value] = std::move(lanes));
}

} // namespace streamtensor::schedule
