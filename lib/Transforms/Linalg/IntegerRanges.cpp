//===- IntegerRanges.cpp - What integers a tensor can hold ----------------===//
//
// Forward over a function of straight-line Linalg; inside bodies by the interface that arith
// implements.
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"

#include "streamtensor/Transforms/GenericUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace streamtensor;

using BodyRanges = llvm::DenseMap<Value, ConstantIntRanges>;

static ConstantIntRanges fullRange(Type type) {
  return ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(type));
}

static bool isInteger(Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); }

static ConstantIntRanges lookup(const BodyRanges &ranges, Value value) {
  auto it = ranges.find(value);
  return it == ranges.end() ? fullRange(getElementTypeOrSelf(value.getType())) : it->second;
}

static void inferBody(Operation &op, linalg::GenericOp generic, BodyRanges &ranges) {
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    unsigned bits = ConstantIntRanges::getStorageBitwidth(index.getType());
    int64_t extent = generic.getStaticLoopRanges()[index.getDim()];
    ranges.insert({index, ConstantIntRanges::fromSigned(APInt(bits, 0), APInt(bits, extent - 1))});
    return;
  }
  auto infer = dyn_cast<InferIntRangeInterface>(op);
  if (!infer || !llvm::all_of(op.getOperandTypes(), isInteger) ||
      !llvm::all_of(op.getResultTypes(), isInteger))
    return;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op.getOperands())
    operands.push_back(lookup(ranges, operand));
  infer.inferResultRanges(operands, [&](Value value, const ConstantIntRanges &range) {
    ranges.insert({value, range});
  });
}

std::optional<IntegerSum> streamtensor::matchIntegerSum(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  BlockArgument accumulator = op.getRegionOutputArgs()[0];
  auto add = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  auto init = dyn_cast_or_null<IntegerAttr>(getFillConstant(op.getDpsInits()[0]));
  if (!add || !init || !accumulator.hasOneUse() || *accumulator.user_begin() != add)
    return std::nullopt;
  Value term = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
  return IntegerSum{add, term, init.getValue()};
}

IntegerRanges::IntegerRanges(func::FuncOp function) {
  for (Operation &op : function.getBody().front())
    visit(op);
}

ConstantIntRanges IntegerRanges::get(Value tensor) const { return lookup(ranges, tensor); }

void IntegerRanges::visit(Operation &op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return visitGeneric(generic);
  // What moves elements keeps their range.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp>(op) &&
      isInteger(op.getResult(0).getType()))
    ranges.insert({op.getResult(0), get(op.getOperand(0))});
}

void IntegerRanges::visitGeneric(linalg::GenericOp op) {
  if (!llvm::any_of(op.getResultTypes(), isInteger) || !op.hasPureTensorSemantics())
    return;
  BodyRanges body;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isInteger(input->get().getType()))
      body.insert({op.getMatchingBlockArgument(input), get(input->get())});
  for (Operation &nested : op.getBody()->without_terminator())
    inferBody(nested, op, body);
  if (std::optional<IntegerSum> sum = matchIntegerSum(op)) {
    ranges.insert({op.getResult(0), sumRange(*sum, op, lookup(body, sum->term))});
    return;
  }
  if (!isElementwise(op) || readsInit(op))
    return;
  for (auto [result, yielded] :
       llvm::zip_equal(op.getResults(), op.getBody()->getTerminator()->getOperands()))
    if (isInteger(result.getType()))
      ranges.insert({result, lookup(body, yielded)});
}

/// All partial sums lie in the range, or nothing is known.
ConstantIntRanges IntegerRanges::sumRange(const IntegerSum &sum, linalg::GenericOp op,
                                          const ConstantIntRanges &term) const {
  int64_t count = 1;
  for (auto [extent, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      count *= extent;
  unsigned bits = sum.init.getBitWidth(), wide = 2 * bits + 64;
  APInt init = sum.init.sext(wide), zero(wide, 0), steps(wide, count);
  APInt lowest = init + llvm::APIntOps::smin(term.smin().sext(wide) * steps, zero);
  APInt highest = init + llvm::APIntOps::smax(term.smax().sext(wide) * steps, zero);
  if (lowest.getSignificantBits() > bits || highest.getSignificantBits() > bits)
    return ConstantIntRanges::maxRange(bits);
  return ConstantIntRanges::fromSigned(lowest.trunc(bits), highest.trunc(bits));
}
