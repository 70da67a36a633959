//===- FoldUnitExtents.cpp - Remove dimensions of extent one --------------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"
#include "streamtensor/Transforms/ReshapeUtils.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_FOLDUNITEXTENTS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// Does `index` move with a loop of one trip beside others?
bool hasUnitLoop(AffineExpr index, ArrayRef<int64_t> ranges) {
  if (isa<AffineDimExpr>(index))
    return false;
  bool isFound = false;
  index.walk([&](AffineExpr expr) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    isFound |= loop && ranges[loop.getPosition()] == 1;
  });
  return isFound;
}

/// A window with one place may leave rows of its image over. Without its place loop the map would
/// ask for all of them, so the image is cut to what the window reaches.
void cutToReach(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!type || !isWindow(map))
      continue;
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (hasUnitLoop(index, ranges))
        shape[dim] = getExtent(index, ranges);
    if (type.getShape() == ArrayRef<int64_t>(shape))
      continue;
    SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(shape.size(), rewriter.getIndexAttr(1));
    Value cut =
        tensor::ExtractSliceOp::create(rewriter, op.getLoc(), input->get(), offsets,
                                       getAsIndexOpFoldResult(op.getContext(), shape), strides);
    rewriter.modifyOpInPlace(op, [&] { input->set(cut); });
  }
}

void foldGenerics(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<linalg::GenericOp> generics;
  func.walk([&](linalg::GenericOp op) { generics.push_back(op); });
  for (linalg::GenericOp op : generics) {
    rewriter.setInsertionPoint(op);
    cutToReach(rewriter, op);
    auto folded = linalg::dropUnitDims(rewriter, op, linalg::ControlDropUnitDims());
    if (succeeded(folded))
      rewriter.replaceOp(op, folded->replacements);
  }
}

/// The elements of `values` whose position is not in `dropped`.
template <typename T> SmallVector<T> keep(ArrayRef<T> values, const llvm::SmallBitVector &dropped) {
  SmallVector<T> kept;
  for (auto [i, value] : llvm::enumerate(values))
    if (!dropped[i])
      kept.push_back(value);
  return kept;
}

struct FoldSlice : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallBitVector units = findUnitDims(op.getSourceType());
    if (units.none() || op.getType().getRank() != op.getSourceType().getRank())
      return failure();
    Value source = dropUnitDims(rewriter, op.getLoc(), op.getSource(), units);
    auto slice = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), source,
                                                keep<OpFoldResult>(op.getMixedOffsets(), units),
                                                keep<OpFoldResult>(op.getMixedSizes(), units),
                                                keep<OpFoldResult>(op.getMixedStrides(), units));
    rewriter.replaceOp(op, restoreUnitDims(rewriter, op.getLoc(), slice, op.getType(), units));
    return success();
  }
};

struct FoldConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op, PatternRewriter &rewriter) const override {
    auto type = op.getResultType();
    llvm::SmallBitVector units = findUnitDims(type);
    units.reset(op.getDim());
    if (units.none())
      return failure();
    SmallVector<Value> inputs;
    for (Value input : op.getInputs())
      inputs.push_back(dropUnitDims(rewriter, op.getLoc(), input, units));
    int64_t dim = op.getDim();
    for (unsigned unit : units.set_bits())
      dim -= unit < op.getDim();
    Value concat = tensor::ConcatOp::create(rewriter, op.getLoc(), dim, inputs);
    rewriter.replaceOp(op, restoreUnitDims(rewriter, op.getLoc(), concat, type, units));
    return success();
  }
};

struct FoldPad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op, PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    llvm::SmallBitVector units = findUnitDims(op.getResultType());
    if (!padding || units.none() || !op.getResultType().hasStaticShape())
      return failure();
    Value source = dropUnitDims(rewriter, op.getLoc(), op.getSource(), units);
    auto pad = tensor::PadOp::create(rewriter, op.getLoc(), Type(), source,
                                     keep<OpFoldResult>(op.getMixedLowPad(), units),
                                     keep<OpFoldResult>(op.getMixedHighPad(), units), padding);
    rewriter.replaceOp(op, restoreUnitDims(rewriter, op.getLoc(), pad, op.getResultType(), units));
    return success();
  }
};

/// A pad by nothing -> its source.
struct ErasePadOfNothing : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op, PatternRewriter &rewriter) const override {
    if (op.getSourceType() != op.getResultType() || !op.hasZeroLowPad() || !op.hasZeroHighPad())
      return failure();
    rewriter.replaceOp(op, op.getSource());
    return success();
  }
};

struct FoldUnitExtentsPass : streamtensor::impl::FoldUnitExtentsBase<FoldUnitExtentsPass> {
  void runOnOperation() override {
    foldGenerics(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldSlice, FoldConcat, FoldPad, ErasePadOfNothing>(&getContext());
    // An initial value that an elementwise body reads is an operand like others.
    linalg::populateMoveInitOperandsToInputPattern(patterns);
    populateReshapeCleanupPatterns(patterns);
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
