//===- FoldCopiesIntoWriters.cpp - Write in the order that is read --------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_FOLDCOPIESINTOWRITERS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// The initial value of `writer`'s result in the shape `shape`; null if it holds
/// data of the program.
Value createInit(RewriterBase &rewriter, linalg::GenericOp writer, ArrayRef<int64_t> shape) {
  Location loc = writer.getLoc();
  Value old = writer.getDpsInits()[0];
  TypedAttr scalar = getFillConstant(old);
  if (!scalar && readsInit(writer))
    return {};
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, getElementTypeOrSelf(old.getType()));
  if (!readsInit(writer))
    return empty;
  Value constant = arith::ConstantOp::create(rewriter, loc, scalar);
  return linalg::FillOp::create(rewriter, loc, constant, empty).getResult(0);
}

/// Is it, or are slices of it, read by elementwise generics alone?
bool isReadByMaps(Value tensor) {
  return llvm::all_of(tensor.getUsers(), [](Operation *user) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      return isReadByMaps(slice);
    auto reader = dyn_cast<linalg::GenericOp>(user);
    return reader && isElementwise(reader) && !isCopy(reader);
  });
}

/// Does `copy`, read by elementwise generics alone, move the rows of what a contraction writes?
bool movesRowsOfSum(linalg::GenericOp copy, linalg::GenericOp writer) {
  AffineMap map = getCopyMap(copy);
  bool movesRows = map.getNumResults() > 0 &&
                   map.getDimPosition(map.getNumResults() - 1) != map.getNumDims() - 1;
  return movesRows && isContraction(writer) && isReadByMaps(copy.getResult(0));
}

/// transpose(generic(..)) -> the generic writes transposed.
struct WriteTransposed : OpRewritePattern<linalg::GenericOp> {
  WriteTransposed(MLIRContext *context, bool rowsOfSums)
      : OpRewritePattern(context), rowsOfSums(rowsOfSums) {}

  LogicalResult matchAndRewrite(linalg::GenericOp copy, PatternRewriter &rewriter) const override {
    if (!isCopy(copy) || !getCopyMap(copy).isPermutation())
      return failure();
    auto writer = copy.getInputs()[0].getDefiningOp<linalg::GenericOp>();
    if (!writer || writer->getNumResults() != 1 || !writer->hasOneUse() ||
        (rowsOfSums && !movesRowsOfSum(copy, writer)))
      return failure();
    auto shape = cast<RankedTensorType>(copy.getResult(0).getType()).getShape();
    rewriter.setInsertionPoint(writer);
    Value init = createInit(rewriter, writer, shape);
    if (!init)
      return failure();
    SmallVector<AffineMap> maps = writer.getIndexingMapsArray();
    maps.back() = inversePermutation(getCopyMap(copy)).compose(maps.back());
    auto result = cloneGeneric(rewriter, writer, writer.getInputs(), init, maps,
                               writer.getIteratorTypesArray());
    rewriter.replaceOp(copy, result);
    rewriter.eraseOp(writer);
    return success();
  }

private:
  bool rowsOfSums;
};

/// The loops of an elementwise generic in the order of its result.
struct LoopsInResultOrder : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isElementwise(op))
      return failure();
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (written.isIdentity())
      return failure();
    SmallVector<unsigned> order;
    for (unsigned dim = 0; dim < written.getNumResults(); ++dim)
      order.push_back(written.getDimPosition(dim));
    return linalg::interchangeGenericOp(rewriter, op, order);
  }
};

struct FoldCopiesIntoWritersPass
    : streamtensor::impl::FoldCopiesIntoWritersBase<FoldCopiesIntoWritersPass> {
  using FoldCopiesIntoWritersBase::FoldCopiesIntoWritersBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<WriteTransposed>(&getContext(), rowsOfSums);
    if (!rowsOfSums)
      patterns.add<LoopsInResultOrder>(&getContext());
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
