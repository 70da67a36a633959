//===- GeneralizeOps.cpp - Named Linalg ops to linalg.generic -------------===//

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_GENERALIZEOPS
#include "streamtensor/Transforms/Passes.h.inc"
} // namespace streamtensor

namespace {

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
    auto full = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(),
                                               op.getMixedOffsets(), op.getMixedSizes(),
                                               op.getMixedStrides());
    auto groups = getReassociationIndicesForReshape(full.getType(), op.getType());
    if (!groups)
      return failure();
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), full, *groups);
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
    generalizeNamedOps(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<KeepSliceRank, InsertChainToConcat>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
