//===- EngineSlices.cpp - The lanes of an engine on several dies ----------===//
//
//   %w = insert (stream_read %w0) [0], insert (stream_read %w1) [1024]: vector<2048xi4>
//   %m = shape_cast %w : vector<2048xi4> to vector<16x128xi4>
//   %p = muli (broadcast %a : … to vector<16x128xi32>), (extsi %m)
//   … sum along the second dimension … : vector<16xi32>
//
// in two slices: the first has rows 0 to 7 and reads %w0, the second rows 8 to 15 and reads %w1.
// The dimension of the rows is followed from the sum back to what it is made of.
//
//===----------------------------------------------------------------------===//

#include "EngineSlices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace streamtensor::dataflow {

/// Where the elements of `dim` of `type` lie in its row-major order.
static int64_t getStride(VectorType type, unsigned dim) {
  return llvm::product_of(type.getShape().drop_front(dim + 1));
}

/// The dimension of `type` that is `dim` of `other`, which has the same elements in another shape.
static std::optional<unsigned> findDim(VectorType type, VectorType other, unsigned dim) {
  int64_t stride = getStride(other, dim), extent = other.getDimSize(dim);
  for (unsigned found = 0; found < unsigned(type.getRank()); ++found)
    if (getStride(type, found) == stride && type.getDimSize(found) == extent)
      return found;
  // Rows side by side are one row of their elements, and parts of that are some of the rows.
  bool isOutermost = llvm::product_of(other.getShape().take_front(dim)) == 1;
  if (isOutermost && type.getRank() == 1)
    return 0;
  if (other.getRank() == 1)
    for (unsigned found = 0; found < unsigned(type.getRank()); ++found)
      if (type.getDimSize(found) > 1)
        return found;
  return std::nullopt;
}

/// A memory of sums has a part of its own in every slice, if each access moves whole groups of
/// `slices` lanes.
bool LaneSlices::cutAccess(AccessOpInterface access, unsigned dim) {
  auto [known, isNew] = memories.insert({access.getChannel(), dim});
  return known->second == dim && access.getPlace().getResult(dim).isMultipleOf(slices);
}

bool LaneSlices::cutOperands(Operation *op, unsigned dim) {
  if (auto load = dyn_cast<LoadOp>(op))
    return cutAccess(cast<AccessOpInterface>(op), dim);
  auto type = cast<VectorType>(op->getResult(0).getType());
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    auto source = dyn_cast<VectorType>(broadcast.getSource().getType());
    int64_t own = source ? int64_t(dim) - (type.getRank() - source.getRank()) : -1;
    return own < 0 || source.getDimSize(own) == 1 || cut(broadcast.getSource(), own);
  }
  if (auto shape = dyn_cast<vector::ShapeCastOp>(op)) {
    std::optional<unsigned> own = findDim(shape.getSourceVectorType(), type, dim);
    return own && cut(shape.getSource(), *own);
  }
  if (auto transpose = dyn_cast<vector::TransposeOp>(op))
    return cut(transpose.getVector(), transpose.getPermutation()[dim]);
  if (auto slice = dyn_cast<vector::ExtractStridedSliceOp>(op))
    return slice.getSourceVectorType().getDimSize(dim) == type.getDimSize(dim) &&
           cut(slice.getSource(), dim);
  if (auto insert = dyn_cast<vector::InsertStridedSliceOp>(op)) {
    int64_t size = type.getDimSize(0) / slices;
    int64_t first = cast<IntegerAttr>(insert.getOffsets()[0]).getInt();
    int64_t last = first + insert.getSourceVectorType().getDimSize(0) - 1;
    if (type.getRank() != 1 || first / size != last / size)
      return false;
    dealt[insert] = first / size;
    if (Operation *source = insert.getValueToStore().getDefiningOp())
      dealt[source] = first / size;
    return cut(insert.getDest(), dim);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<VectorType>(operand.getType()) || cut(operand, dim);
  });
}

bool LaneSlices::cut(Value value, unsigned dim) {
  auto [known, isNew] = cuts.insert({value, dim});
  if (!isNew)
    return known->second == dim;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block ||
      cast<VectorType>(value.getType()).getDimSize(dim) % slices != 0)
    return false;
  return llvm::is_contained(handedOver, value) || cutOperands(op, dim);
}

bool LaneSlices::plan(EnginePart &part, int64_t count) {
  auto type = dyn_cast<VectorType>(part.sum.getType());
  if (!type)
    return false;
  // The rows are the last dimension of those that can be dealt. Who takes sums from a FIFO takes
  // them in one row.
  bool isRow = llvm::is_contained(type.getShape(), type.getNumElements());
  for (unsigned dim = type.getRank(); dim-- > 0;)
    if (type.getDimSize(dim) > 1 && (isRow || part.writes.empty()) && planAlong(part, dim, count))
      return true;
  return false;
}

bool LaneSlices::planAlong(EnginePart &part, unsigned dim, int64_t count) {
  block = part.sum.getParentBlock();
  slices = count;
  sumDim = dim;
  handedOver = part.operands;
  cuts.clear();
  dealt.clear();
  memories.clear();
  if (!cut(part.sum, dim))
    return false;
  return llvm::all_of(part.moved, [&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op)) {
      auto access = cast<AccessOpInterface>(op);
      auto memory = memories.find(access.getChannel());
      return memory != memories.end() && cut(store.getValue(), memory->second) &&
             cutAccess(access, memory->second);
    }
    // A token goes to every slice: its writer is no view.
    auto read = dyn_cast<StreamReadOp>(op);
    return !read || read.getStream() == read.getFifo();
  });
}

