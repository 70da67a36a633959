//===- LocalizeInits.cpp - Own initial values, own constants --------------===//

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace streamtensor {
#define GEN_PASS_DEF_LOCALIZEINITS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

Value createEmptyLike(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}

Value createFill(OpBuilder &builder, Location loc, TypedAttr scalar, Value like) {
  Value constant = arith::ConstantOp::create(builder, loc, scalar);
  Value empty = createEmptyLike(builder, loc, like);
  return linalg::FillOp::create(builder, loc, constant, empty).getResult(0);
}

/// The one operation that combines the accumulator of result 0 with a term.
Operation *findCombiner(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) || combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

/// reduce(x, init = t) -> combine(t, reduce(x, init = neutral)).
LogicalResult splitAccumulation(RewriterBase &rewriter, linalg::GenericOp op) {
  Operation *combiner = op->getNumResults() == 1 ? findCombiner(op) : nullptr;
  std::optional<TypedAttr> neutral = combiner ? arith::getNeutralElement(combiner) : std::nullopt;
  if (!neutral)
    return op.emitOpError("accumulates into a tensor with a combiner that has no neutral "
                          "element; accumulate from a constant and combine afterwards");
  Location loc = op.getLoc();
  Value accumulated = op.getDpsInits()[0];
  rewriter.setInsertionPoint(op);
  op.getDpsInitsMutable()[0].set(createFill(rewriter, loc, *neutral, accumulated));

  rewriter.setInsertionPointAfter(op);
  Value empty = createEmptyLike(rewriter, loc, accumulated);
  unsigned rank = cast<RankedTensorType>(accumulated.getType()).getRank();
  SmallVector<AffineMap> maps(3, rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  StringAttr name = combiner->getName().getIdentifier();
  auto combined = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), ValueRange{accumulated, op.getResult(0)}, empty, maps, loops,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
        Operation *result = nested.create(nestedLoc, name, args.take_front(2), args[2].getType(),
                                          combiner->getAttrs());
        linalg::YieldOp::create(nested, nestedLoc, result->getResult(0));
      });
  rewriter.replaceAllUsesExcept(op.getResult(0), combined.getResult(0), combined);
  return success();
}

LogicalResult localizeReductionInit(RewriterBase &rewriter, linalg::GenericOp op, OpOperand &init) {
  if (TypedAttr scalar = streamtensor::getFillConstant(init.get())) {
    rewriter.setInsertionPoint(op);
    init.set(createFill(rewriter, op.getLoc(), scalar, init.get()));
    return success();
  }
  return splitAccumulation(rewriter, op);
}

LogicalResult localizeInits(RewriterBase &rewriter, linalg::GenericOp op) {
  bool overwrites = streamtensor::isElementwise(op) && !streamtensor::readsInit(op);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (overwrites) {
      rewriter.setInsertionPoint(op);
      init.set(createEmptyLike(rewriter, op.getLoc(), init.get()));
    } else if (failed(localizeReductionInit(rewriter, op, init))) {
      return failure();
    }
  }
  return success();
}

/// Clones each constant that the body uses from outside into the body.
void localizeConstants(RewriterBase &rewriter, linalg::GenericOp op) {
  llvm::SmallMapVector<Operation *, Value, 4> clones;
  for (Operation &nested : *op.getBody())
    for (OpOperand &operand : nested.getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      if (!def || !def->hasTrait<OpTrait::ConstantLike>() || def->getBlock() == op.getBody() ||
          isa<TensorType>(operand.get().getType()))
        continue;
      Value &clone = clones[def];
      if (!clone) {
        rewriter.setInsertionPointToStart(op.getBody());
        clone = rewriter.clone(*def)->getResult(0);
      }
      operand.set(clone);
    }
}

/// A fill that something else than a reduction reads -> a splat constant.
void replaceStandaloneFill(RewriterBase &rewriter, linalg::FillOp op) {
  TypedAttr scalar = streamtensor::getFillConstant(op.getResult(0));
  bool isRead = llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
    return !generic || !generic.isDpsInit(&use);
  });
  if (!scalar || !isRead)
    return;
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(type, scalar));
}

void eraseDead(func::FuncOp func, RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

/// The bytes of every element of `splat`, each in whole bytes, lowest first.
SmallVector<char> getElementBytes(DenseElementsAttr splat) {
  bool isFloat = isa<FloatType>(splat.getElementType());
  APInt bits =
      isFloat ? splat.getSplatValue<APFloat>().bitcastToAPInt() : splat.getSplatValue<APInt>();
  unsigned bytes = llvm::divideCeil(bits.getBitWidth(), 8);
  bits = bits.getBitWidth() == 1 ? bits.zext(8) : bits.sextOrTrunc(8 * bytes);
  SmallVector<char> all;
  for (int64_t element = 0; element < splat.getNumElements(); ++element)
    for (unsigned byte = 0; byte < bytes; ++byte)
      all.push_back(static_cast<char>(bits.extractBitsAsZExtValue(8, 8 * byte)));
  return all;
}

/// A splat that could not join a body, because a reduction takes its extent from it, is written
/// out: of a splat the slices that tiling makes would fold and leave their loops without a tile.
void writeOutSplats(linalg::GenericOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    DenseElementsAttr splat;
    if (!matchPattern(input->get(), m_Constant(&splat)) || !splat.isSplat() ||
        splat.getNumElements() == 1)
      continue;
    OpBuilder builder(op);
    auto blob = HeapAsmResourceBlob::allocateAndCopyInferAlign<char>(getElementBytes(splat));
    auto resource = DenseResourceElementsAttr::get(splat.getType(), "splat", std::move(blob));
    input->set(arith::ConstantOp::create(builder, input->get().getLoc(), resource));
  }
}

struct LocalizeInitsPass : streamtensor::impl::LocalizeInitsBase<LocalizeInitsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> generics;
    SmallVector<linalg::FillOp> fills;
    getOperation().walk([&](linalg::GenericOp op) { generics.push_back(op); });
    for (linalg::GenericOp op : generics)
      if (failed(localizeInits(rewriter, op)))
        return signalPassFailure();
    getOperation().walk([&](linalg::FillOp op) { fills.push_back(op); });
    for (linalg::FillOp op : fills)
      replaceStandaloneFill(rewriter, op);
    getOperation().walk([&](linalg::GenericOp op) { localizeConstants(rewriter, op); });
    getOperation().walk(writeOutSplats);
    eraseDead(getOperation(), rewriter);
  }
};

} // namespace
