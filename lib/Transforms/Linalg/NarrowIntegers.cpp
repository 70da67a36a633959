//===- NarrowIntegers.cpp - Integers in as few bits as they need ----------===//
//
//   q = sub(extsi a : i8 to i32, extsi z : i8 to i32)   tensor<16x64xi32>, read by a contraction
//   ->
//   q = sub(extsi a : i8 to i9, extsi z : i8 to i9)     tensor<16x64xi9>, whose reader extends it
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"

#include "streamtensor/Transforms/GenericUtils.h"
#include "streamtensor/Transforms/Linalg/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace streamtensor;

namespace streamtensor {
#define GEN_PASS_DEF_NARROWINTEGERS
#include "streamtensor/Transforms/Linalg/Passes.h.inc"
} // namespace streamtensor

namespace {

/// Sums keep at least the width of an ordinary integer: tools trim adders by themselves.
constexpr unsigned sumBits = 32;

struct Width {
  unsigned bits;
  bool isSigned;
};

Width getWidth(const ConstantIntRanges &range) {
  if (range.smin().isNonNegative())
    return {std::max(1u, range.smax().getActiveBits()), false};
  return {std::max(range.smin().getSignificantBits(), range.smax().getSignificantBits()), true};
}

bool isMovement(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(op);
}

/// The width of the argument that `op` hands on as it is, so that it becomes a copy; 0 if it
/// computes.
unsigned getPassedBits(linalg::GenericOp op) {
  Value value = op.getBody()->getTerminator()->getOperand(0);
  while (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return isa<BlockArgument>(value) ? value.getType().getIntOrFloatBitWidth() : 0;
}

/// Do only generics read `value`, perhaps moved?
bool canBeNarrowed(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    if (isMovement(use.getOwner()))
      return canBeNarrowed(use.getOwner()->getResult(0));
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    return reader && reader.isDpsInput(&use);
  });
}

/// Values of a body modulo two to the power of fewer bits.
class Demotion {
public:
  Demotion(OpBuilder &builder, IntegerType type) : builder(builder), type(type) {}

  Value demote(Value value) {
    auto [it, inserted] = known.try_emplace(value);
    if (!inserted)
      return it->second;
    Value result = compute(value);
    known[value] = result;
    return result;
  }

private:
  Value compute(Value value) {
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (bits == type.getWidth())
      return value;
    Operation *op = value.getDefiningOp();
    if (bits < type.getWidth() || !op)
      return truncate(value);
    builder.setInsertionPointAfter(op);
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return arith::ConstantOp::create(
          builder, op->getLoc(), builder.getIntegerAttr(type, constant.trunc(type.getWidth())));
    if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
      return demoteExtension(op);
    if (isa<arith::TruncIOp>(op))
      return demote(op->getOperand(0));
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return demoteArithmetic(op);
    return truncate(value);
  }

  /// Modular arithmetic: low bits of results follow from low bits of operands.
  Value demoteArithmetic(Operation *op) {
    Value lhs = demote(op->getOperand(0)), rhs = demote(op->getOperand(1));
    builder.setInsertionPointAfter(op);
    StringAttr name = op->getName().getIdentifier();
    return builder.create(op->getLoc(), name, ValueRange{lhs, rhs}, TypeRange{type})->getResult(0);
  }

  Value demoteExtension(Operation *op) {
    Value source = op->getOperand(0);
    if (source.getType().getIntOrFloatBitWidth() >= type.getWidth())
      return demote(source);
    StringAttr name = op->getName().getIdentifier();
    return builder.create(op->getLoc(), name, source, TypeRange{type})->getResult(0);
  }

  Value truncate(Value value) {
    builder.setInsertionPointAfterValue(value);
    return arith::TruncIOp::create(builder, value.getLoc(), type, value);
  }

  OpBuilder &builder;
  IntegerType type;
  llvm::DenseMap<Value, Value> known;
};

void eraseDeadOperations(Block &body) {
  SmallVector<Operation *> operations = llvm::to_vector(llvm::make_pointer_range(body));
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
}

