//===- HoistSlices.cpp - Slice operands instead of results ----------------===//
//
//   qkv = matmul(h, W); q = qkv[:, :d]; k = qkv[:, d:2*d]; v = qkv[:, 2*d:]
//     ->
//   q = matmul(h, W[:, :d]); k = matmul(h, W[:, d:2*d]); v = matmul(h, W[:, 2*d:])
//
// Only where the slices partition the result and nothing else reads it, so that
// no element is computed twice, and only down to weights, which are read from
// memory at an offset. Sums of products of narrow weights in a program of layers
// stay whole: they take turns in an engine, for which a weight is one tensor.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Dialect/Program/IR/Program.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"
#include "streamtensor/Transforms/ReshapeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_HOISTSLICES
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// A static slice with unit strides that keeps all dimensions.
struct Box {
  SmallVector<int64_t> offsets, sizes;

  static std::optional<Box> of(tensor::ExtractSliceOp op) {
    if (!op.hasUnitStride() || op.getType().getRank() != op.getSourceType().getRank() ||
        llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(op.getStaticSizes(), ShapedType::isDynamic))
      return std::nullopt;
    return Box{llvm::to_vector(op.getStaticOffsets()), llvm::to_vector(op.getStaticSizes())};
  }

  static Box whole(ArrayRef<int64_t> shape) {
    return {SmallVector<int64_t>(shape.size(), 0), llvm::to_vector(shape)};
  }

  Value sliceOf(OpBuilder &builder, Location loc, Value source) const {
    if (cast<RankedTensorType>(source.getType()).getShape() == ArrayRef<int64_t>(sizes))
      return source;
    SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(
        builder, loc, source, getAsIndexOpFoldResult(builder.getContext(), offsets),
        getAsIndexOpFoldResult(builder.getContext(), sizes), strides);
  }
};

/// The one dimension along which `slice` is smaller than its source, or -1.
int64_t findSlicedDim(tensor::ExtractSliceOp slice) {
  int64_t sliced = -1;
  for (int64_t dim = 0; dim < slice.getType().getRank(); ++dim) {
    if (slice.getType().getDimSize(dim) == slice.getSourceType().getDimSize(dim))
      continue;
    if (sliced >= 0)
      return -1;
    sliced = dim;
  }
  return sliced;
}

/// The slices that read `value`, in order, if they are its only readers and cover
/// each element once, all along the dimension `dim`.
std::optional<SmallVector<tensor::ExtractSliceOp>> findPartition(Value value, int64_t dim) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || !Box::of(slice) || findSlicedDim(slice) != dim)
      return std::nullopt;
    slices.push_back(slice);
  }
  llvm::sort(slices,
             [&](auto a, auto b) { return a.getStaticOffset(dim) < b.getStaticOffset(dim); });
  int64_t next = 0;
  for (tensor::ExtractSliceOp slice : slices) {
    if (slice.getStaticOffset(dim) != next)
      return std::nullopt;
    next += slice.getType().getDimSize(dim);
  }
  if (next != cast<RankedTensorType>(value.getType()).getDimSize(dim))
    return std::nullopt;
  return slices;
}

/// A tensor that is read from memory: an argument or a constant, maybe reshaped.
bool isWeight(Value value) {
  while (auto *def = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def))
      return def->hasTrait<OpTrait::ConstantLike>();
    value = def->getOperand(0);
  }
  return true;
}

/// Whether `op` adds up integers, of weights of less than a byte, in a program of layers.
bool isForEngine(linalg::GenericOp op) {
  constexpr int64_t byte = 8;
  auto isNarrow = [](Value input) {
    Type element = getElementTypeOrSelf(input.getType());
    return element.isInteger() && element.getIntOrFloatBitWidth() < byte;
  };
  return op.getNumReductionLoops() > 0 &&
         getElementTypeOrSelf(op.getResult(0).getType()).isInteger() &&
         llvm::any_of(op.getInputs(), isNarrow) &&
         program::getLayers(op->getParentOfType<func::FuncOp>());
}

/// Whether `op` can be computed in parts along dimension `dim` of its result by
/// slicing weights alone, through elementwise operations that only it reads.
bool canSplit(linalg::GenericOp op, int64_t dim) {
  if (!op || op->getNumResults() != 1 || op.hasIndexSemantics() || isForEngine(op) ||
      (readsInit(op) && !getFillConstant(op.getDpsInits()[0])))
    return false;
  // A part of a window's result reads overlapping parts of its input.
  if (llvm::any_of(op.getIndexingMapsArray(), isWindow))
    return false;
  AffineExpr loop = op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResult(dim);
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto position = op.getMatchingIndexingMap(input).getResultPosition(loop);
    if (!position || isWeight(input->get()))
      continue;
    auto producer = input->get().getDefiningOp<linalg::GenericOp>();
    if (!isElementwise(op) || !input->get().hasOneUse() || !canSplit(producer, *position))
      return false;
  }
  return true;
}