bool LaneSlices::isHandedOn(Value value) const {
  return !cuts.contains(value) &&
         llvm::any_of(handedOver, [&](Value each) { return cuts.contains(each); });
}

/// `shape` with one in `count` along `dim`.
static SmallVector<int64_t> divide(ArrayRef<int64_t> shape, unsigned dim, int64_t count) {
  SmallVector<int64_t> part(shape);
  part[dim] /= count;
  return part;
}

Type LaneSlices::getPartOf(Value operand, int64_t count) const {
  auto it = cuts.find(operand);
  if (count == 1 || it == cuts.end())
    return operand.getType();
  auto type = cast<VectorType>(operand.getType());
  return VectorType::get(divide(type.getShape(), it->second, count), type.getElementType());
}

Type LaneSlices::getPartOfMemory(Value memory, int64_t count) const {
  auto type = cast<PrivateType>(memory.getType());
  auto it = memories.find(memory);
  if (count == 1 || it == memories.end())
    return type;
  return PrivateType::get(type.getContext(), divide(type.getShape(), it->second, count),
                          type.getElementType());
}

Value LaneSlices::extract(OpBuilder &builder, Value operand, Value whole, int64_t slice,
                          int64_t count) const {
  auto it = cuts.find(operand);
  if (count == 1 || it == cuts.end())
    return whole;
  auto type = cast<VectorType>(whole.getType());
  SmallVector<int64_t> sizes = divide(type.getShape(), it->second, count);
  SmallVector<int64_t> offsets(type.getRank()), steps(type.getRank(), 1);
  offsets[it->second] = slice * sizes[it->second];
  return vector::ExtractStridedSliceOp::create(builder, whole.getLoc(), whole, offsets, sizes,
                                               steps);
}

Operation *LaneSlices::clone(OpBuilder &builder, Operation *op, IRMapping &mapping, int64_t slice,
                             int64_t count) const {
  if (count == 1)
    return builder.clone(*op, mapping);
  if (auto it = dealt.find(op); it != dealt.end() && it->second != slice) {
    // The lanes of others: what they are put into stays as it is.
    if (auto insert = dyn_cast<vector::InsertStridedSliceOp>(op))
      mapping.map(insert.getResult(), mapping.lookup(insert.getDest()));
    return nullptr;
  }
  Operation *clone = builder.clone(*op, mapping);
  if (isa<LoadOp, StoreOp>(op)) {
    auto access = cast<AccessOpInterface>(clone);
    unsigned dim = memories.lookup(cast<AccessOpInterface>(op).getChannel());
    AffineMap map = access.getPlace();
    SmallVector<AffineExpr> place(map.getResults());
    place[dim] =
        simplifyAffineExpr(place[dim].floorDiv(count), map.getNumDims(), map.getNumSymbols());
    access.setPlace(AffineMap::get(map.getNumDims(), map.getNumSymbols(), place, map.getContext()));
  }
  if (isa<StoreOp>(op))
    return clone;
  auto it = cuts.find(op->getResult(0));
  if (it == cuts.end())
    return clone;
  auto type = cast<VectorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape = divide(type.getShape(), it->second, count);
  auto cutType = VectorType::get(shape, type.getElementType());
  clone->getResult(0).setType(cutType);
  if (auto constant = dyn_cast<arith::ConstantOp>(clone))
    constant.setValueAttr(DenseElementsAttr::get(
        cutType, cast<SplatElementsAttr>(constant.getValue()).getSplatValue<Attribute>()));
  if (auto part = dyn_cast<vector::ExtractStridedSliceOp>(clone)) {
    SmallVector<Attribute> sizes(part.getSizes().begin(), part.getSizes().end());
    if (it->second < sizes.size())
      sizes[it->second] = builder.getI64IntegerAttr(shape[it->second]);
    part.setSizesAttr(builder.getArrayAttr(sizes));
  }
  if (auto insert = dyn_cast<vector::InsertStridedSliceOp>(clone)) {
    int64_t first = cast<IntegerAttr>(insert.getOffsets()[0]).getInt() - slice * shape[0];
    insert.setOffsetsAttr(builder.getI64ArrayAttr({first}));
  }
  return clone;
}

int64_t chooseSlices(MutableArrayRef<EnginePart> parts, const DeviceModel &device) {
  // Where there are several, fine ones fill dies better, and fewer lanes are on another die than
  // the memory's.
  constexpr double fine = 0.3;
  double most = 0;
  for (const EnginePart &part : parts) {
    double dsps = 0;
    for (Operation *op : part.moved)
      if (std::optional<Operator> found = device.operatorOf(op))
        dsps += found->dsp;
    most = std::max(most, dsps);
  }
  if (!device.isCutIntoSlices(most))
    return 1;
  auto getSlices = [&](double shareOfDie) {
    int64_t slices = 1;
    while (most / slices > shareOfDie * device.getPlaceableInAnyDie().dsp)
      slices *= 2;
    return slices;
  };
  int64_t least = getSlices(DeviceModel::mostOfDie);
  for (int64_t slices = getSlices(fine); slices > least; slices /= 2)
    if (llvm::all_of(parts, [&](EnginePart &part) { return part.slices.plan(part, slices); }))
      return slices;
  return least;
}

} // namespace streamtensor::dataflow
