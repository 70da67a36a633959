//===- PackedTransfer.cpp - Transfers and layouts of external memory ------===//

#include "PackedTransfer.h"

#include "streamtensor/Analysis/ExternalTensors.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"
#include "streamtensor/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor;
using itensor::ITensorType;
using itensor::PackedOrder;

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

Transfer::Transfer(itensor::FromTensorOp from, ArrayRef<int64_t> shape)
    : type(cast<ITensorType>(from.getType())), shape(shape) {}

Transfer::Transfer(itensor::ToTensorOp to)
    : type(cast<ITensorType>(to.getSource().getType())), shape(type.getDataShape()) {}

MemoryLayout Transfer::getLayout(ArrayRef<int64_t> order) const {
  MemoryLayout layout;
  for (auto [extent, stride] : llvm::zip_equal(itensor::getPackedShape(type, {order}),
                                               itensor::getPackedStrides(type, shape, {order}))) {
    if (extent == 1)
      continue;
    if (!layout.empty() && layout.back().stride == extent * stride)
      layout.back() = {layout.back().extent * extent, stride};
    else
      layout.push_back({extent, stride});
  }
  return layout;
}

/// Elements of memory in `layout` that lie between elements `stride` apart in the row-major
/// tensor; 0 if no dimension counts so.
static int64_t getPlace(const MemoryLayout &layout, int64_t stride) {
  int64_t run = 1;
  for (const WalkDim &dim : llvm::reverse(layout)) {
    if (dim.stride <= stride && stride < dim.stride * dim.extent)
      return run * (stride / dim.stride);
    run *= dim.extent;
  }
  return 0;
}

std::optional<SmallVector<int64_t>> Transfer::findOrder(const MemoryLayout &layout) const {
  SmallVector<int64_t> order = getOwnOrder();
  SmallVector<int64_t> strides = itensor::getPackedStrides(type, shape);
  DenseMap<int64_t, int64_t> places;
  for (auto [loop, stride] : llvm::zip(order, strides))
    places[loop] = type.getTrips()[loop] > 1 ? getPlace(layout, stride) : 0;
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return places[a] > places[b]; });
  return getLayout(order) == layout ? std::optional(order) : std::nullopt;
}

/// Elements of memory that a trip of each loop moves where the tokens lie in the order of `loops`;
/// then the same for the token's dimensions.
static SmallVector<int64_t> getMemoryStrides(ITensorType type, ArrayRef<int64_t> loops) {
  SmallVector<int64_t> strides(type.getIterRank() + type.getDataRank(), 0);
  int64_t run = 1;
  for (unsigned dim = type.getDataRank(); dim-- > 0;) {
    strides[type.getIterRank() + dim] = run;
    run *= type.getElementShape()[dim];
  }
  for (int64_t loop : llvm::reverse(loops)) {
    strides[loop] = run;
    run *= type.getTrips()[loop];
  }
  return strides;
}

/// The same in a row-major tensor of shape `shape`.
static SmallVector<int64_t> getRowMajorStrides(ITensorType type, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(type.getIterRank(), 0);
  SmallVector<int64_t> packed = itensor::getPackedStrides(type, shape);
  SmallVector<int64_t> moving = itensor::getMovingLoops(type);
  for (auto [loop, stride] : llvm::zip(moving, packed))
    strides[loop] = stride;
  llvm::append_range(strides, ArrayRef(packed).drop_front(moving.size()));
  return strides;
}

int64_t Transfer::countBursts(std::optional<ArrayRef<int64_t>> order, int64_t burstBytes) const {
  SmallVector<int64_t> strides =
      order ? getMemoryStrides(type, *order) : getRowMajorStrides(type, shape);
  SmallVector<int64_t> extents(type.getTrips());
  llvm::append_range(extents, type.getElementShape());
  int64_t run = 1, pieces = 1;
  for (auto [extent, stride] : llvm::reverse(llvm::zip_equal(extents, strides))) {
    if (extent == 1)
      continue;
    bool goesOn = pieces == 1 && stride == run;
    (goesOn ? run : pieces) *= extent;
  }
  int64_t bytes = llvm::divideCeil(type.getElementBitWidth(), 8);
  return pieces * llvm::divideCeil(run * bytes, burstBytes);
}