/// The part of `op` whose result is the part `box` of `op`'s result.
Value computePart(RewriterBase &rewriter, linalg::GenericOp op, const Box &box) {
  Location loc = op.getLoc();
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Box loops = Box::whole(op.getStaticLoopRanges());
  for (unsigned dim = 0; dim < written.getNumResults(); ++dim) {
    loops.offsets[written.getDimPosition(dim)] = box.offsets[dim];
    loops.sizes[written.getDimPosition(dim)] = box.sizes[dim];
  }
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    Box part{applyPermutationMap<int64_t>(map, loops.offsets),
             applyPermutationMap<int64_t>(map, loops.sizes)};
    inputs.push_back(part.sliceOf(rewriter, loc, input->get()));
  }
  Value init = tensor::EmptyOp::create(rewriter, loc, box.sizes,
                                       getElementTypeOrSelf(op.getResult(0).getType()));
  if (readsInit(op)) {
    Value scalar = arith::ConstantOp::create(rewriter, loc, getFillConstant(op.getDpsInits()[0]));
    init = linalg::FillOp::create(rewriter, loc, scalar, init).getResult(0);
  }
  return cloneGeneric(rewriter, op, inputs, init, op.getIndexingMapsArray(),
                      op.getIteratorTypesArray())
      .getResult(0);
}

struct SplitSlicedGeneric : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->use_empty())
      return failure();
    auto first = dyn_cast<tensor::ExtractSliceOp>(*op->getUsers().begin());
    int64_t dim = first ? findSlicedDim(first) : -1;
    if (dim < 0)
      return failure();
    auto slices = findPartition(op.getResult(0), dim);
    if (!slices || !canSplit(op, dim))
      return failure();
    for (tensor::ExtractSliceOp slice : *slices)
      rewriter.replaceOp(slice, computePart(rewriter, op, *Box::of(slice)));
    rewriter.eraseOp(op);
    return success();
  }
};

/// slice(concat(x, y)) -> slice(x) if the slice lies within x.
struct SliceOfConcat : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getSource().getDefiningOp<tensor::ConcatOp>();
    std::optional<Box> box = Box::of(op);
    if (!concat || !box)
      return failure();
    int64_t start = 0, dim = concat.getDim();
    for (Value input : concat.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
      if (box->offsets[dim] >= start && box->offsets[dim] + box->sizes[dim] <= start + size) {
        box->offsets[dim] -= start;
        rewriter.replaceOp(op, box->sliceOf(rewriter, op.getLoc(), input));
        return success();
      }
      start += size;
    }
    return failure();
  }
};

/// The part of the collapsed dimension that `sizes` at `offsets` of its dimensions
/// `group` make up, if it is one run: ones, then any, then whole dimensions.
std::optional<std::pair<int64_t, int64_t>> collapseRun(ArrayRef<int64_t> shape,
                                                       ArrayRef<int64_t> group, const Box &box) {
  int64_t offset = 0, size = 1;
  bool insideRun = false;
  for (int64_t dim : group) {
    bool isWhole = box.sizes[dim] == shape[dim];
    if (insideRun && !isWhole)
      return std::nullopt;
    insideRun |= box.sizes[dim] != 1;
    offset = offset * shape[dim] + box.offsets[dim];
    size *= box.sizes[dim];
  }
  return std::make_pair(offset, size);
}

/// The part of x that is the part `box` of expand_shape(x), if it is one run of each dimension
/// of x.
std::optional<Box> findSourcePart(tensor::ExpandShapeOp expand, const Box &box) {
  Box source;
  for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
    auto run = collapseRun(expand.getResultType().getShape(), group, box);
    if (!run)
      return std::nullopt;
    source.offsets.push_back(run->first);
    source.sizes.push_back(run->second);
  }
  return source;
}

/// The part of x that is the part `box` of collapse_shape(x), if it takes whole rows of each
/// group's first dimension.
std::optional<Box> findSourcePart(tensor::CollapseShapeOp collapse, const Box &box) {
  Box source = Box::whole(collapse.getSrcType().getShape());
  for (auto [dim, group] : llvm::enumerate(collapse.getReassociationIndices())) {
    int64_t row = 1;
    for (int64_t inner : ArrayRef<int64_t>(group).drop_front())
      row *= source.sizes[inner];
    if (box.offsets[dim] % row || box.sizes[dim] % row)
      return std::nullopt;
    source.offsets[group.front()] = box.offsets[dim] / row;
    source.sizes[group.front()] = box.sizes[dim] / row;
  }
  return source;
}

/// slice(reshape(x)) -> reshape(slice(x)) if the slice is a part of x.
template <typename ReshapeOp> struct SliceBeforeReshape : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto reshape = op.getSource().getDefiningOp<ReshapeOp>();
    std::optional<Box> box = Box::of(op);
    if (!reshape || !box)
      return failure();
    std::optional<Box> source = findSourcePart(reshape, *box);
    if (!source)
      return failure();
    Value slice = source->sliceOf(rewriter, op.getLoc(), reshape.getSrc());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), slice,
                                           reshape.getReassociationIndices());
    return success();
  }
};

struct HoistSlicesPass : streamtensor::impl::HoistSlicesBase<HoistSlicesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitSlicedGeneric, SliceOfConcat, SliceBeforeReshape<tensor::ExpandShapeOp>,
                 SliceBeforeReshape<tensor::CollapseShapeOp>>(&getContext());
    tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
    populateReshapeCleanupPatterns(patterns);
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
