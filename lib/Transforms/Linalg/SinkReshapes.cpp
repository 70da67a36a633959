//===- SinkReshapes.cpp - Move collapse_shape out of the way --------------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"
#include "streamtensor/Transforms/ReshapeUtils.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_SINKRESHAPES
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// Whether a reshape of `value` costs nothing: it composes with one that is
/// there, or it is one of a tensor in external memory (perhaps of a slice, which is
/// read at an offset) or of a constant.
bool reshapesFreely(Value value) {
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  Operation *def = value.getDefiningOp();
  return !def || isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ConstantOp>(def);
}

/// Whether another input of `op` than `operand` shares a loop that the collapsed
/// dimensions of `operand` become several of, and is the result of a generic.
bool wouldReshapeAnotherInput(linalg::GenericOp op, OpOperand &operand,
                              tensor::CollapseShapeOp collapse) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, group] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (group.size() == 1)
      continue;
    AffineExpr loop = map.getResult(dim);
    for (OpOperand *other : op.getDpsInputOperands())
      if (other->get() != operand.get() && !reshapesFreely(other->get()) &&
          op.getMatchingIndexingMap(other).getResultPosition(loop))
        return true;
  }
  return false;
}

/// A contraction takes the expanded form only for a broadcast that it then reads
/// through; else its loops would be cut where nothing asks for it (a transpose can
/// be written by the generic before it). Other generics take the expanded form where no
/// other operand needs a reshape for it. Unit dimensions stay folded.
bool shouldExpand(OpOperand *operand) {
  auto generic = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  if (!generic || !collapse || findUnitDims(collapse.getSrcType()).any())
    return false;
  if (!isContraction(generic))
    return !wouldReshapeAnotherInput(generic, *operand, collapse);
  auto copy = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
  return copy && isCopy(copy) && !getCopyMap(copy).isPermutation();
}

/// Whether `op` has several inputs with the loop that `expand` splits that do not
/// reshape freely.
bool needsSeveralReshapes(linalg::GenericOp op, tensor::ExpandShapeOp expand) {
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  llvm::SmallPtrSet<Value, 4> reshaped;
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    if (group.size() == 1)
      continue;
    for (OpOperand *input : op.getDpsInputOperands())
      if (!reshapesFreely(input->get()) &&
          op.getMatchingIndexingMap(input).getResultPosition(written.getResult(dim)))
        reshaped.insert(input->get());
  }
  return reshaped.size() > 1;
}

/// elementwise -> expand_shape -> elementwise: the reshape moves up, so that the
/// two can fuse.
bool shouldHoistExpand(OpOperand *operand) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!expand || !producer || !isElementwise(producer) || !producer->hasOneUse() ||
      !expand->hasOneUse() || findUnitDims(expand.getResultType()).any())
    return false;
  auto reader = dyn_cast<linalg::GenericOp>(*expand->getUsers().begin());
  return reader && isElementwise(reader) && !isCopy(reader) &&
         reader.getMatchingIndexingMap(&*expand->use_begin()).isPermutation() &&
         !needsSeveralReshapes(producer, expand);
}

bool shouldMove(OpOperand *operand) { return shouldExpand(operand) || shouldHoistExpand(operand); }

/// The index of a collapsed loop, which expansion makes an affine.apply of the
/// expanded ones -> arithmetic, as bodies may hold.
struct ExpandCollapsedIndex : OpRewritePattern<affine::AffineApplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(affine::AffineApplyOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::GenericOp>(op->getParentOp()))
      return failure();
    auto values = affine::expandAffineMap(rewriter, op.getLoc(), op.getAffineMap(),
                                          llvm::to_vector(op.getOperands()));
    if (!values)
      return failure();
    rewriter.replaceOp(op, *values);
    return success();
  }
};

struct SinkReshapesPass : streamtensor::impl::SinkReshapesBase<SinkReshapesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldMove);
    populateReshapeCleanupPatterns(patterns);
    patterns.add<ExpandCollapsedIndex>(&getContext());
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
