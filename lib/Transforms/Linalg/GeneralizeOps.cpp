//===- GeneralizeOps.cpp - Named Linalg ops to linalg.generic -------------===//

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_GENERALIZEOPS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// Softmax and the like -> the reductions and elementwise operations they are.
LogicalResult decomposeAggregates(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  func.walk([&](linalg::AggregatedOpInterface op) { aggregates.push_back(op); });
  for (linalg::AggregatedOpInterface op : aggregates) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return op.emitOpError("cannot be decomposed into reductions and elementwise operations; "
                            "write it as such");
    rewriter.replaceOp(op, *results);
  }
  return success();
}

void generalizeNamedOps(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<linalg::LinalgOp> named;
  func.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

/// slice with dropped dimensions -> slice, then collapse_shape.
struct KeepSliceRank : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getType().getRank() == op.getSourceType().getRank() || !op.getType().hasStaticShape())
      return failure();
    auto full =
        tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(),
                                       op.getMixedSizes(), op.getMixedStrides());
    auto groups = getReassociationIndicesForReshape(full.getType(), op.getType());
    if (!groups)
      return failure();
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), full, *groups);
    return success();
  }
};

/// Every s-th element of a dimension that s divides -> a column of the dimension
/// split in two.
struct SliceColumnInsteadOfStride : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getSourceType();
    if (op.hasUnitStride() || op.getType().getRank() != type.getRank() || !type.hasStaticShape() ||
        !op.getType().hasStaticShape() || !hasStaticBounds(op))
      return failure();
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape, offsets, sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t stride = op.getStaticStride(dim), extent = type.getDimSize(dim);
      if (stride < 1 || extent % stride)
        return failure();
      groups.push_back({int64_t(shape.size())});
      shape.push_back(extent / stride);
      offsets.push_back(op.getStaticOffset(dim) / stride);
      sizes.push_back(op.getStaticSize(dim));
      if (stride == 1)
        continue;
      groups.back().push_back(shape.size());
      shape.push_back(stride);
      offsets.push_back(op.getStaticOffset(dim) % stride);
      sizes.push_back(1);
    }
    Value split = tensor::ExpandShapeOp::create(rewriter, op.getLoc(),
                                                RankedTensorType::get(shape, type.getElementType()),
                                                op.getSource(), groups);
    SmallVector<OpFoldResult> strides(shape.size(), rewriter.getIndexAttr(1));
    Value column = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), split, getAsIndexOpFoldResult(getContext(), offsets),
        getAsIndexOpFoldResult(getContext(), sizes), strides);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), column, groups);
    return success();
  }

  static bool hasStaticBounds(tensor::ExtractSliceOp op) {
    return !llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) &&
           !llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic);
  }
};

/// An operation without iterations gives what it starts with.
struct DropEmptyLoops : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !llvm::is_contained(op.getStaticLoopRanges(), 0))
      return failure();
    rewriter.replaceOp(op, SmallVector<Value>(op.getDpsInits()));
    return success();
  }
};

/// A piece that an insert_slice chain places along the dimension `dim`.
struct Piece {
  int64_t offset;
  Value value;
};

bool isWholeInsertAlong(tensor::InsertSliceOp insert, int64_t dim) {
  auto source = insert.getSourceType(), dest = insert.getDestType();
  if (source.getRank() != dest.getRank() || !source.hasStaticShape() || !insert.hasUnitStride())
    return false;
  for (int64_t d = 0; d < dest.getRank(); ++d) {
    if (ShapedType::isDynamic(insert.getStaticOffset(d)))
      return false;
    if (d != dim && source.getDimSize(d) != dest.getDimSize(d))
      return false;
  }
  return true;
}

int64_t findInsertDim(tensor::InsertSliceOp insert) {
  auto source = insert.getSourceType(), dest = insert.getDestType();
  if (source.getRank() != dest.getRank())
    return -1;
  for (int64_t d = 0; d < dest.getRank(); ++d)
    if (source.getDimSize(d) != dest.getDimSize(d))
      return d;
  return -1;
}

/// insert_slice(c, insert_slice(b, insert_slice(a, empty))) that covers the
/// tensor -> concat(a, b, c).
struct InsertChainToConcat : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp last,
                                PatternRewriter &rewriter) const override {
    int64_t dim = findInsertDim(last);
    if (dim < 0)
      return failure();
    SmallVector<Piece> pieces;
    int64_t covered = 0;
    for (tensor::InsertSliceOp insert = last; insert;
         insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
      if (!isWholeInsertAlong(insert, dim))
        return failure();
      pieces.push_back({insert.getStaticOffset(dim), insert.getSource()});
      covered += insert.getSourceType().getDimSize(dim);
    }
    llvm::sort(pieces, [](const Piece &a, const Piece &b) { return a.offset < b.offset; });
    int64_t next = 0;
    SmallVector<Value> values;
    for (const Piece &piece : pieces) {
      if (piece.offset != next)
        return failure();
      next += cast<RankedTensorType>(piece.value.getType()).getDimSize(dim);
      values.push_back(piece.value);
    }
    if (covered != last.getDestType().getDimSize(dim))
      return failure();
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(last, last.getType(), dim, values);
    return success();
  }
};

struct GeneralizeOpsPass : streamtensor::impl::GeneralizeOpsBase<GeneralizeOpsPass> {
  void runOnOperation() override {
    if (failed(decomposeAggregates(getOperation())))
      return signalPassFailure();
    generalizeNamedOps(getOperation());
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    patterns.add<KeepSliceRank, SliceColumnInsteadOfStride, DropEmptyLoops, InsertChainToConcat>(
        &getContext());
    if (failed(streamtensor::rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