bool Transfer::movesWords(int64_t lanes, int64_t offset) const {
  SmallVector<int64_t> strides = getRowMajorStrides(type, shape);
  std::optional<unsigned> laneDim = itensor::getLaneDim(type);
  if (!llvm::isPowerOf2_64(lanes) || (laneDim && strides[type.getIterRank() + *laneDim] != 1))
    return false;
  SmallVector<int64_t> extents(type.getTrips());
  llvm::append_range(extents, type.getElementShape());
  int64_t alignment = std::gcd(offset, llvm::product_of(shape));
  for (auto [dim, extent, stride] : llvm::enumerate(extents, strides))
    if (extent > 1 && !(laneDim && dim == type.getIterRank() + *laneDim))
      alignment = std::gcd(alignment, stride);
  return alignment % lanes == 0;
}

//===----------------------------------------------------------------------===//
// Both sides of a kernel's boundary
//===----------------------------------------------------------------------===//

static void collect(Value tensor, Uses &uses) {
  for (OpOperand &use : tensor.getUses()) {
    if (auto kernel = dyn_cast<dataflow::KernelOp>(use.getOwner())) {
      BlockArgument inner = kernel.getBody().front().getArgument(use.getOperandNumber());
      for (Operation *user : inner.getUsers()) {
        auto from = dyn_cast<itensor::FromTensorOp>(user);
        uses.asItLies |= !from || from.getOffsets();
        if (from)
          uses.readers.push_back(from);
      }
    } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(use.getOwner())) {
      collect(use.getOwner()->getResult(0), uses);
    } else if (isa<func::ReturnOp>(use.getOwner())) {
      auto program = use.getOwner()->getParentOfType<FunctionOpInterface>();
      bool isFixed = bool(program.getResultAttr(use.getOperandNumber(), program::rowMajorAttrName));
      uses.asItLies |= isFixed;
    }
  }
}

/// In the order of the program: that of use lists is another after the program was printed and
/// read.
static bool isBefore(itensor::FromTensorOp from, itensor::FromTensorOp other) {
  if (from->getBlock() == other->getBlock())
    return from->isBeforeInBlock(other);
  return from->getParentOp()->isBeforeInBlock(other->getParentOp());
}

Uses streamtensor::collectUses(Value tensor) {
  Uses uses;
  collect(tensor, uses);
  llvm::sort(uses.readers, isBefore);
  return uses;
}

Value streamtensor::getOuter(dataflow::KernelOp kernel, itensor::FromTensorOp from) {
  return kernel.getInputs()[cast<BlockArgument>(from.getSource()).getArgNumber()];
}

static IntegerAttr getLanesAttr(Builder builder, int64_t lanes) {
  return lanes > 0 ? builder.getI64IntegerAttr(lanes) : IntegerAttr();
}

/// No attribute for the order that the type itself has.
static DenseI64ArrayAttr getOrderAttr(Builder builder, ITensorType type, ArrayRef<int64_t> order) {
  bool plain = order.empty() || order == ArrayRef<int64_t>(itensor::getMovingLoops(type));
  return plain ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(order);
}

void streamtensor::readPacked(dataflow::KernelOp kernel, itensor::FromTensorOp from, Value packed,
                              PackedOrder order) {
  OpBuilder builder(kernel);
  auto type = cast<ITensorType>(from.getType());
  auto packedType =
      RankedTensorType::get(itensor::getPackedShape(type, order), type.getElementType());
  packed = itensor::createReshape(builder, from.getLoc(), packed, packedType);
  kernel.getInputsMutable().append(packed);
  Value inner = kernel.getBody().front().addArgument(packedType, from.getLoc());
  builder.setInsertionPoint(from);
  auto replacement = itensor::FromTensorOp::create(
      builder, from.getLoc(), type, inner, DenseI64ArrayAttr(), /*packed=*/true,
      getOrderAttr(builder, type, order.loops), getLanesAttr(builder, order.lanes));
  replacement->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  from.replaceAllUsesWith(replacement.getResult());
  from.erase();
}

void streamtensor::dropUnusedInputs(dataflow::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (int index = int(body.getNumArguments()) - 1; index >= 0; --index)
    if (body.getArgument(index).use_empty()) {
      body.eraseArgument(index);
      kernel.getInputsMutable().erase(index);
    }
}

//===----------------------------------------------------------------------===//
// The host's side
//===----------------------------------------------------------------------===//

int64_t streamtensor::getOffset(itensor::FromTensorOp from, ArrayRef<int64_t> shape) {
  int64_t offset = 0;
  if (std::optional<ArrayRef<int64_t>> offsets = from.getOffsets())
    for (auto [extent, start] : llvm::zip_equal(shape, *offsets))
      offset = offset * extent + start;
  return offset;
}

