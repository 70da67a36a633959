//===- FuseElementwise.cpp - Fuse without repeating work ------------------===//

#include "streamtensor/Analysis/AccessMap.h"
#include "streamtensor/Analysis/Lookup.h"
#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/GreedyRewrite.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

bool isOnlyReader(linalg::GenericOp producer, OpOperand &operand) {
  return producer->getNumResults() == 1 && producer->hasOneUse() &&
         *producer->getUsers().begin() == operand.getOwner();
}

/// Whether `op` computes its result from loop indices alone, by operations that
/// cost next to nothing (a causal mask, a range), or will when its inputs are fused into it.
bool becomesCheapIndexFunction(linalg::GenericOp op) {
  bool isCheap = llvm::all_of(*op.getBody(), [](Operation &nested) {
    return isa<linalg::IndexOp, linalg::YieldOp, arith::IndexCastOp, arith::AddIOp, arith::SubIOp,
               arith::CmpIOp, arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
               arith::ConstantOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(nested);
  });
  return isCheap && isElementwise(op) && op->getNumResults() == 1 &&
         llvm::all_of(op.getDpsInputs(), [](Value input) {
           auto producer = input.getDefiningOp<linalg::GenericOp>();
           return producer && becomesCheapIndexFunction(producer);
         });
}

bool isCheapIndexFunction(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 0 && becomesCheapIndexFunction(op);
}

/// Whether `op` computes one conversion between types of numbers.
bool isConversion(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getBody()->getOperations().size() == 2 &&
         isa<CastOpInterface>(op.getBody()->front());
}

/// Whether `op` computes nothing but a binary operation of one of the kinds `Ops`.
template <typename... Ops> bool isBinary(linalg::GenericOp op) {
  Block &body = *op.getBody();
  return body.getOperations().size() == 2 && isa<Ops...>(body.front()) &&
         body.getTerminator()->getOperand(0) == body.front().getResult(0);
}

/// Whether `product` multiplies a tensor by one that has fewer dimensions, and `sum` adds it up: a
/// product of a matrix and a vector, or of many, whatever it was written as.
bool isContractionInTwo(linalg::GenericOp product, linalg::GenericOp sum) {
  return isBinary<arith::MulFOp, arith::MulIOp>(product) && product.getNumDpsInputs() == 2 &&
         isBinary<arith::AddFOp, arith::AddIOp>(sum) && sum.getNumReductionLoops() > 0 &&
         sum.getNumDpsInputs() == 1 &&
         llvm::any_of(product.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = product.getMatchingIndexingMap(input);
           return map.getNumResults() > 0 && map.getNumResults() < map.getNumDims();
         });
}

/// What each of many lanes can have: no division, no function.
bool isCheap(Operation &op) {
  return isa<arith::CmpFOp, arith::CmpIOp, arith::SelectOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::AddIOp,
             arith::SubIOp, arith::MulIOp, math::AbsFOp, math::AbsIOp, CastOpInterface,
             arith::ConstantOp, linalg::IndexOp, linalg::YieldOp>(op);
}

/// Whether `op` joins all that its one input has along some loops, or what it makes of it.
bool isPlainReduction(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return false;
  Operation *joins = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::OrIOp, arith::AndIOp,
                         arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
                         arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(joins) &&
         llvm::all_of(*op.getBody(),
                      [&](Operation &nested) { return &nested == joins || isCheap(nested); });
}

/// Whether `map` takes each element of all that it reads several times, as where everything is
/// compared with everything, and `reduction` joins what it gives. Together they have lanes along
/// all loops, and nothing passes between them.
bool isReductionOfPairs(linalg::GenericOp map, linalg::GenericOp reduction) {
  bool takesSomething = false;
  if (!isPlainReduction(reduction) || !llvm::all_of(*map.getBody(), isCheap))
    return false;
  for (OpOperand *input : map.getDpsInputOperands()) {
    AffineMap read = map.getMatchingIndexingMap(input);
    auto producer = input->get().getDefiningOp<linalg::GenericOp>();
    bool comesFirst = producer && becomesCheapIndexFunction(producer);
    if (comesFirst || !read.isProjectedPermutation() || read.getNumResults() == read.getNumDims())
      return false;
    takesSomething |= read.getNumResults() > 0;
  }
  return takesSomething;
}

/// Whether `op` joins more than products of what it reads.
bool joinsPairs(linalg::GenericOp op) {
  return isContraction(op) && op.getBody()->getOps<arith::MulFOp>().empty() &&
         op.getBody()->getOps<arith::MulIOp>().empty();
}

/// Whether `op` does nothing but make a number of another type of an element and multiply it by one
/// of a tensor that has fewer dimensions: a sum of integers meets its scale.
bool isScaling(linalg::GenericOp op) {
  unsigned products = llvm::count_if(*op.getBody(), llvm::IsaPred<arith::MulFOp>);
  bool isAll = llvm::all_of(*op.getBody(), [](Operation &nested) {
    return isa<CastOpInterface, arith::MulFOp, linalg::YieldOp>(nested);
  });
  return isAll && products == 1 && op.getNumDpsInputs() == 2 &&
         llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *input) {
           return op.getMatchingIndexingMap(input).isPermutation();
         }) == 1;
}

/// Whether joining the producer of `operand` to its reader repeats no work and
/// keeps the order in which the reader can stream it.
bool shouldFuse(OpOperand &operand) {
  auto consumer = dyn_cast<linalg::GenericOp>(operand.getOwner());
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  if (!consumer || !producer || !consumer.isDpsInput(&operand))
    return false;
  bool isMap = isElementwise(consumer) && !readsInit(consumer);
  if (!isElementwise(producer) || readsInit(producer) ||
      (!isMap && !isConversion(producer) && !isContractionInTwo(producer, consumer) &&
       !isReductionOfPairs(producer, consumer) &&
       !(isCheapIndexFunction(producer) && joinsPairs(consumer)) &&
       !(isScaling(producer) && isContraction(consumer))) ||
      !linalg::areElementwiseOpsFusable(&operand))
    return false;
  // A lookup is a leaf task of its own: it reads a table where the data say.
  if (extractsElements(producer) || extractsElements(consumer))
    return false;
  if (isCheapIndexFunction(producer))
    return true;
  return consumer.getMatchingIndexingMap(&operand).isPermutation() &&
         isOnlyReader(producer, operand);
}

struct FuseProducer : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp consumer,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *input : consumer.getDpsInputOperands()) {
      if (!shouldFuse(*input))
        continue;
      Location loc = consumer.getLoc();
      auto fused = linalg::fuseElementwiseOps(rewriter, input);
      if (failed(fused))
        continue;
      for (auto [old, replacement] : fused->replacements)
        if (old.getDefiningOp() == consumer)
          rewriter.replaceAllUsesWith(old, replacement);
      rewriter.modifyOpInPlace(fused->fusedOp, [&] { fused->fusedOp->setLoc(loc); });
      rewriter.eraseOp(consumer);
      return success();
    }
    return failure();
  }
};

/// What the canonicalizer knows of scalars. A body that it makes the identity, `0 - (0 - x)`, is a
/// copy, and must go before tiling leaves a loop around it.
void addScalarPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isa<arith::ArithDialect, math::MathDialect>(op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
}

struct FuseElementwisePass : streamtensor::impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseProducer>(&getContext());
    // Two operands that read one tensor alike become one, so that a diamond's
    // top has a single reader.
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    addScalarPatterns(patterns);
    if (failed(rewriteToFixpoint(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
