//===- PropagateCopies.cpp - Move transposes towards their readers --------===//
//
//   q = transpose(x); lo = q[.., :32]; hi = q[.., 32:]; r = concat(-hi, lo)
//     ->
//   lo = x[.., :32]; hi = x[.., 32:]; r' = concat(-hi, lo); r = transpose(r')
//
// Every pattern moves a copy one operation down, so the rewriting ends. What a
// copy ends at absorbs it (AbsorbCopies, FoldCopiesIntoWriters).
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"
#include "streamtensor/Transforms/ReshapeUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_PROPAGATECOPIES
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// A copy, and the dimension of its result that runs along each dimension of its source.
struct Copy {
  linalg::GenericOp op;
  AffineMap map;

  /// The copy that defines `value`, if one does. Those that repeat a dimension of extent one
  /// (FoldUnitExtents leaves none) do not count: nothing of their result runs along it.
  static std::optional<Copy> of(Value value) {
    auto op = value.getDefiningOp<linalg::GenericOp>();
    if (!op || !isCopy(op) || !getCopyMap(op).isProjectedPermutation())
      return std::nullopt;
    return Copy{op, getCopyMap(op)};
  }

  Value getSource() { return op.getInputs()[0]; }

  /// Of values per dimension of the result, those of the source's dimensions.
  SmallVector<OpFoldResult> ofSource(ArrayRef<OpFoldResult> ofResult) const {
    return applyPermutationMap(map, ofResult);
  }
};

/// Replaces `op` by a copy of `source` by `map`.
void replaceByCopy(PatternRewriter &rewriter, Operation *op, Location loc, Value source,
                   AffineMap map) {
  rewriter.replaceOp(op, createCopy(rewriter, loc, source, map, shapeOf(op->getResult(0))));
}

/// The order, relative to the result, in which all inputs that have every
/// dimension of the result are stored; null if they differ or there is none.
AffineMap findCommonInputOrder(linalg::GenericOp op) {
  AffineMap toLoops = inversePermutation(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  AffineMap common;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap order = op.getMatchingIndexingMap(input).compose(toLoops);
    if (!order.isPermutation())
      continue;
    if (common && common != order)
      return {};
    common = order;
  }
  return common;
}

/// Elementwise op whose inputs are all stored in another order than its result
/// -> the op writes in the inputs' order, a transpose follows.
struct WriteInInputOrder : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isElementwise(op) || op->getNumResults() != 1 || isCopy(op) || readsInit(op))
      return failure();
    AffineMap order = findCommonInputOrder(op);
    if (!order || order.isIdentity())
      return failure();
    Value result = op.getResult(0);
    Value init =
        tensor::EmptyOp::create(rewriter, op.getLoc(), applyPermutationMap(order, shapeOf(result)),
                                getElementTypeOrSelf(result.getType()));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.back() = order.compose(maps.back());
    auto written =
        cloneGeneric(rewriter, op, op.getInputs(), init, maps, op.getIteratorTypesArray());
    replaceByCopy(rewriter, op, op.getLoc(), written.getResult(0), order);
    return success();
  }
};

/// Elementwise op with loops that none of its inputs has -> the op without
/// them, then a broadcast: nothing is computed twice.
struct ComputeBeforeBroadcast : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isElementwise(op) || op->getNumResults() != 1 || isCopy(op) || readsInit(op) ||
        op.getNumDpsInputs() == 0 || op.hasIndexSemantics())
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    llvm::SmallBitVector unused = getUnusedDimsBitVector(ArrayRef<AffineMap>(maps).drop_back());
    if (unused.none())
      return failure();
    rewriteWithout(unused, op, maps, rewriter);
    return success();
  }

  static void rewriteWithout(const llvm::SmallBitVector &unused, linalg::GenericOp op,
                             ArrayRef<AffineMap> maps, PatternRewriter &rewriter) {
    Value result = op.getResult(0);
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> kept, read;
    for (auto [dim, expr] : llvm::enumerate(maps.back().getResults())) {
      if (unused[cast<AffineDimExpr>(expr).getPosition()])
        continue;
      shape.push_back(shapeOf(result)[dim]);
      kept.push_back(expr);
      read.push_back(rewriter.getAffineDimExpr(dim));
    }
    SmallVector<AffineMap> newMaps;
    for (AffineMap map : maps.drop_back())
      newMaps.push_back(compressDims(map, unused));
    newMaps.push_back(
        compressDims(AffineMap::get(maps.back().getNumDims(), 0, kept, op.getContext()), unused));
    SmallVector<utils::IteratorType> loops(shape.size(), utils::IteratorType::parallel);
    Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), shape,
                                         getElementTypeOrSelf(result.getType()));
    auto small = cloneGeneric(rewriter, op, op.getInputs(), init, newMaps, loops);
    AffineMap readMap = AffineMap::get(shapeOf(result).size(), 0, read, op.getContext());
    replaceByCopy(rewriter, op, op.getLoc(), small.getResult(0), readMap);
  }
};

/// slice(copy(x)) -> copy(slice(x)).
struct SliceBeforeCopy : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Copy> copy = Copy::of(op.getSource());
    if (!copy || op.getType().getRank() != op.getSourceType().getRank())
      return failure();
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), copy->getSource(), copy->ofSource(op.getMixedOffsets()),
        copy->ofSource(op.getMixedSizes()), copy->ofSource(op.getMixedStrides()));
    replaceByCopy(rewriter, op, copy->op.getLoc(), slice, copy->map);
    return success();
  }
};

