//===- AbsorbCopies.cpp - Read through transposes and broadcasts ----------===//

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_ABSORBCOPIES
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// generic(copy(x)) -> generic(x).
struct ReadThroughCopy : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp reader,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *input : reader.getDpsInputOperands()) {
      auto copy = input->get().getDefiningOp<linalg::GenericOp>();
      if (!copy || !isCopy(copy))
        continue;
      SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
      unsigned position = input->getOperandNumber();
      maps[position] = getCopyMap(copy).compose(maps[position]);
      // A sum over a broadcast dimension: only the copy knows its extent.
      if (!inversePermutation(concatAffineMaps(maps, getContext())))
        continue;
      rewriter.modifyOpInPlace(reader, [&] {
        input->set(copy.getInputs()[0]);
        reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};

/// A copy that moves nothing -> its source.
struct EraseIdentityCopy : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isCopy(op))
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (maps[0] != maps[1] || op.getInputs()[0].getType() != op.getResult(0).getType())
      return failure();
    rewriter.replaceOp(op, op.getInputs()[0]);
    return success();
  }
};

struct AbsorbCopiesPass : streamtensor::impl::AbsorbCopiesBase<AbsorbCopiesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateAbsorbCopyPatterns(patterns);
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void streamtensor::populateAbsorbCopyPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadThroughCopy, EraseIdentityCopy>(patterns.getContext());
}
