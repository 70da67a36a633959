//===- Conversions.cpp - From one number type to another ------------------===//

#include "FloatTypes.h"
#include "Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace streamtensor::interpreter;

/// A float towards zero. What does not fit (and NaN) has no value in C++; here it is the
/// smallest number, which is also what x86 gives.
static Word toInteger(double value, unsigned width, bool isSigned) {
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  double low = isSigned ? -limit : 0;
  double whole = std::trunc(value);
  if (!(whole >= low && whole < limit))
    return Word::ofInteger(std::numeric_limits<int64_t>::min() >> (64 - width), width);
  int64_t integer =
      isSigned ? static_cast<int64_t>(whole) : static_cast<int64_t>(static_cast<uint64_t>(whole));
  return Word::ofInteger(integer, width);
}

static StepPtr fromFloat(Operation *op, Registers result, ArrayRef<Registers> operands, Type from,
                         Type to) {
  bool isSigned = isa<arith::FPToSIOp>(op);
  return withFloatType(from, [&](auto zero) -> StepPtr {
    using From = decltype(zero);
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return makeLaneStep<1>(result, operands, [=, width = getWordWidth(to)](Word x) {
        return toInteger(static_cast<double>(x.as<From>()), width, isSigned);
      });
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      return nullptr;
    return withFloatType(to, [&](auto resultZero) -> StepPtr {
      using To = decltype(resultZero);
      return makeLaneStep<1>(result, operands, [](Word x) { return Word::of(To(x.as<From>())); });
    });
  });
}

static StepPtr toFloat(Operation *op, Registers result, ArrayRef<Registers> operands, Type from,
                       Type to) {
  bool isSigned = isa<arith::SIToFPOp>(op);
  return withFloatType(to, [&](auto zero) -> StepPtr {
    using To = decltype(zero);
    if (isSigned)
      return makeLaneStep<1>(result, operands, [](Word x) { return Word::of(To(x.asInteger())); });
    return makeLaneStep<1>(result, operands, [width = getWordWidth(from)](Word x) {
      return Word::of(To(x.asUnsigned(width)));
    });
  });
}

StepPtr streamtensor::interpreter::makeConversion(Operation *op, Registers result,
                                                  ArrayRef<Registers> operands) {
  if (op->getNumOperands() != 1)
    return nullptr;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  unsigned width = getWordWidth(to);
  if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return makeLaneStep<1>(result, operands,
                           [width](Word x) { return Word::ofInteger(x.asInteger(), width); });
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return makeLaneStep<1>(result, operands, [width, from = getWordWidth(from)](Word x) {
      return Word::ofInteger(static_cast<int64_t>(x.asUnsigned(from)), width);
    });
  if (isa<arith::BitcastOp>(op))
    return makeLaneStep<1>(result, operands,
                           [from, to](Word x) { return getWord(getBits(x, from), to); });
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return toFloat(op, result, operands, from, to);
  return fromFloat(op, result, operands, from, to);
}
