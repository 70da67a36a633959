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
#include "streamtensor/Transforms/Passes.h"
#include "streamtensor/Transforms/ReshapeUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_PROPAGATECOPIES
#include "streamtensor/Transforms/Passes.h.inc"
} // namespace streamtensor

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The copy that defines `value`, if one does.
linalg::GenericOp getCopy(Value value) {
  auto copy = value.getDefiningOp<linalg::GenericOp>();
  return copy && isCopy(copy) ? copy : linalg::GenericOp();
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
    auto copy = createCopy(rewriter, op.getLoc(), written.getResult(0), order, shapeOf(result));
    rewriter.replaceOp(op, copy);
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
    auto copy = createCopy(rewriter, op.getLoc(), small.getResult(0), readMap, shapeOf(result));
    rewriter.replaceOp(op, copy);
  }
};

/// slice(copy(x)) -> copy(slice(x)).
struct SliceBeforeCopy : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    linalg::GenericOp copy = getCopy(op.getSource());
    if (!copy || op.getType().getRank() != op.getSourceType().getRank())
      return failure();
    AffineMap map = getCopyMap(copy);
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      unsigned from = map.getDimPosition(dim);
      offsets.push_back(op.getMixedOffsets()[from]);
      sizes.push_back(op.getMixedSizes()[from]);
      strides.push_back(op.getMixedStrides()[from]);
    }
    Value slice = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), copy.getInputs()[0],
                                                 offsets, sizes, strides);
    rewriter.replaceOp(op,
                       createCopy(rewriter, copy.getLoc(), slice, map, op.getType().getShape()));
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
      linalg::GenericOp copy = getCopy(input);
      if (!copy || (map && map != getCopyMap(copy)))
        return failure();
      map = getCopyMap(copy);
      sources.push_back(copy.getInputs()[0]);
    }
    auto dim = map.getResultPosition(rewriter.getAffineDimExpr(op.getDim()));
    if (!dim)
      return failure();
    Value concat = tensor::ConcatOp::create(rewriter, op.getLoc(), *dim, sources);
    rewriter.replaceOp(
        op, createCopy(rewriter, op.getLoc(), concat, map, op.getResultType().getShape()));
    return success();
  }
};

/// pad(transpose(x)) -> transpose(pad(x)).
struct PadBeforeCopy : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op, PatternRewriter &rewriter) const override {
    linalg::GenericOp copy = getCopy(op.getSource());
    Value value = op.getConstantPaddingValue();
    if (!copy || !value || !getCopyMap(copy).isPermutation())
      return failure();
    AffineMap map = getCopyMap(copy);
    SmallVector<OpFoldResult> low, high;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      low.push_back(op.getMixedLowPad()[map.getDimPosition(dim)]);
      high.push_back(op.getMixedHighPad()[map.getDimPosition(dim)]);
    }
    Value pad =
        tensor::PadOp::create(rewriter, op.getLoc(), Type(), copy.getInputs()[0], low, high, value);
    rewriter.replaceOp(
        op, createCopy(rewriter, copy.getLoc(), pad, map, op.getResultType().getShape()));
    return success();
  }
};

/// expand_shape(copy(x)) -> copy(expand_shape(x)).
struct ExpandBeforeCopy : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    linalg::GenericOp copy = getCopy(op.getSrc());
    if (!copy)
      return failure();
    ArrayRef<int64_t> shape = op.getResultType().getShape();
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    SmallVector<ReassociationIndices> sourceGroups;
    SmallVector<int64_t> sourceShape;
    SmallVector<AffineExpr> read;
    AffineMap map = getCopyMap(copy);
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      ReassociationIndices group;
      for (int64_t expanded : groups[map.getDimPosition(dim)]) {
        group.push_back(sourceShape.size());
        sourceShape.push_back(shape[expanded]);
        read.push_back(rewriter.getAffineDimExpr(expanded));
      }
      sourceGroups.push_back(group);
    }
    Value source = copy.getInputs()[0];
    auto type = RankedTensorType::get(sourceShape, op.getResultType().getElementType());
    if (type != source.getType())
      source = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, source, sourceGroups);
    AffineMap readMap = AffineMap::get(shape.size(), 0, read, getContext());
    rewriter.replaceOp(op, createCopy(rewriter, copy.getLoc(), source, readMap, shape));
    return success();
  }
};

/// collapse_shape(copy(x)) -> copy(collapse_shape(x)) if each group of dimensions
/// is either absent in x or adjacent there in the same order.
struct CollapseBeforeCopy : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    linalg::GenericOp copy = getCopy(op.getSrc());
    if (!copy)
      return failure();
    auto groups = findSourceGroups(getCopyMap(copy), op.getReassociationIndices());
    if (!groups)
      return failure();
    SmallVector<ReassociationIndices> sourceGroups;
    SmallVector<AffineExpr> read;
    for (auto &[resultDim, dims] : *groups) {
      sourceGroups.push_back(dims);
      read.push_back(rewriter.getAffineDimExpr(resultDim));
    }
    ArrayRef<int64_t> shape = op.getResultType().getShape();
    Value source = copy.getInputs()[0];
    if (sourceGroups.size() != shapeOf(source).size())
      source = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), source, sourceGroups);
    AffineMap readMap = AffineMap::get(shape.size(), 0, read, getContext());
    rewriter.replaceOp(op, createCopy(rewriter, copy.getLoc(), source, readMap, shape));
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
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
