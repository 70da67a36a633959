//===- KeepLayouts.cpp - Loops carry tensors as launches lay them ---------===//
//
//   %k = scf.for … iter_args(%before = %keys) {
//     %0 = itensor.pack %before strides [8, 64, 1] …
//     %1 = dataflow.launch @layers(%0) …
//     %2 = itensor.unpack %1 strides [8, 64, 1] …
//     scf.yield %2
//   }
//
// becomes
//
//   %0 = itensor.pack %keys strides [8, 64, 1] …
//   %1 = scf.for … iter_args(%before = %0) {
//     %2 = dataflow.launch @layers(%before) …
//     scf.yield %2
//   }
//   %k = itensor.unpack %1 strides [8, 64, 1] …
//
// A host lays tensors out, and a loop over launches is a kernel that it starts once. What no turn
// changes is laid out in front of the loop, too, and a layout that is row-major is a reshape.
//
//===----------------------------------------------------------------------===//

#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h"
#include "streamtensor/Dialect/ITensor/IR/ITensor.h"
#include "streamtensor/Dialect/ITensor/IR/Packing.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace streamtensor {
#define GEN_PASS_DEF_KEEPLAYOUTS
#include "streamtensor/Dialect/Dataflow/Transforms/Passes.h.inc"
} // namespace streamtensor

using namespace mlir;
using namespace streamtensor;

//===----------------------------------------------------------------------===//
// Row-major layouts
//===----------------------------------------------------------------------===//

static bool isRowMajor(RankedTensorType packed, ArrayRef<int64_t> strides) {
  return llvm::all_of(
      llvm::zip_equal(packed.getShape(), strides, computeStrides(packed.getShape())), [](auto dim) {
        auto [extent, stride, own] = dim;
        return extent == 1 || stride == own;
      });
}

static bool isRowMajor(itensor::PackOp op) {
  auto packed = cast<RankedTensorType>(op.getResult().getType());
  return op.getOffset() == 0 && !op.getLanes() && isRowMajor(packed, op.getStrides()) &&
         packed.getNumElements() ==
             cast<RankedTensorType>(op.getSource().getType()).getNumElements();
}

static bool isRowMajor(itensor::UnpackOp op) {
  auto packed = cast<RankedTensorType>(op.getSource().getType());
  return !op.getLanes() && isRowMajor(packed, op.getStrides());
}

namespace {
template <typename LayoutOp> struct ReshapeRowMajor : OpRewritePattern<LayoutOp> {
  using OpRewritePattern<LayoutOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(LayoutOp op, PatternRewriter &rewriter) const override {
    if (!isRowMajor(op))
      return failure();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    rewriter.replaceOp(op, itensor::createReshape(rewriter, op.getLoc(), op.getSource(), type));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// What loops carry
//===----------------------------------------------------------------------===//

/// A tensor that a loop carries, which each turn packs first and unpacks last.
struct Carried {
  unsigned number;
  itensor::PackOp pack;
  itensor::UnpackOp unpack;
};

struct KeepLayoutsPass : streamtensor::impl::KeepLayoutsBase<KeepLayoutsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReshapeRowMajor<itensor::PackOp>, ReshapeRowMajor<itensor::UnpackOp>>(
        &getContext());
    itensor::PackOp::getCanonicalizationPatterns(patterns, &getContext());
    itensor::UnpackOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); }); // inner ones first
    for (scf::ForOp loop : loops) {
      moveLoopInvariantCode(cast<LoopLikeOpInterface>(loop.getOperation()));
      keep(loop);
    }
  }

  static std::optional<Carried> find(scf::ForOp loop, unsigned number) {
    BlockArgument before = loop.getRegionIterArg(number);
    Value after = loop.getYieldedValues()[number];
    auto unpack = after.getDefiningOp<itensor::UnpackOp>();
    if (!unpack || !before.hasOneUse())
      return std::nullopt;
    auto pack = dyn_cast<itensor::PackOp>(*before.user_begin());
    bool isKept = pack && pack->getBlock() == loop.getBody() && pack.getOffset() == 0 &&
                  pack.getStrides() == unpack.getStrides() &&
                  pack.getLanes() == unpack.getLanes() &&
                  pack.getResult().getType() == unpack.getSource().getType();
    return isKept ? std::optional(Carried{number, pack, unpack}) : std::nullopt;
  }

  static void keep(scf::ForOp loop) {
    SmallVector<Carried> carried;
    for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number)
      if (std::optional<Carried> found = find(loop, number))
        carried.push_back(*found);
    if (carried.empty())
      return;
    OpBuilder builder(loop);
    SmallVector<Value> inits(loop.getInitArgs());
    for (Carried &each : carried) {
      auto pack = cast<itensor::PackOp>(builder.clone(*each.pack));
      pack.getSourceMutable().assign(inits[each.number]);
      inits[each.number] = pack.getResult();
    }
    auto made = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits);
    Block *body = made.getBody();
    body->eraseArguments(0, body->getNumArguments());
    made.getRegion().takeBody(loop.getRegion());
    SmallVector<Value> results(made.getResults());
    for (Carried &each : carried) {
      BlockArgument before = made.getRegionIterArg(each.number);
      each.pack.getResult().replaceAllUsesWith(before);
      each.pack.erase();
      before.setType(inits[each.number].getType());
      made.getBody()->getTerminator()->setOperand(each.number, each.unpack.getSource());
      builder.setInsertionPointAfter(made);
      auto unpack = cast<itensor::UnpackOp>(builder.clone(*each.unpack));
      unpack.getSourceMutable().assign(made.getResult(each.number));
      results[each.number] = unpack.getResult();
      if (each.unpack->use_empty())
        each.unpack.erase();
    }
    for (auto [old, result] : llvm::zip_equal(loop.getResults(), results))
      old.replaceAllUsesWith(result);
    loop.erase();
  }
};
} // namespace