class Narrowing {
public:
  explicit Narrowing(func::FuncOp function) : builder(function), ranges(function) {
    for (auto op :
         llvm::make_early_inc_range(function.getBody().front().getOps<linalg::GenericOp>()))
      narrow(op);
  }

private:
  void narrow(linalg::GenericOp op) {
    if (op->getNumResults() != 1 || !op.hasPureTensorSemantics())
      return;
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getResult(0).getType()));
    if (!element || op->use_empty() || !canBeNarrowed(op.getResult(0)))
      return;
    Width width = getWidth(ranges.get(op.getResult(0)));
    std::optional<IntegerSum> sum = matchIntegerSum(op);
    if (sum) // Signed: one that is never negative takes a bit more.
      width = {std::max(width.bits + (width.isSigned ? 0 : 1), sumBits), true};
    else
      width.bits = std::max(width.bits, getPassedBits(op));
    if (width.bits >= element.getWidth())
      return;
    auto narrowType = builder.getIntegerType(width.bits);
    linalg::GenericOp result = sum ? cloneSum(op, *sum, narrowType) : cloneMap(op, narrowType);
    eraseDeadOperations(*result.getBody());
    replaceReads(op.getResult(0), result.getResult(0), width.isSigned);
    op.erase();
  }

  linalg::GenericOp cloneWith(linalg::GenericOp op, Value init, Type element) {
    IRRewriter rewriter(builder);
    linalg::GenericOp clone = cloneGeneric(rewriter, op, op.getInputs(), init,
                                           op.getIndexingMapsArray(), op.getIteratorTypesArray());
    clone.getRegionOutputArgs()[0].setType(element);
    return clone;
  }

  Value createEmpty(linalg::GenericOp op, Type element) {
    builder.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    return tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), element);
  }

  linalg::GenericOp cloneMap(linalg::GenericOp op, IntegerType element) {
    linalg::GenericOp clone = cloneWith(op, createEmpty(op, element), element);
    Operation *yield = clone.getBody()->getTerminator();
    yield->setOperand(0, Demotion(builder, element).demote(yield->getOperand(0)));
    return clone;
  }

  linalg::GenericOp cloneSum(linalg::GenericOp op, const IntegerSum &sum, IntegerType element) {
    Value empty = createEmpty(op, element);
    auto init = builder.getIntegerAttr(element, sum.init.trunc(element.getWidth()));
    Value constant = arith::ConstantOp::create(builder, op.getLoc(), init);
    Value fill = linalg::FillOp::create(builder, op.getLoc(), constant, empty).getResult(0);
    linalg::GenericOp clone = cloneWith(op, fill, element);
    Operation *yield = clone.getBody()->getTerminator();
    BlockArgument accumulator = clone.getRegionOutputArgs()[0];
    auto add = yield->getOperand(0).getDefiningOp<arith::AddIOp>();
    Value term = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
    Value demoted = Demotion(builder, element).demote(term);
    builder.setInsertionPoint(yield);
    yield->setOperand(0, arith::AddIOp::create(builder, add.getLoc(), accumulator, demoted));
    add.erase();
    return clone;
  }

  /// Readers of `wide` read `narrow` and extend its elements.
  void replaceReads(Value wide, Value narrow, bool isSigned) {
    for (OpOperand &use : llvm::make_early_inc_range(wide.getUses())) {
      if (isMovement(use.getOwner())) {
        replaceMovement(use.getOwner(), narrow, isSigned);
        continue;
      }
      auto reader = cast<linalg::GenericOp>(use.getOwner());
      BlockArgument argument = reader.getMatchingBlockArgument(&use);
      Type type = argument.getType();
      use.set(narrow);
      argument.setType(getElementTypeOrSelf(narrow.getType()));
      if (!argument.use_empty())
        extend(argument, type, isSigned);
    }
  }

  void extend(BlockArgument argument, Type type, bool isSigned) {
    builder.setInsertionPointToStart(argument.getOwner());
    Location loc = argument.getLoc();
    Value wide = isSigned ? arith::ExtSIOp::create(builder, loc, type, argument).getResult()
                          : arith::ExtUIOp::create(builder, loc, type, argument).getResult();
    argument.replaceAllUsesExcept(wide, wide.getDefiningOp());
  }

  void replaceMovement(Operation *op, Value source, bool isSigned) {
    builder.setInsertionPoint(op);
    Operation *moved = builder.clone(*op);
    moved->setOperand(0, source);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    moved->getResult(0).setType(type.clone(getElementTypeOrSelf(source.getType())));
    replaceReads(op->getResult(0), moved->getResult(0), isSigned);
    op->erase();
  }

  OpBuilder builder;
  IntegerRanges ranges;
};

struct NarrowIntegersPass : streamtensor::impl::NarrowIntegersBase<NarrowIntegersPass> {
  void runOnOperation() override {
    if (!getOperation().isDeclaration())
      Narrowing narrowing(getOperation());
  }
};

} // namespace