/// concat(copy(x), copy(y)) -> copy(concat(x, y)) if both copy alike.
struct ConcatBeforeCopy : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op, PatternRewriter &rewriter) const override {
    AffineMap map;
    SmallVector<Value> sources;
    for (Value input : op.getInputs()) {
      std::optional<Copy> copy = Copy::of(input);
      if (!copy || (map && map != copy->map))
        return failure();
      map = copy->map;
      sources.push_back(copy->getSource());
    }
    auto dim = map.getResultPosition(rewriter.getAffineDimExpr(op.getDim()));
    if (!dim)
      return failure();
    Value concat = tensor::ConcatOp::create(rewriter, op.getLoc(), *dim, sources);
    replaceByCopy(rewriter, op, op.getLoc(), concat, map);
    return success();
  }
};

/// pad(transpose(x)) -> transpose(pad(x)).
struct PadBeforeCopy : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op, PatternRewriter &rewriter) const override {
    std::optional<Copy> copy = Copy::of(op.getSource());
    Value value = op.getConstantPaddingValue();
    if (!copy || !value || !copy->map.isPermutation())
      return failure();
    Value pad = tensor::PadOp::create(rewriter, op.getLoc(), Type(), copy->getSource(),
                                      copy->ofSource(op.getMixedLowPad()),
                                      copy->ofSource(op.getMixedHighPad()), value);
    replaceByCopy(rewriter, op, copy->op.getLoc(), pad, copy->map);
    return success();
  }
};

/// expand_shape(copy(x)) -> copy(expand_shape(x)).
struct ExpandBeforeCopy : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Copy> copy = Copy::of(op.getSrc());
    if (!copy)
      return failure();
    ArrayRef<int64_t> shape = op.getResultType().getShape();
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    SmallVector<ReassociationIndices> sourceGroups;
    SmallVector<int64_t> sourceShape;
    SmallVector<AffineExpr> read;
    for (AffineExpr expr : copy->map.getResults()) {
      ReassociationIndices group;
      for (int64_t expanded : groups[cast<AffineDimExpr>(expr).getPosition()]) {
        group.push_back(sourceShape.size());
        sourceShape.push_back(shape[expanded]);
        read.push_back(rewriter.getAffineDimExpr(expanded));
      }
      sourceGroups.push_back(group);
    }
    Value source = copy->getSource();
    auto type = RankedTensorType::get(sourceShape, op.getResultType().getElementType());
    if (type != source.getType())
      source = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, source, sourceGroups);
    replaceByCopy(rewriter, op, copy->op.getLoc(), source,
                  AffineMap::get(shape.size(), 0, read, getContext()));
    return success();
  }
};

/// collapse_shape(copy(x)) -> copy(collapse_shape(x)) if each group of dimensions
/// is either absent in x or adjacent there in the same order.
struct CollapseBeforeCopy : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Copy> copy = Copy::of(op.getSrc());
    if (!copy)
      return failure();
    auto groups = findSourceGroups(copy->map, op.getReassociationIndices());
    if (!groups)
      return failure();
    SmallVector<ReassociationIndices> sourceGroups;
    SmallVector<AffineExpr> read;
    for (auto &[resultDim, dims] : *groups) {
      sourceGroups.push_back(dims);
      read.push_back(rewriter.getAffineDimExpr(resultDim));
    }
    Value source = copy->getSource();
    if (sourceGroups.size() != shapeOf(source).size())
      source = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), source, sourceGroups);
    replaceByCopy(rewriter, op, copy->op.getLoc(), source,
                  AffineMap::get(op.getResultType().getRank(), 0, read, getContext()));
    return success();
  }

  /// For each group present in the copy's source, in the source's order: the
  /// collapsed dimension and the source dimensions.
  static std::optional<SmallVector<std::pair<unsigned, ReassociationIndices>>>
  findSourceGroups(AffineMap map, ArrayRef<ReassociationIndices> groups) {
    SmallVector<std::pair<unsigned, ReassociationIndices>> found;
    for (auto [resultDim, group] : llvm::enumerate(groups)) {
      ReassociationIndices dims;
      for (int64_t dim : group)
        if (auto position = map.getResultPosition(getAffineDimExpr(dim, map.getContext())))
          dims.push_back(*position);
      if (dims.empty())
        continue;
      if (dims.size() != group.size())
        return std::nullopt;
      for (size_t i = 1; i < dims.size(); ++i)
        if (dims[i] != dims[i - 1] + 1)
          return std::nullopt;
      found.push_back({resultDim, dims});
    }
    llvm::sort(found, [](const auto &a, const auto &b) { return a.second[0] < b.second[0]; });
    return found;
  }
};

struct PropagateCopiesPass : streamtensor::impl::PropagateCopiesBase<PropagateCopiesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<WriteInInputOrder, ComputeBeforeBroadcast, SliceBeforeCopy, ConcatBeforeCopy,
                 PadBeforeCopy, ExpandBeforeCopy, CollapseBeforeCopy>(&getContext());
    populateAbsorbCopyPatterns(patterns);
    populateReshapeCleanupPatterns(patterns);
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