Value HostLayouts::pack(Value outer, itensor::FromTensorOp from) {
  auto type = cast<ITensorType>(from.getType());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(outer.getType()).getShape();
  Layout layout{RankedTensorType::get(itensor::getPackedShape(type), type.getElementType()),
                itensor::getPackedStrides(type, shape), getOffset(from, shape), 0};
  return pack(stripReshapes(outer), layout, from);
}

Value HostLayouts::packWords(Value outer, itensor::FromTensorOp from, int64_t lanes) {
  auto known = outer.getDefiningOp<itensor::PackOp>();
  if (!known || !from.getPacked())
    known = pack(outer, from).getDefiningOp<itensor::PackOp>();
  auto type = cast<ITensorType>(from.getType());
  Layout layout{
      RankedTensorType::get(itensor::getPackedShape(type, {{}, lanes}), type.getElementType()),
      llvm::to_vector(known.getStrides()), int64_t(known.getOffset()), lanes};
  unsigned dim = itensor::getMovingLoops(type).size() + *itensor::getLaneDim(type);
  layout.strides.push_back(layout.strides[dim]);
  layout.strides[dim] *= lanes;
  return pack(known.getSource(), layout, from);
}

Value HostLayouts::pack(Value source, const Layout &layout, itensor::FromTensorOp from) {
  for (Operation *user : source.getUsers())
    if (auto known = dyn_cast<itensor::PackOp>(user))
      if (known->isBeforeInBlock(from->getParentOp()) && known.getType() == layout.type &&
          known.getStrides() == ArrayRef<int64_t>(layout.strides) &&
          int64_t(known.getOffset()) == layout.offset &&
          int64_t(known.getLanes().value_or(0)) == layout.lanes)
        return known.getResult();
  OpBuilder builder(from->getParentOp());
  return itensor::PackOp::create(builder, from.getLoc(), layout.type, source, layout.strides,
                                 layout.offset, getLanesAttr(builder, layout.lanes));
}

/// The old one may have taken the shape of a user over.
static void replaceUnpack(itensor::UnpackOp old, itensor::UnpackOp unpack) {
  OpBuilder builder(old);
  auto type = cast<RankedTensorType>(old.getResult().getType());
  old.replaceAllUsesWith(itensor::createReshape(builder, old.getLoc(), unpack.getResult(), type));
  old.erase();
}

Value HostLayouts::unpack(dataflow::KernelOp kernel, itensor::ToTensorOp to, PackedOrder order) {
  auto type = cast<ITensorType>(to.getSource().getType());
  OpOperand &yielded = *to.getResult().use_begin();
  OpResult result = kernel->getResult(yielded.getOperandNumber());
  bool wasPacked = to.getPacked();
  OpBuilder builder(kernel);
  to.setPacked(true);
  to.setOrderAttr(getOrderAttr(builder, type, order.loops));
  to.setLanesAttr(getLanesAttr(builder, order.lanes));
  auto packedType =
      RankedTensorType::get(itensor::getPackedShape(type, order), type.getElementType());
  to.getResult().setType(packedType);
  result.setType(packedType);
  builder.setInsertionPointAfter(kernel);
  auto unpack =
      itensor::UnpackOp::create(builder, to.getLoc(), type.getDataType(), result,
                                itensor::getPackedStrides(type, type.getDataShape(), order),
                                getLanesAttr(builder, order.lanes));
  if (!wasPacked)
    result.replaceAllUsesExcept(unpack.getResult(), unpack);
  for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
    if (auto old = dyn_cast<itensor::UnpackOp>(user); old && old != unpack)
      replaceUnpack(old, unpack);
  return result;
}

void HostLayouts::cleanUp() {
  Block &body = function.getBody().front();
  RewritePatternSet patterns(function.getContext());
  itensor::PackOp::getCanonicalizationPatterns(patterns, function.getContext());
  itensor::UnpackOp::getCanonicalizationPatterns(patterns, function.getContext());
  SmallVector<Operation *> layouts;
  for (Operation &op : body)
    if (isa<itensor::PackOp, itensor::UnpackOp>(op))
      layouts.push_back(&op);
  (void)applyOpPatternsGreedily(layouts, std::move(patterns));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isa<tensor::TensorDialect, itensor::ITensorDialect>(op.getDialect()) &&
        isOpTriviallyDead(&op))
      op.erase();
}
