//===- ITensorPacking.cpp - Layouts of external memory --------------------===//
//
// itensor.pack and itensor.unpack: their laws, and the pairs of them that are nothing.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include <numeric>

using namespace mlir;
using namespace streamtensor::itensor;

namespace {
/// A dimension of a packed tensor; its place in the row-major one moves by `stride` elements.
struct PackedDim {
  int64_t extent, stride;
  bool operator==(const PackedDim &) const = default;
};
} // namespace

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

/// The dimensions of a packed tensor; the word's holds as many elements as there are lanes.
static SmallVector<PackedDim> getDims(RankedTensorType packed, ArrayRef<int64_t> strides,
                                      std::optional<int64_t> lanes) {
  SmallVector<PackedDim> dims;
  for (auto [extent, stride] : llvm::zip_equal(packed.getShape(), strides))
    dims.push_back({extent, stride});
  if (lanes)
    dims.back().extent = *lanes;
  return dims;
}

static LogicalResult verifyLayout(Operation *op, StringRef label, RankedTensorType packed,
                                  RankedTensorType data, ArrayRef<int64_t> strides,
                                  std::optional<int64_t> lanes) {
  if (!packed.hasStaticShape() || !data.hasStaticShape())
    return op->emitOpError() << label << " takes and gives tensors whose extents are known";
  if (packed.getElementType() != data.getElementType() ||
      strides.size() != size_t(packed.getRank()))
    return op->emitOpError() << label << " keeps the element type and takes one stride per "
                             << "dimension of the packed tensor";
  if (lanes && (strides.empty() || *lanes < 1 || *lanes > packed.getShape().back()))
    return op->emitOpError() << label << " 'lanes' are at least 1 and at most the last extent";
  return success();
}

LogicalResult PackOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyLayout(*this, "[itensor.pack]", result, source, getStrides(), getLanes())))
    return failure();
  int64_t last = getOffset();
  for (const PackedDim &dim : getDims(result, getStrides(), getLanes()))
    last += dim.stride < 0 ? source.getNumElements() : (dim.extent - 1) * dim.stride;
  if (int64_t(getOffset()) < 0 || last >= source.getNumElements())
    return emitOpError("[itensor.pack] reads outside its source");
  return success();
}

/// Sorted by stride, each dimension must begin where those before it end.
static bool holdsEachElementOnce(SmallVector<PackedDim> dims, int64_t elements) {
  llvm::erase_if(dims, [](const PackedDim &dim) { return dim.extent == 1; });
  llvm::sort(dims,
             [](const PackedDim &lhs, const PackedDim &rhs) { return lhs.stride < rhs.stride; });
  int64_t run = 1;
  for (const PackedDim &dim : dims) {
    if (dim.stride != run)
      return false;
    run *= dim.extent;
  }
  return run == elements;
}

LogicalResult UnpackOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyLayout(*this, "[itensor.unpack]", source, result, getStrides(), getLanes())))
    return failure();
  if (!holdsEachElementOnce(getDims(source, getStrides(), getLanes()), result.getNumElements()))
    return emitOpError("[itensor.unpack] the source must hold each element of the result once");
  return success();
}

//===----------------------------------------------------------------------===//
// Pairs that are nothing
//===----------------------------------------------------------------------===//

static bool sameLayout(PackOp pack, UnpackOp unpack) {
  return pack.getOffset() == 0 && pack.getStrides() == unpack.getStrides() &&
         pack.getLanes() == unpack.getLanes();
}

/// pack(unpack(x)) -> x.
OpFoldResult PackOp::fold(FoldAdaptor) {
  auto unpack = getSource().getDefiningOp<UnpackOp>();
  bool returns =
      unpack && sameLayout(*this, unpack) && unpack.getSource().getType() == getResult().getType();
  return returns ? unpack.getSource() : OpFoldResult();
}

/// unpack(pack(x)) -> x.
OpFoldResult UnpackOp::fold(FoldAdaptor) {
  auto pack = getSource().getDefiningOp<PackOp>();
  bool returns =
      pack && sameLayout(pack, *this) && pack.getSource().getType() == getResult().getType();
  return returns ? pack.getSource() : OpFoldResult();
}

static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// Without unit extents, and with dimensions that follow each other without a gap as one. A
/// word is never part of another dimension.
static SmallVector<PackedDim> getNormalDims(SmallVector<PackedDim> dims, bool hasWord) {
  std::optional<PackedDim> word;
  if (hasWord)
    word = dims.pop_back_val();
  SmallVector<PackedDim> normal;
  for (const PackedDim &dim : dims) {
    if (dim.extent == 1)
      continue;
    if (!normal.empty() && normal.back().stride == dim.extent * dim.stride)
      normal.back() = {normal.back().extent * dim.extent, dim.stride};
    else
      normal.push_back(dim);
  }
  if (word)
    normal.push_back(*word);
  return normal;
}

/// Do both packed tensors have the same bytes?
static bool layOutAlike(PackOp pack, UnpackOp unpack) {
  auto result = cast<RankedTensorType>(pack.getResult().getType());
  auto source = cast<RankedTensorType>(unpack.getSource().getType());
  if (pack.getOffset() != 0 || pack.getLanes() != unpack.getLanes() ||
      result.getNumElements() != source.getNumElements())
    return false;
  auto normalise = [](auto op, RankedTensorType packed) {
    return getNormalDims(getDims(packed, op.getStrides(), op.getLanes()),
                         op.getLanes().has_value());
  };
  return normalise(pack, result) == normalise(unpack, source);
}

/// All dimensions of a tensor of rank `rank` as one.
static SmallVector<ReassociationIndices> groupAll(int64_t rank) {
  if (rank == 0)
    return {};
  ReassociationIndices all(rank);
  std::iota(all.begin(), all.end(), 0);
  return SmallVector<ReassociationIndices>(1, all);
}

Value streamtensor::itensor::createReshape(OpBuilder &builder, Location loc, Value value,
                                           RankedTensorType type) {
  auto source = cast<RankedTensorType>(value.getType());
  if (source == type)
    return value;
  auto flat = RankedTensorType::get({source.getNumElements()}, source.getElementType());
  if (source.getRank() != 1)
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value, groupAll(source.getRank()));
  if (type.getRank() != 1)
    value = tensor::ExpandShapeOp::create(builder, loc, type, value, groupAll(type.getRank()));
  return value;
}

/// A pack sees elements, not their shape; what lies as it should has nothing to be packed.
LogicalResult PackOp::canonicalize(PackOp op, PatternRewriter &rewriter) {
  Operation *source = op.getSource().getDefiningOp();
  if (isReshape(source)) {
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(source->getOperand(0)); });
    return success();
  }
  auto unpack = dyn_cast_or_null<UnpackOp>(source);
  if (!unpack || !layOutAlike(op, unpack))
    return failure();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  rewriter.replaceOp(op, createReshape(rewriter, op.getLoc(), unpack.getSource(), type));
  return success();
}

/// An unpack gives elements the shape that its only user gives them.
LogicalResult UnpackOp::canonicalize(UnpackOp op, PatternRewriter &rewriter) {
  if (!op.getResult().hasOneUse())
    return failure();
  Operation *user = *op.getResult().user_begin();
  if (!isReshape(user))
    return failure();
  rewriter.setInsertionPoint(user);
  rewriter.replaceOpWithNewOp<UnpackOp>(user, user->getResult(0).getType(), op.getSource(),
                                        op.getStridesAttr(), op.getLanesAttr());
  return success();
}
